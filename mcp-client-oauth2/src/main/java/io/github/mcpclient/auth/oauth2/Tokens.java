package io.github.mcpclient.auth.oauth2;

import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.BiFunction;
import java.util.function.Function;

import io.github.mcpclient.authorization.McpAuthorizationChallenge;
import io.github.mcpclient.internal.support.ClientScheduler;
import io.github.mcpclient.internal.support.ClientThreads;
import io.github.mcpclient.internal.support.RecentItems;
import io.github.mcpclient.internal.support.ServerThreads;
import io.github.mcpclient.internal.transport.HeaderSources.UserAuthorizer.User;
import io.github.mcpclient.spi.TransportException;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import org.springframework.http.HttpHeaders;
import org.springframework.security.authentication.AnonymousAuthenticationToken;
import org.springframework.security.authentication.AuthenticationCredentialsNotFoundException;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.context.ReactiveSecurityContextHolder;
import org.springframework.security.core.context.SecurityContext;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.security.oauth2.client.OAuth2AuthorizedClient;
import org.springframework.security.oauth2.client.ReactiveOAuth2AuthorizedClientService;
import org.springframework.security.oauth2.client.authentication.OAuth2AuthenticationToken;
import org.springframework.security.oauth2.client.registration.ClientRegistration;
import org.springframework.security.oauth2.core.OAuth2AccessToken;
import org.springframework.security.oauth2.core.OAuth2ErrorCodes;
import org.springframework.security.oauth2.core.OAuth2Token;
import org.springframework.security.oauth2.core.endpoint.OAuth2AccessTokenResponse;
import org.springframework.security.oauth2.core.oidc.user.OidcUser;

/**
 * The tokens for one server, of the application itself or of its users: each is requested
 * once for all callers, cached until shortly before it expires, and replaced when the
 * server rejects it.
 */
final class Tokens {

	private static final int MAX_HOLDERS = 1000;

	// how often a rejected or missing token is requested again, per holder
	private static final int MAX_RENEWALS = 5;

	private static final Duration RENEWAL_INTERVAL = Duration.ofSeconds(10);

	// the time limit of an access to stored logins
	private static final Duration MAX_TIME = Duration.ofMinutes(1);

	// the time limit of such an access for Actuator
	private static final Duration SHOWN_TIME = Duration.ofSeconds(2);

	private static final Authentication APPLICATION = UsernamePasswordAuthenticationToken.unauthenticated("application",
			"");

	private final ClientResolver clients;

	private final TokenClients requests;

	private final Grant grant;

	private final @Nullable ReactiveOAuth2AuthorizedClientService logins;

	private final ClientScheduler time;

	private final ServerThreads waiting;

	private final SingleFlight<OAuth2AuthorizedClient> running;

	private final SingleFlight<Map<String, String>> renewing;

	private final Map<String, OAuth2AuthorizedClient> kept = bounded();

	// the scopes for which users had to log in again: not repeated if that had no effect
	private final Map<String, Set<String>> consented = bounded();

	private final Map<String, RateLimiter> renewals = bounded();

	// the reason why there was no other token after a rejected one
	private final Map<String, Throwable> failures = bounded();

	private final Map<String, Outage> outages = bounded();

	// distinguishes instances of the application, whose tokens expire at the same time,
	// or are the
	// same
	private final int instance = ThreadLocalRandom.current().nextInt();

	Tokens(ClientResolver clients, TokenClients requests, Grant grant, ClientThreads threads) {
		this.clients = clients;
		this.requests = requests;
		this.grant = grant;
		this.logins = grant.logins();
		this.time = threads.scheduler();
		this.waiting = threads.authorization();
		this.running = new SingleFlight<>(threads::headers);
		this.renewing = new SingleFlight<>(threads::headers);
	}

	static <V> Map<String, V> bounded() {
		return Collections.synchronizedMap(RecentItems.map(MAX_HOLDERS));
	}

