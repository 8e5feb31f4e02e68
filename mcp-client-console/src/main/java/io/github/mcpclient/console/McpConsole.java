package io.github.mcpclient.console;

import java.security.Principal;
import java.util.Map;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;

import org.springframework.boot.cloud.CloudPlatform;
import org.springframework.core.env.Environment;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;

/**
 * The console, for any web stack: authorizes requests, and adds security headers to every
 * response. Non-blocking.
 */
record McpConsole(RequestGuard guard, ConsoleApi api, boolean behindProxy) {

	private static final Logger logger = LoggerFactory.getLogger(McpConsole.class);

	private static final Map<String, String> HEADERS = Map.of("Cache-Control", "no-store", "X-Content-Type-Options",
			"nosniff", "Referrer-Policy", "no-referrer", "Cross-Origin-Opener-Policy", "same-origin",
			"Cross-Origin-Resource-Policy", "same-origin", "Content-Security-Policy",
			"default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data: blob:; "
					+ "media-src data: blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
					+ "require-trusted-types-for 'script'; trusted-types 'none'");

	/**
	 * Return whether the application evaluates forwarded headers, so that the address of
	 * a request is not reliable.
	 */
	static boolean isBehindProxy(Environment environment) {
		String strategy = environment.getProperty("server.forward-headers-strategy");
		CloudPlatform platform = CloudPlatform.getActive(environment);
		return (strategy != null) ? !strategy.equalsIgnoreCase("none")
				: platform != null && platform.isUsingForwardHeaders();
	}

	Mono<Void> handle(ConsoleExchange exchange) {
		HEADERS.forEach(exchange.response().getHeaders()::set);
		return exchange.user()
			.map(Principal::getName)
			.map((name) -> new Visitor(name, true))
			.switchIfEmpty(Mono.fromSupplier(() -> Visitor.at(exchange.request().getRemoteAddress())))
			.flatMap((visitor) -> {
				this.guard.check(exchange, visitor.signedIn());
				return this.api.handle(exchange, visitor)
					.contextWrite((context) -> context.put(Principal.class, visitor));
			})
			.onErrorResume((failure) -> refuse(exchange, failure));
	}

	private Mono<Void> refuse(ConsoleExchange exchange, Throwable failure) {
		if (exchange.response().isCommitted()) {
			// a closed browser is not an error of the application
			logger.debug("A response of the console ended early", failure);
			return Mono.empty();
		}
		HttpHeaders headers = exchange.response().getHeaders();
		headers.set("Cache-Control", "no-store");
		headers.remove(HttpHeaders.CONTENT_LENGTH);
		headers.remove(HttpHeaders.ETAG);
		if (failure instanceof ConsoleException refused) {
			exchange.response().setStatusCode(refused.status());
			return ConsoleJson.write(exchange.response(), Map.of("error", String.valueOf(refused.getMessage())));
		}
		logger.error("The console failed to handle a request", failure);
		exchange.response().setStatusCode(HttpStatus.INTERNAL_SERVER_ERROR);
		return ConsoleJson.write(exchange.response(),
				Map.of("error", "The console failed to handle the request. See the log of the application."));
	}

}
