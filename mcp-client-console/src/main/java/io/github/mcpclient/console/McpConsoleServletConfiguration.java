package io.github.mcpclient.console;

import java.io.IOException;
import java.util.Objects;
import java.util.function.Supplier;

import io.github.mcpclient.internal.support.CallerContext;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.Servlet;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletRequestWrapper;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.web.ManagementContextConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication.Type;
import org.springframework.boot.web.servlet.ServletRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.http.server.reactive.AbstractServerHttpRequest;
import org.springframework.http.server.reactive.HttpHandler;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.http.server.reactive.ServletHttpHandlerAdapter;
import org.springframework.security.web.csrf.CsrfToken;
import org.springframework.util.ClassUtils;
import org.springframework.util.function.SingletonSupplier;
import org.springframework.web.context.request.async.StandardServletAsyncWebRequest;

/**
 * {@link ManagementContextConfiguration @ManagementContextConfiguration} that makes the
 * console a servlet of the web server that has Actuator.
 */
@ManagementContextConfiguration(proxyBeanMethods = false)
@ConditionalOnWebApplication(type = Type.SERVLET)
@ConditionalOnClass({ Servlet.class, ServletRegistrationBean.class })
@ConditionalOnBean(McpConsole.class)
final class McpConsoleServletConfiguration {

	private static final boolean CSRF = ClassUtils.isPresent("org.springframework.security.web.csrf.CsrfToken", null);

	@Bean
	ServletRegistrationBean<Servlet> mcpConsoleServlet(ObjectProvider<McpConsole> consoles) {
		// lazy, since Tomcat would log an invalid configuration as its own failure
		Supplier<McpConsole> supplier = SingletonSupplier.of(consoles::getObject);
		ServletRegistrationBean<Servlet> servlet = new ServletRegistrationBean<>(
				new ConsoleServlet((request, response) -> handle(supplier.get(), request, response)),
				ConsoleExchange.PATH + "/*");
		servlet.setName("mcpConsole");
		return servlet;
	}

	private static Mono<Void> handle(McpConsole console, ServerHttpRequest request, ServerHttpResponse response) {
		return console.handle(exchange(request, response, console.behindProxy()))
			.contextWrite(CallerContext::withThread);
	}

	// runs on the thread of the container, which has the user
	private static ConsoleExchange exchange(ServerHttpRequest request, ServerHttpResponse response, boolean proxy) {
		HttpServletRequest servlet = ((AbstractServerHttpRequest) request).getNativeRequest();
		return new ConsoleExchange(request, response, ConsoleExchange.parts(request.getPath().pathWithinApplication()),
				Mono.justOrEmpty(servlet.getUserPrincipal()),
				CSRF ? Mono.fromSupplier(() -> Csrf.of(servlet)) : Mono.empty(), proxy || isForwarded(servlet),
				() -> true);
	}

	// a filter or a valve of Tomcat may hide the headers that it has evaluated
	private static boolean isForwarded(HttpServletRequest request) {
		if (request.getAttribute("org.apache.tomcat.request.forwarded") != null) {
			return true;
		}
		ServletRequest innermost = request;
		while (innermost instanceof ServletRequestWrapper wrapper) {
			innermost = wrapper.getRequest();
		}
		return innermost instanceof HttpServletRequest original
				&& RequestGuard.FORWARDED.stream().anyMatch((header) -> original.getHeader(header) != null);
	}

	/**
	 * Rejects paths in another notation, such as {@code //mcp-console}, with which the
	 * adapter fails.
	 */
	static final class ConsoleServlet extends ServletHttpHandlerAdapter {

		ConsoleServlet(HttpHandler handler) {
			super(handler);
		}

		@Override
		public void service(ServletRequest request, ServletResponse response) throws ServletException, IOException {
			HttpServletRequest http = (HttpServletRequest) request;
			if ((http.getRequestURI() + "/").startsWith(http.getContextPath() + ConsoleExchange.PATH + "/")) {
				AsyncRequest async = new AsyncRequest(http, (HttpServletResponse) response);
				super.service(async, async.response());
			}
			else {
				((HttpServletResponse) response).setStatus(HttpServletResponse.SC_NOT_FOUND);
			}
		}

	}

	/**
	 * If a client has disconnected, delays the end of the request until the writing
	 * thread has released the response, as Spring MVC does. Tomcat does not wait for that
	 * thread, which could otherwise set the failure on a response that Tomcat already
	 * reuses for another request.
	 */
	private static final class AsyncRequest extends HttpServletRequestWrapper {

		private final StandardServletAsyncWebRequest async;

		AsyncRequest(HttpServletRequest request, HttpServletResponse response) {
			super(request);
			this.async = new StandardServletAsyncWebRequest(request, response);
		}

		HttpServletResponse response() {
			return Objects.requireNonNull(this.async.getResponse());
		}

		@Override
		public AsyncContext startAsync() {
			this.async.startAsync();
			return getAsyncContext();
		}

	}

	/**
	 * Loaded with Spring Security only.
	 */
	private static final class Csrf {

		private Csrf() {
		}

		static ConsoleExchange.@Nullable Csrf of(HttpServletRequest request) {
			return (request.getAttribute(CsrfToken.class.getName()) instanceof CsrfToken token)
					? new ConsoleExchange.Csrf(token.getHeaderName(), token.getToken()) : null;
		}

	}

}
