package io.github.mcpclient.auth.oauth2;

import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

import io.github.mcpclient.McpAuthorizationChallenge;
import io.github.mcpclient.McpServerDefinition;
import io.github.mcpclient.support.ClientScheduler;
import io.github.mcpclient.support.ClientThreads;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.http.HttpHeaders;
import org.springframework.security.authentication.AnonymousAuthenticationToken;
import org.springframework.security.authentication.AuthenticationCredentialsNotFoundException;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.context.ReactiveSecurityContextHolder;
import org.springframework.security.core.context.SecurityContext;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.security.oauth2.client.ClientAuthorizationRequiredException;
import org.springframework.security.oauth2.client.OAuth2AuthorizationContext;
import org.springframework.security.oauth2.client.OAuth2AuthorizedClient;
import org.springframework.security.oauth2.client.OAuth2AuthorizedClientService;
import org.springframework.security.oauth2.client.TokenExchangeOAuth2AuthorizedClientProvider;
import org.springframework.security.oauth2.client.endpoint.RestClientTokenExchangeTokenResponseClient;
import org.springframework.security.oauth2.core.AuthorizationGrantType;
import org.springframework.security.oauth2.core.OAuth2AuthorizationException;
import org.springframework.security.oauth2.core.OAuth2RefreshToken;
import org.springframework.security.oauth2.core.OAuth2Token;
import org.springframework.security.oauth2.core.endpoint.OAuth2AccessTokenResponse;

/**
 * The tokens of the application's users for one server: those of their logins, which
 * Spring Security stores, or those that their own tokens were exchanged for.
 */
final class UserTokens {

	private static final int MAX_USERS = 1000;

	private final ClientResolver clients;

	private final TokenClients tokens;

	private final OAuth2AuthorizedClientService logins;

	private final boolean exchange;

	private final Duration clockSkew;

	private final ClientScheduler time;

	private final Failures failures;

	private final SingleFlight<OAuth2AuthorizedClient> requests;

	private final Map<String, OAuth2AuthorizedClient> exchanged = bounded();

	/**
	 * The scopes that users had to log in for once more: not again if that was no use.
	 */
	private final Map<String, Set<String>> demanded = bounded();

	/**
	 * Whose header it was, for a thread that does not have the security context.
	 */
	private final Map<String, Authentication> users = bounded();

	UserTokens(McpServerDefinition definition, ClientResolver clients, TokenClients tokens,
			OAuth2AuthorizedClientService logins, boolean exchange, ClientThreads threads) {
		this.clients = clients;
		this.tokens = tokens;
		this.logins = logins;
		this.exchange = exchange;
		this.clockSkew = definition.auth().oauth2().clockSkew();
		this.time = threads.scheduler();
		this.failures = new Failures(definition);
		this.requests = new SingleFlight<>(threads::headers);
	}

	private static <V> Map<String, V> bounded() {
		return Collections.synchronizedMap(new LinkedHashMap<>() {

			@Override
			protected boolean removeEldestEntry(Map.Entry<String, V> eldest) {
				return size() > MAX_USERS;
			}

		});
	}

	/**
	 * Returns the header with the token of the signed-in user.
	 */
	Mono<Map<String, String>> get() {
		return user().flatMap((user) -> get(user, ""));
	}

	/**
	 * Returns the header with another token of the same user, or lets the user log in.
	 */
	Mono<Map<String, String>> renew(McpAuthorizationChallenge refusal) {
		BearerChallenge challenge = BearerChallenge.parse(refusal.wwwAuthenticate());
		Set<String> demanded = challenge.demanded(refusal.status());
		if (refusal.status() == 403 && demanded.isEmpty()) {
			return Mono.empty();
		}
		String refused = refusal.refused().getOrDefault(HttpHeaders.AUTHORIZATION, "");
		Authentication known = this.users.get(refused);
		return ((known != null) ? Mono.just(known) : user()).flatMap((user) -> {
			if (!demanded.isEmpty() && this.demanded.getOrDefault(key(user), Set.of()).containsAll(demanded)) {
				return Mono.empty();
			}
			this.demanded.put(key(user), demanded);
			this.clients.challenged(challenge, demanded);
			if (!demanded.isEmpty() && !this.exchange) {
				// only a login can give a user's consent to more
				this.logins.removeAuthorizedClient(this.clients.registrationId(), user.getName());
			}
			return get(user, refused);
		});
	}