	/**
	 * Return the header with the token; none for the application if the server has not
	 * named its authorization server yet.
	 */
	Mono<Map<String, String>> get() {
		return (this.grant.ofUsers() || this.clients.isKnown())
				? onThread((thread) -> holder().flatMap((holder) -> get(holder, "", thread))) : Mono.empty();
	}

	/**
	 * Return the header with the current token of the application, if present; request no
	 * token.
	 */
	Mono<Map<String, String>> kept() {
		return Mono.fromSupplier(() -> known(this.kept.get(key(APPLICATION)), ""))
			.map((authorized) -> Map.of(HttpHeaders.AUTHORIZATION, header(authorized)));
	}

	/**
	 * Return whether these are tokens of logins that Spring Security stores.
	 */
	boolean areLogins() {
		return this.logins != null;
	}

	/**
	 * Return the token of the application, or of the user of this thread, if present; of
	 * stored logins, only if this thread may load it.
	 */
	@Nullable OAuth2AuthorizedClient present() {
		OAuth2Client client = this.clients.known();
		Authentication user = SecurityContextHolder.getContext().getAuthentication();
		boolean signedIn = user != null && user.isAuthenticated() && !(user instanceof AnonymousAuthenticationToken);
		Authentication holder = !this.grant.ofUsers() ? APPLICATION : signedIn ? user : null;
		if (holder == null || this.logins == null) {
			return (holder != null) ? this.kept.get(key(holder)) : null;
		}
		// the state of a server does not depend on the store of logins
		return (client != null && !Schedulers.isInNonBlockingThread())
				? await(load(client, holder).timeout(SHOWN_TIME, this.time).onErrorReturn(Optional.empty()))
					.orElse(null)
				: null;
	}

	/**
	 * Return how many users have a token, or {@code null} for stored logins.
	 */
	@Nullable Integer count() {
		return (this.logins == null) ? this.kept.size() : null;
	}

	/**
	 * Identify the signed-in user.
	 */
	Mono<User> user() {
		return holder().map((user) -> new User(key(user), ReactiveSecurityContextHolder.withAuthentication(user)));
	}

	/**
	 * Return the header with another token than the rejected one, or let the user log in.
	 */
	Mono<Map<String, String>> renew(McpAuthorizationChallenge refusal) {
		BearerChallenge challenge = BearerChallenge.parse(refusal.wwwAuthenticate());
		if (refusal.status() == 403 && challenge.demanded(403).isEmpty()) {
			return Mono.empty();
		}
		// once for all calls that were refused with the same token
		return onThread((thread) -> holder()
			.flatMap((holder) -> this.renewing.run(key(holder) + challenge + refusal.status() + refused(refusal),
					renewed(challenge, refusal, holder, thread))));
	}

	private Mono<Map<String, String>> renewed(BearerChallenge challenge, McpAuthorizationChallenge refusal,
			Authentication holder, Thread thread) {
		Set<String> demanded = challenge.demanded(refusal.status());
		String refused = refused(refusal);
		return loaded(holder, thread).flatMap((loaded) -> {
			OAuth2AuthorizedClient current = loaded.orElse(null);
			boolean stale = current == null || header(current).equals(refused);
			Set<String> requested = requested(holder, current);
			boolean more = !requested.containsAll(demanded);
			if (current != null && stale && !more && !demanded.isEmpty()) {
				return Mono.empty();
			}
			boolean limited = current != null && (stale || more) && isNew(current.getAccessToken());
			if (limited && !renewal(holder).take()) {
				// other tokens had no effect, or there was no other token: no request for
				// each call
				Throwable failure = this.failures.get(key(holder) + refused);
				return (failure != null) ? Mono.error(failure) : Mono.empty();
			}
			if (stale || more) {
				this.clients.challenged(challenge, refusal.address(), demanded);
			}
			if (more) {
				Set<String> union = new LinkedHashSet<>(requested);
				union.addAll(demanded);
				this.consented.put(key(holder), union);
			}
			// more scopes need the user's consent in another login
			Mono<Boolean> removed = (more && current != null)
					? stored(thread, remove(current.getClientRegistration().getRegistrationId(), holder))
					: Mono.just(true);
			return removed.flatMap((done) -> get(holder, refused, thread)).doOnError((failure) -> {
				this.failures.put(key(holder) + refused, failure);
				if (limited && this.outages.containsKey(key(holder))) {
					// the retries of an outage are limited already: this attempt does not
					// count
					renewal(holder).giveBack();
				}
			});
		});
	}

