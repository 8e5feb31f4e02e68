package io.github.mcpclient.console;

import java.util.List;
import java.util.function.BooleanSupplier;

import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.netty.http.server.HttpServerResponse;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.web.ManagementContextConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication.Type;
import org.springframework.context.annotation.Bean;
import org.springframework.core.Ordered;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.http.server.reactive.ServerHttpResponseDecorator;
import org.springframework.security.authentication.AnonymousAuthenticationToken;
import org.springframework.security.web.server.csrf.CsrfToken;
import org.springframework.util.ClassUtils;
import org.springframework.web.cors.reactive.CorsUtils;
import org.springframework.web.reactive.DispatcherHandler;
import org.springframework.web.reactive.HandlerMapping;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebHandler;
import org.springframework.web.server.adapter.ForwardedHeaderTransformer;
import org.springframework.web.util.pattern.PathPattern;
import org.springframework.web.util.pattern.PathPatternParser;

/**
 * {@link ManagementContextConfiguration @ManagementContextConfiguration} that maps the
 * console in reactive applications, in the web server that has Actuator.
 */
@ManagementContextConfiguration(proxyBeanMethods = false)
@ConditionalOnWebApplication(type = Type.REACTIVE)
@ConditionalOnClass(DispatcherHandler.class)
@ConditionalOnBean(McpConsole.class)
final class McpConsoleWebFluxConfiguration {

	private static final boolean SECURITY = ClassUtils
		.isPresent("org.springframework.security.web.server.csrf.CsrfToken", null);

	@Bean
	HandlerMapping mcpConsoleHandlerMapping(McpConsole console, ObjectProvider<ForwardedHeaderTransformer> forwarded) {
		return new ConsoleHandlerMapping(console, console.behindProxy() || forwarded.stream().findAny().isPresent());
	}

	/**
	 * Maps every method, and knows nothing of the application's settings for other
	 * origins.
	 */
	private static final class ConsoleHandlerMapping implements HandlerMapping, Ordered {

		private static final PathPattern PATH = PathPatternParser.defaultInstance.parse(ConsoleExchange.PATH + "/**");

		private final WebHandler handler;

		ConsoleHandlerMapping(McpConsole console, boolean proxy) {
			this.handler = (exchange) -> console.handle(exchange(exchange, proxy));
		}

		@Override
		public Mono<Object> getHandler(ServerWebExchange exchange) {
			if (!PATH.matches(exchange.getRequest().getPath().pathWithinApplication())) {
				return Mono.empty();
			}
			// Spring WebFlux handles preflight requests without the handler
			return CorsUtils.isPreFlightRequest(exchange.getRequest())
					? this.handler.handle(exchange).thenReturn(this.handler) : Mono.just(this.handler);
		}

		// before the mappings of the application, as Actuator's
		@Override
		public int getOrder() {
			return -100;
		}

		private static ConsoleExchange exchange(ServerWebExchange exchange, boolean proxy) {
			List<String> path = ConsoleExchange.parts(exchange.getRequest().getPath().pathWithinApplication());
			return new ConsoleExchange(exchange.getRequest(), exchange.getResponse(), path.subList(1, path.size()),
					SECURITY ? exchange.getPrincipal().filter((user) -> !Security.isAnonymous(user))
							: exchange.getPrincipal(),
					SECURITY ? Security.csrf(exchange) : Mono.empty(), proxy, writable(exchange.getResponse()));
		}

		// Reactor Netty requests far more than a client reads
		private static BooleanSupplier writable(ServerHttpResponse response) {
			if (ServerHttpResponseDecorator.getNativeResponse(response) instanceof HttpServerResponse netty) {
				boolean[] writable = new boolean[1];
				return () -> {
					netty.withConnection((connection) -> writable[0] = connection.channel().isWritable());
					return writable[0];
				};
			}
			return () -> true;
		}

	}

	/**
	 * Loaded with Spring Security only.
	 */
	private static final class Security {

		private Security() {
		}

		static boolean isAnonymous(Object user) {
			return user instanceof AnonymousAuthenticationToken;
		}

		static Mono<ConsoleExchange.Csrf> csrf(ServerWebExchange exchange) {
			@Nullable Mono<CsrfToken> token = exchange.getAttribute(CsrfToken.class.getName());
			return (token != null)
					? token.map((csrf) -> new ConsoleExchange.Csrf(csrf.getHeaderName(), csrf.getToken()))
					: Mono.empty();
		}

	}

}
