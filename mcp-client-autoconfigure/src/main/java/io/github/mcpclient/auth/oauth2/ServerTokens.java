package io.github.mcpclient.auth.oauth2;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;

import io.github.mcpclient.McpAuthorizationChallenge;
import io.github.mcpclient.support.ClientScheduler;
import io.github.mcpclient.support.ClientThreads;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.http.HttpHeaders;
import org.springframework.security.oauth2.core.OAuth2AccessToken;

/**
 * The token that the application itself has for one server: requested once for all who
 * want it, kept until shortly before it expires, and dropped when the server refuses it.
 */
final class ServerTokens {

	private final ClientResolver clients;

	private final Grant grant;

	private final Duration clockSkew;

	private final ClientScheduler time;

	private final SingleFlight<Map<String, String>> requests;

	private final AtomicReference<@Nullable Token> token = new AtomicReference<>();

	ServerTokens(ClientResolver clients, Grant grant, Duration clockSkew, ClientThreads threads) {
		this.clients = clients;
		this.grant = grant;
		this.clockSkew = clockSkew;
		this.time = threads.scheduler();
		this.requests = new SingleFlight<>(threads::headers);
	}

	/**
	 * Returns the header with the token; none where the server has yet to say which
	 * authorization server it trusts.
	 */
	Mono<Map<String, String>> get() {
		Map<String, String> known = known();
		if (known != null) {
			return Mono.just(known);
		}
		return this.clients.isKnown() ? this.requests.run("", this::request) : Mono.empty();
	}

	/**
	 * Returns the header with another token than the one that was refused.
	 */
	Mono<Map<String, String>> renew(McpAuthorizationChallenge refusal) {
		BearerChallenge challenge = BearerChallenge.parse(refusal.wwwAuthenticate());
		Set<String> demanded = challenge.demanded(refusal.status());
		if (refusal.status() == 403 && demanded.isEmpty()) {
			return Mono.empty();
		}
		Token token = this.token.get();
		if (token != null && token.isRefused(refusal)) {
			if (refusal.status() == 403 && token.scopes.containsAll(demanded)) {
				return Mono.empty();
			}
			this.token.compareAndSet(token, null);
			this.clients.challenged(challenge, demanded);
		}
		else if (token == null || !token.scopes.containsAll(demanded)) {
			this.clients.challenged(challenge, demanded);
			this.token.compareAndSet(token, null);
		}
		return get();
	}

	private @Nullable Map<String, String> known() {
		Token token = this.token.get();
		return (token != null && isFresh(token.value, this.clockSkew, this.time.instant())) ? token.headers() : null;
	}

	private Map<String, String> request() {
		Map<String, String> known = known();
		if (known != null) {
			return known;
		}
		OAuth2Client client = this.clients.get();
		Token token = new Token(this.grant.request(client), client.scopes());
		this.token.set(token);
		return token.headers();
	}

	/**
	 * Returns whether a token is good for a while. Of a short life, a quarter is left
	 * unused at most; one that names no end is good until the server refuses it, and
	 * Spring Security gives such a token a second.
	 */
	static boolean isFresh(OAuth2AccessToken token, Duration clockSkew, Instant now) {
		Instant issuedAt = token.getIssuedAt();
		Instant expiresAt = token.getExpiresAt();
		if (issuedAt == null || expiresAt == null) {
			return true;
		}
		Duration life = Duration.between(issuedAt, expiresAt);
		Duration quarter = life.dividedBy(4);
		return life.compareTo(Duration.ofSeconds(1)) <= 0
				|| now.isBefore(expiresAt.minus((quarter.compareTo(clockSkew) < 0) ? quarter : clockSkew));
	}

	static Map<String, String> headers(OAuth2AccessToken token) {
		return Map.of(HttpHeaders.AUTHORIZATION, "Bearer " + token.getTokenValue());
	}

	/**
	 * How a token is obtained. Blocks.
	 */
	interface Grant {

		OAuth2AccessToken request(OAuth2Client client);

	}

	/**
	 * A token, and the scopes that were requested for it.
	 */
	private record Token(OAuth2AccessToken value, Set<String> scopes) {

		Map<String, String> headers() {
			return ServerTokens.headers(this.value);
		}

		boolean isRefused(McpAuthorizationChallenge refusal) {
			return refusal.refused().values().containsAll(headers().values());
		}

		@Override
		public String toString() {
			return "Token" + this.scopes;
		}

	}

}