	private static String refused(McpAuthorizationChallenge refusal) {
		return refusal.refused().getOrDefault(HttpHeaders.AUTHORIZATION, "");
	}

	/**
	 * Return whether the server rejected a token soon, which is likely to happen again:
	 * not near its expiry, which the server may have seen already.
	 */
	private boolean isNew(OAuth2AccessToken token) {
		Instant issuedAt = token.getIssuedAt();
		return issuedAt != null && this.time.instant().isBefore(issuedAt.plus(RENEWAL_INTERVAL)) && isFresh(token);
	}

	private RateLimiter renewal(Authentication holder) {
		return this.renewals.computeIfAbsent(key(holder), (key) -> allowance());
	}

	private RateLimiter allowance() {
		return new RateLimiter(this.time, MAX_RENEWALS, RENEWAL_INTERVAL);
	}

	// the thread of the caller may block
	private static <V> Mono<V> onThread(Function<Thread, Mono<V>> work) {
		return Mono.defer(() -> work.apply(Thread.currentThread()));
	}

	private Set<String> requested(Authentication holder, @Nullable OAuth2AuthorizedClient current) {
		return (current != null && this.logins == null) ? current.getClientRegistration().getScopes()
				: this.consented.getOrDefault(key(holder), Set.of());
	}

	private Mono<Authentication> holder() {
		if (!this.grant.ofUsers()) {
			return Mono.just(APPLICATION);
		}
		return ReactiveSecurityContextHolder.getContext()
			.switchIfEmpty(Mono.fromSupplier(SecurityContextHolder::getContext))
			.mapNotNull(SecurityContext::getAuthentication)
			.filter((user) -> user.isAuthenticated() && !(user instanceof AnonymousAuthenticationToken))
			.switchIfEmpty(Mono.error(() -> new AuthenticationCredentialsNotFoundException("The call to MCP server '"
					+ this.clients.definition().name() + "' is on behalf of a user, and no user is signed in")));
	}

	private Mono<Map<String, String>> get(Authentication holder, String refused, Thread thread) {
		return loaded(holder, thread).flatMap((loaded) -> {
			OAuth2AuthorizedClient known = known(loaded.orElse(null), refused);
			return (known != null) ? Mono.just(known) : this.clients.client()
				.flatMap((client) -> this.running.run(key(holder), paced(holder, requested(client, holder, refused))))
				.onErrorResume(TransportException.class,
						(failure) -> loaded.filter((current) -> isValid(current, refused))
							.map(Mono::just)
							.orElseGet(() -> Mono.error(failure)));
		}).map((authorized) -> Map.of(HttpHeaders.AUTHORIZATION, header(authorized)));
	}

	// no request for each call while there is no token
	private Mono<OAuth2AuthorizedClient> paced(Authentication holder, Mono<OAuth2AuthorizedClient> request) {
		return Mono.defer(() -> {
			Outage outage = this.outages.get(key(holder));
			return (outage != null && !outage.attempts().take()) ? Mono.error(outage.failure())
					: request.doOnNext((authorized) -> this.outages.remove(key(holder)))
						.doOnError(TransportException.class, (failure) -> this.outages.put(key(holder),
								new Outage(failure, (outage != null) ? outage.attempts() : allowance())));
		});
	}

	private Mono<OAuth2AuthorizedClient> requested(OAuth2Client client, Authentication holder, String refused) {
		return this.waiting.call(this.grant.share(client), () -> request(client, holder, refused))
			.onErrorResume(TokenRefusalException.class,
					(refusal) -> (refusal.is(OAuth2ErrorCodes.INVALID_CLIENT) && this.clients.forget(client))
							? this.clients.client().flatMap((other) -> requested(other, holder, refused))
							: Mono.error(refusal));
	}

