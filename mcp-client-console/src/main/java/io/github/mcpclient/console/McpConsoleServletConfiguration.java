package io.github.mcpclient.console;

import io.github.mcpclient.support.CallerContext;
import jakarta.servlet.Servlet;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletRequestWrapper;
import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.boot.actuate.autoconfigure.web.ManagementContextConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication.Type;
import org.springframework.boot.web.servlet.ServletRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.http.server.reactive.AbstractServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.http.server.reactive.ServletHttpHandlerAdapter;
import org.springframework.security.web.csrf.CsrfToken;
import org.springframework.util.ClassUtils;

/**
 * {@link ManagementContextConfiguration @ManagementContextConfiguration} that makes the
 * console a servlet, of whichever server has Actuator.
 */
@ManagementContextConfiguration(proxyBeanMethods = false)
@ConditionalOnWebApplication(type = Type.SERVLET)
@ConditionalOnClass({ Servlet.class, ServletRegistrationBean.class })
@ConditionalOnBean(McpConsole.class)
final class McpConsoleServletConfiguration {

	private static final boolean CSRF = ClassUtils.isPresent("org.springframework.security.web.csrf.CsrfToken", null);

	@Bean
	ServletRegistrationBean<Servlet> mcpConsoleServlet(McpConsole console) {
		ServletRegistrationBean<Servlet> servlet = new ServletRegistrationBean<>(new ServletHttpHandlerAdapter(
				(request, response) -> console.handle(exchange(request, response, console.isBehindProxy()))
					.contextWrite(CallerContext::withThread)),
				ConsoleExchange.PATH + "/*");
		servlet.setName("mcpConsole");
		return servlet;
	}

	// on the thread of the container, to which the user is bound
	private static ConsoleExchange exchange(ServerHttpRequest request, ServerHttpResponse response, boolean proxy) {
		HttpServletRequest servlet = ((AbstractServerHttpRequest) request).getNativeRequest();
		return new ConsoleExchange(request, response, ConsoleExchange.parts(request.getPath().pathWithinApplication()),
				Mono.justOrEmpty(servlet.getUserPrincipal()),
				CSRF ? Mono.fromSupplier(() -> Csrf.of(servlet)) : Mono.empty(), proxy || isForwarded(servlet),
				() -> true);
	}

	// a filter may have hidden the headers that it has evaluated
	private static boolean isForwarded(HttpServletRequest request) {
		ServletRequest innermost = request;
		while (innermost instanceof ServletRequestWrapper wrapper) {
			innermost = wrapper.getRequest();
		}
		return innermost instanceof HttpServletRequest original
				&& AccessRules.FORWARDED.stream().anyMatch((header) -> original.getHeader(header) != null);
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