	private Mono<Authentication> user() {
		return ReactiveSecurityContextHolder.getContext()
			.switchIfEmpty(Mono.fromSupplier(SecurityContextHolder::getContext))
			.mapNotNull(SecurityContext::getAuthentication)
			.filter((user) -> user.isAuthenticated() && !(user instanceof AnonymousAuthenticationToken))
			.switchIfEmpty(Mono.error(() -> new AuthenticationCredentialsNotFoundException("The call to MCP server '"
					+ this.failures.definition().name() + "' is on behalf of a user, and nobody is signed in")));
	}

	private Mono<Map<String, String>> get(Authentication user, String refused) {
		return Mono.defer(() -> {
			OAuth2AuthorizedClient known = known(user, refused);
			return (known != null) ? Mono.just(known) : this.requests.run(key(user), () -> request(user, refused));
		}).map((client) -> {
			Map<String, String> headers = ServerTokens.headers(client.getAccessToken());
			this.users.put(headers.getOrDefault(HttpHeaders.AUTHORIZATION, ""), user);
			return headers;
		});
	}

	/**
	 * Who a token is for; of an exchanged one, what it was exchanged for.
	 */
	private String key(Authentication user) {
		return (this.exchange && user.getPrincipal() instanceof OAuth2Token token) ? token.getTokenValue()
				: user.getName();
	}

	private @Nullable OAuth2AuthorizedClient load(Authentication user) {
		return this.exchange ? this.exchanged.get(key(user))
				: this.logins.loadAuthorizedClient(this.clients.registrationId(), user.getName());
	}

	private @Nullable OAuth2AuthorizedClient known(Authentication user, String refused) {
		OAuth2AuthorizedClient client = load(user);
		return (client != null && ServerTokens.isFresh(client.getAccessToken(), this.clockSkew, this.time.instant())
				&& !ServerTokens.headers(client.getAccessToken()).containsValue(refused)) ? client : null;
	}

	private OAuth2AuthorizedClient request(Authentication user, String refused) {
		OAuth2AuthorizedClient known = known(user, refused);
		if (known != null) {
			return known;
		}
		if (this.exchange) {
			OAuth2AuthorizedClient client = exchange(user, this.clients.get());
			this.exchanged.put(key(user), client);
			return client;
		}
		OAuth2AuthorizedClient login = load(user);
		OAuth2AuthorizedClient refreshed = (login != null) ? refresh(user, login) : null;
		if (refreshed == null) {
			this.logins.removeAuthorizedClient(this.clients.registrationId(), user.getName());
			throw new ClientAuthorizationRequiredException(this.clients.registrationId());
		}
		return refreshed;
	}

	private OAuth2AuthorizedClient exchange(Authentication user, OAuth2Client client) {
		TokenExchangeOAuth2AuthorizedClientProvider provider = new TokenExchangeOAuth2AuthorizedClientProvider();
		provider.setAccessTokenResponseClient(
				this.tokens.configure(new RestClientTokenExchangeTokenResponseClient(), client));
		try {
			OAuth2AuthorizedClient authorized = provider.authorize(OAuth2AuthorizationContext
				.withClientRegistration(client.registration(AuthorizationGrantType.TOKEN_EXCHANGE))
				.principal(user)
				.build());
			if (authorized != null) {
				return authorized;
			}
		}
		catch (OAuth2AuthorizationException ex) {
			throw this.failures.of(ex, client.tokenUri());
		}
		throw this.failures.of("The user has no token that can be exchanged", null,
				"Call with the authentication of Spring Security's resource server, or set {auth}.oauth2.grant-type.");
	}

	/**
	 * Renews the token of a login, or returns {@code null} if the login has ended.
	 */
	private @Nullable OAuth2AuthorizedClient refresh(Authentication user, OAuth2AuthorizedClient login) {
		OAuth2RefreshToken refreshToken = login.getRefreshToken();
		if (refreshToken == null) {
			return null;
		}
		OAuth2Client client = this.clients.get();
		OAuth2AccessTokenResponse response = this.tokens.refresh(client, client.registration(), login.getAccessToken(),
				refreshToken);
		if (response == null) {
			// another instance of the application may have used the refresh token first
			OAuth2AuthorizedClient other = load(user);
			return (other != null && !other.getAccessToken().equals(login.getAccessToken())) ? other : null;
		}
		OAuth2AuthorizedClient refreshed = new OAuth2AuthorizedClient(login.getClientRegistration(), user.getName(),
				response.getAccessToken(), response.getRefreshToken());
		this.logins.saveAuthorizedClient(refreshed, user);
		return refreshed;
	}

}