	/**
	 * Load the login of a holder. Stored logins are identified by the client.
	 */
	private Mono<Optional<OAuth2AuthorizedClient>> loaded(Authentication holder, Thread thread) {
		return (this.logins == null) ? Mono.fromSupplier(() -> Optional.ofNullable(this.kept.get(key(holder))))
				: this.clients.client().flatMap((client) -> stored(thread, load(client, holder)));
	}

	/**
	 * Access stored logins, never on the current thread, which may be one that loaded the
	 * security context.
	 */
	private <V> Mono<V> stored(Thread thread, Mono<V> access) {
		boolean may = !(this.logins instanceof BlockingLogins)
				|| (Thread.currentThread() == thread && !Schedulers.isInNonBlockingThread());
		return may ? access : this.waiting.call("logins of " + this.clients.registrationId(), () -> await(access));
	}

	private static <V> V await(Mono<V> access) {
		return Objects.requireNonNull(access.block(MAX_TIME));
	}

	// from the settings, as not all stores of logins retain the token type
	private String header(OAuth2AuthorizedClient client) {
		return (this.clients.definition().auth().oauth2().dpop() ? Dpop.SCHEME : "Bearer") + " "
				+ client.getAccessToken().getTokenValue();
	}

	/**
	 * Return the holder of a token; for an exchanged token, the token it was exchanged
	 * for. No user can choose a name that is the key of another kind of user.
	 */
	private String key(Authentication holder) {
		if (this.logins != null) {
			return holder.getName();
		}
		if (holder.getPrincipal() instanceof OidcUser user) {
			// whose name may equal the name of a user of another provider
			String login = (holder instanceof OAuth2AuthenticationToken token)
					? token.getAuthorizedClientRegistrationId() : "";
			return "oidc " + login + " " + user.getIssuer() + " " + user.getSubject();
		}
		return (holder.getPrincipal() instanceof OAuth2Token token) ? "token " + token.getTokenValue()
				: "name " + holder.getName();
	}

	private Mono<Optional<OAuth2AuthorizedClient>> load(OAuth2Client client, Authentication holder) {
		Mono<OAuth2AuthorizedClient> login = (this.logins != null)
				? this.logins.loadAuthorizedClient(client.id(), holder.getName())
				: Mono.fromSupplier(() -> this.kept.get(key(holder)));
		// a token of another client has no effect, and its refresh token is a secret
		return login.filter((known) -> known.getClientRegistration().getRegistrationId().equals(client.id()))
			.singleOptional();
	}

	private Mono<Boolean> remove(String id, Authentication holder) {
		this.kept.remove(key(holder));
		return (this.logins != null) ? this.logins.removeAuthorizedClient(id, holder.getName()).thenReturn(true)
				: Mono.just(true);
	}

	private OAuth2AuthorizedClient save(Authentication holder, ClientRegistration registration,
			OAuth2AccessTokenResponse response) {
		OAuth2AuthorizedClient client = new OAuth2AuthorizedClient(registration, holder.getName(),
				response.getAccessToken(), response.getRefreshToken());
		if (this.logins != null) {
			await(this.logins.saveAuthorizedClient(client, holder).thenReturn(true));
		}
		else {
			this.kept.put(key(holder), client);
		}
		return client;
	}

	private @Nullable OAuth2AuthorizedClient known(@Nullable OAuth2AuthorizedClient client, String refused) {
		return (client != null && isFresh(client.getAccessToken()) && !header(client).equals(refused)) ? client : null;
	}

	private boolean isFresh(OAuth2AccessToken token) {
		return this.time.instant()
			.isBefore(renewal(token, this.clients.definition().auth().oauth2().clockSkew(), this.instance));
	}

