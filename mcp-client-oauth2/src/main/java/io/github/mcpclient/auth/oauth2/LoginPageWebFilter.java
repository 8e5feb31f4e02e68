package io.github.mcpclient.auth.oauth2;

import java.nio.charset.StandardCharsets;

import reactor.core.publisher.Mono;

import org.springframework.core.Ordered;
import org.springframework.http.HttpStatus;
import org.springframework.http.server.PathContainer.PathSegment;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;

/**
 * The same as {@link LoginPageFilter} for a reactive application.
 *
 * @param logins the logins of users
 */
record LoginPageWebFilter(UserLogins logins) implements WebFilter, Ordered {

	@Override
	public int getOrder() {
		return UserLogins.FILTER_ORDER;
	}

	@Override
	public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
		StringBuilder path = new StringBuilder();
		exchange.getRequest()
			.getPath()
			.pathWithinApplication()
			.elements()
			.forEach((element) -> path
				.append((element instanceof PathSegment segment) ? segment.valueToMatch() : element.value()));
		return this.logins.isReady(path.toString(), exchange.getRequest().getURI().getRawQuery())
			.flatMap((ready) -> ready ? chain.filter(exchange) : Mono.defer(() -> {
				ServerHttpResponse answer = exchange.getResponse();
				answer.setStatusCode(HttpStatus.SERVICE_UNAVAILABLE);
				answer.getHeaders().addAll(UserLogins.NOT_READY);
				return answer.writeWith(Mono.fromSupplier(
						() -> answer.bufferFactory().wrap(UserLogins.NOT_READY_PAGE.getBytes(StandardCharsets.UTF_8))));
			}));
	}

}
