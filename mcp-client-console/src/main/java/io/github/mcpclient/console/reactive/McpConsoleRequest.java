package io.github.mcpclient.console.reactive;

import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.boot.actuate.autoconfigure.web.server.ManagementPortType;
import org.springframework.boot.actuate.endpoint.web.WebServerNamespace;
import org.springframework.boot.security.web.reactive.ApplicationContextServerWebExchangeMatcher;
import org.springframework.context.ApplicationContext;
import org.springframework.security.web.server.util.matcher.PathPatternParserServerWebExchangeMatcher;
import org.springframework.security.web.server.util.matcher.ServerWebExchangeMatcher;
import org.springframework.web.server.ServerWebExchange;

/**
 * Factory that can be used to create a {@link ServerWebExchangeMatcher} for the console,
 * as Spring Boot's {@code EndpointRequest} is for Actuator endpoints.
 */
public final class McpConsoleRequest {

	private McpConsoleRequest() {
	}

	/**
	 * Return a matcher that includes the page of the console and everything beneath it,
	 * on any port, with any base path. For example: <pre class="code">
	 * http.securityMatcher(McpConsoleRequest.toConsole())
	 * </pre>
	 * @return the matcher, which is safe for use by many threads
	 */
	public static ServerWebExchangeMatcher toConsole() {
		return new ConsoleExchangeMatcher();
	}

	private static final class ConsoleExchangeMatcher
			extends ApplicationContextServerWebExchangeMatcher<ApplicationContext> {

		// the pattern by which the console is mapped
		private final ServerWebExchangeMatcher path = new PathPatternParserServerWebExchangeMatcher("/mcp-console/**");

		ConsoleExchangeMatcher() {
			super(ApplicationContext.class);
		}

		@Override
		protected boolean ignoreApplicationContext(@Nullable ApplicationContext context) {
			return context == null || (ManagementPortType.get(context.getEnvironment()) == ManagementPortType.DIFFERENT
					&& !hasServerNamespace(context, WebServerNamespace.MANAGEMENT.getValue()));
		}

		@Override
		protected Mono<MatchResult> matches(ServerWebExchange exchange, Supplier<ApplicationContext> context) {
			return this.path.matches(exchange);
		}

		@Override
		public String toString() {
			return "McpConsoleRequest.toConsole()";
		}

	}

}