	/**
	 * Return when a token is renewed. Of a short lifetime, a quarter is left unused for
	 * differences between clocks; a token without an expiry is valid until the server
	 * rejects it, and Spring Security gives such a token a second. A random tenth of the
	 * lifetime, different in each instance of the application, is left unused as well.
	 */
	static Instant renewal(OAuth2AccessToken token, Duration clockSkew, int instance) {
		Instant expiresAt = end(token);
		if (expiresAt == null) {
			return Instant.MAX;
		}
		Duration life = life(token);
		double part = Integer.toUnsignedLong(instance ^ token.getTokenValue().hashCode()) / 0x1p32 / 10;
		return expiresAt.minus(Collections.min(List.of(life.dividedBy(4), clockSkew)))
			.minusMillis((long) (part * life.toMillis()));
	}

	private static Duration life(OAuth2AccessToken token) {
		Instant issuedAt = token.getIssuedAt();
		Instant expiresAt = token.getExpiresAt();
		return (issuedAt != null && expiresAt != null) ? Duration.between(issuedAt, expiresAt) : Duration.ZERO;
	}

	/**
	 * Return the granted scopes: the requested scopes if the response does not say (RFC
	 * 6749, section 5.1).
	 */
	static Set<String> scopes(OAuth2AuthorizedClient client) {
		Set<String> granted = client.getAccessToken().getScopes();
		return granted.isEmpty() ? client.getClientRegistration().getScopes() : granted;
	}

	/**
	 * Return when a token expires, if it has an expiry.
	 */
	static @Nullable Instant end(OAuth2AccessToken token) {
		return (life(token).compareTo(Duration.ofSeconds(1)) > 0) ? token.getExpiresAt() : null;
	}

	private boolean isValid(OAuth2AuthorizedClient client, String refused) {
		Instant expiresAt = client.getAccessToken().getExpiresAt();
		return expiresAt != null && this.time.instant().isBefore(expiresAt) && !header(client).equals(refused);
	}

	private OAuth2AuthorizedClient request(OAuth2Client client, Authentication holder, String refused) {
		OAuth2AuthorizedClient current = await(load(client, holder)).orElse(null);
		OAuth2AuthorizedClient known = known(current, refused);
		if (known == null && current != null && current.getRefreshToken() != null) {
			known = refresh(client, holder, current);
		}
		if (known != null) {
			return known;
		}
		if (this.logins != null || (current != null && !isValid(current, refused))) {
			await(remove(client.id(), holder));
		}
		return save(holder, client.registration(), this.grant.request().apply(client, holder));
	}

	/**
	 * Renew a token, or return {@code null} if the grant has ended.
	 */
	private @Nullable OAuth2AuthorizedClient refresh(OAuth2Client client, Authentication holder,
			OAuth2AuthorizedClient current) {
		OAuth2AccessTokenResponse response = this.requests.refresh(client, current);
		if (response == null) {
			// another instance of the application may have used the refresh token first
			OAuth2AuthorizedClient other = await(load(client, holder)).orElse(null);
			return (other != null && !other.getAccessToken().equals(current.getAccessToken())) ? other : null;
		}
		return save(holder, current.getClientRegistration(), response);
	}

	/**
	 * No token could be obtained.
	 *
	 * @param attempts limits further attempts
	 */
	private record Outage(Throwable failure, RateLimiter attempts) {
	}

	/**
	 * How a token is obtained.
	 *
	 * @param person the person whose action is awaited, {@code null} for an authorization
	 * server
	 * @param logins where the logins of users are stored, {@code null} for tokens that
	 * are cached here
	 * @param request obtains a token for a holder; blocks
	 */
	record Grant(@Nullable String person, boolean ofUsers, @Nullable ReactiveOAuth2AuthorizedClientService logins,
			BiFunction<OAuth2Client, Authentication, OAuth2AccessTokenResponse> request) {

		String share(OAuth2Client client) {
			return (this.person != null) ? this.person : AuthorizationHttp.origin(URI.create(client.tokenUri()));
		}

	}

}
