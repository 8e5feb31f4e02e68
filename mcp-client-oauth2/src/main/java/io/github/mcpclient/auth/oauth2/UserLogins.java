package io.github.mcpclient.auth.oauth2;

import java.net.URI;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

import io.github.mcpclient.internal.support.ClientThreads;
import io.github.mcpclient.spi.TransportException;
import io.netty.handler.codec.http.QueryStringDecoder;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.http.HttpHeaders;
import org.springframework.security.oauth2.client.endpoint.OAuth2AccessTokenResponseClient;
import org.springframework.security.oauth2.client.endpoint.OAuth2AuthorizationCodeGrantRequest;
import org.springframework.security.oauth2.client.endpoint.RestClientAuthorizationCodeTokenResponseClient;
import org.springframework.security.oauth2.client.registration.ClientRegistration;
import org.springframework.security.oauth2.client.registration.ClientRegistrationRepository;
import org.springframework.security.oauth2.client.registration.ReactiveClientRegistrationRepository;
import org.springframework.security.oauth2.core.AuthorizationGrantType;
import org.springframework.security.oauth2.core.OAuth2AuthorizationException;
import org.springframework.security.oauth2.core.OAuth2Error;
import org.springframework.security.oauth2.core.OAuth2ErrorCodes;
import org.springframework.security.oauth2.core.endpoint.OAuth2AccessTokenResponse;
import org.springframework.security.oauth2.core.endpoint.OAuth2AuthorizationRequest;
import org.springframework.security.oauth2.core.endpoint.OAuth2ParameterNames;

/**
 * The beans that Spring Security's filters need to log users in for MCP servers. All
 * methods may block.
 *
 * @param authorizer the authorizer of the servers
 */
record UserLogins(
		OAuth2Authorizer authorizer) implements OAuth2AccessTokenResponseClient<OAuth2AuthorizationCodeGrantRequest> {

	/**
	 * The order before Spring Security's filters, which log an error for each failed
	 * request.
	 */
	static final int FILTER_ORDER = -101;

	/**
	 * The headers of a response that a login cannot begin yet. Browsers, which ignore
	 * {@code Retry-After}, honor {@code Refresh}.
	 */
	static final HttpHeaders NOT_READY = new HttpHeaders();

	static {
		NOT_READY.set(HttpHeaders.RETRY_AFTER, "2");
		NOT_READY.set("Refresh", "2");
		NOT_READY.set(HttpHeaders.CACHE_CONTROL, "no-store");
		NOT_READY.set(HttpHeaders.CONTENT_TYPE, "text/html;charset=UTF-8");
	}

	static final String NOT_READY_PAGE = "<!DOCTYPE html><title>Please wait</title>"
			+ "<p>You cannot log in yet. This page tries again by itself.";

	// the common part of the paths of login pages and redirect URIs
	private static final String PATHS = "/oauth2/";

	private static final RestClientAuthorizationCodeTokenResponseClient OTHERS = new RestClientAuthorizationCodeTokenResponseClient();

	/**
	 * Return the registration of a client that is not defined by the application, or
	 * {@code null}.
	 */
	@Nullable ClientRegistration find(String registrationId) {
		ClientResolver clients = clients(registrationId);
		return (clients != null) ? registration(clients, registrationId, clients.get()) : null;
	}

	/**
	 * Return nothing for the ID of a former client: a login that began with that client
	 * must not end at another authorization server, or with a token for another server.
	 */
	private static @Nullable ClientRegistration registration(ClientResolver clients, String id, OAuth2Client client) {
		return (id.equals(clients.registrationId()) || id.equals(client.id()))
				? client.registration(AuthorizationGrantType.AUTHORIZATION_CODE) : null;
	}

	/**
	 * Return whether Spring Security's filters can handle a request for a path without
	 * waiting for an authorization server.
	 */
	Mono<Boolean> isReady(String path, @Nullable String query) {
		String id = path.contains(PATHS) ? path.substring(path.lastIndexOf('/') + 1) : "";
		OAuth2Authorizer.Server server = id.isEmpty() ? null : this.authorizer.find(id);
		if (server != null && query != null) {
			server.clients().readiness().answered(query);
		}
		ClientResolver clients = (server != null) ? clients(id) : null;
		return (clients != null) ? clients.readiness().get() : Mono.just(true);
	}

	private @Nullable ClientResolver clients(String registrationId) {
		OAuth2Authorizer.Server server = this.authorizer.find(registrationId);
		return (server != null && server.settings().registrationId() == null) ? server.clients() : null;
	}

	/**
	 * Return the customizer that adds PKCE and the resource to authorization requests for
	 * MCP servers.
	 */
	Consumer<OAuth2AuthorizationRequest.Builder> customizer() {
		return (request) -> request.attributes((attributes) -> {
			OAuth2Authorizer.Server server = this.authorizer
				.find(String.valueOf(attributes.get(OAuth2ParameterNames.REGISTRATION_ID)));
			if (server != null) {
				server.clients().get().prepare(request);
			}
		});
	}

	@Override
	public OAuth2AccessTokenResponse getTokenResponse(OAuth2AuthorizationCodeGrantRequest request) {
		OAuth2Authorizer.Server server = this.authorizer.find(request.getClientRegistration().getRegistrationId());
		if (server == null) {
			return OTHERS.getTokenResponse(request);
		}
		OAuth2Client client = server.clients().get();
		// where Spring Security reads the code: the complete URL
		String url = request.getAuthorizationExchange().getAuthorizationResponse().getRedirectUri();
		List<String> issuer = new QueryStringDecoder(url).parameters().get("iss");
		try {
			client.checkIssuer((issuer != null) ? issuer.get(0) : null, new Failures(server.definition()));
			return server.requests().authorizationCode(client, request);
		}
		catch (TransportException ex) {
			if (ex instanceof TokenRefusalException refusal && refusal.is(OAuth2ErrorCodes.INVALID_CLIENT)) {
				server.clients().forget(client);
			}
			// an exception that the filters handle
			throw new OAuth2AuthorizationException(new OAuth2Error("invalid_token_response", ex.getMessage(), null),
					ex);
		}
	}

	/**
	 * Return the same for a caller that must not block.
	 */
	Mono<OAuth2AccessTokenResponse> requestToken(OAuth2AuthorizationCodeGrantRequest request, ClientThreads threads) {
		URI tokenUri = URI.create(request.getClientRegistration().getProviderDetails().getTokenUri());
		return threads.authorization()
			.call(AuthorizationHttp.origin(tokenUri), () -> getTokenResponse(request))
			.publishOn(threads.headers());
	}

	/**
	 * Return the clients of the application, which its login page offers.
	 */
	private static Iterator<ClientRegistration> offered(Stream<?> repositories) {
		return repositories.filter(Iterable.class::isInstance)
			.flatMap((own) -> StreamSupport.stream(((Iterable<?>) own).spliterator(), false))
			.map(ClientRegistration.class::cast)
			.iterator();
	}

	/**
	 * The client registrations of the application and of MCP servers.
	 *
	 * @param logins the registrations for MCP servers
	 * @param all this repository, and the repositories of the application
	 */
	record Registrations(UserLogins logins, ObjectProvider<ClientRegistrationRepository> all)
			implements
				ClientRegistrationRepository,
				Iterable<ClientRegistration> {

		@Override
		public Iterator<ClientRegistration> iterator() {
			return offered(others());
		}

		private Stream<ClientRegistrationRepository> others() {
			return this.all.stream().filter((other) -> !(other instanceof Registrations));
		}

		@Override
		public @Nullable ClientRegistration findByRegistrationId(String registrationId) {
			ClientRegistration registration = this.logins.find(registrationId);
			return (registration != null) ? registration
					: others().map((other) -> other.findByRegistrationId(registrationId))
						.filter(Objects::nonNull)
						.findFirst()
						.orElse(null);
		}

	}

	/**
	 * The same for a reactive application.
	 *
	 * @param logins the registrations for MCP servers
	 * @param all this repository, and the repositories of the application
	 */
	record ReactiveRegistrations(UserLogins logins, ObjectProvider<ReactiveClientRegistrationRepository> all)
			implements
				ReactiveClientRegistrationRepository,
				Iterable<ClientRegistration> {

		@Override
		public Iterator<ClientRegistration> iterator() {
			return offered(others());
		}

		private Stream<ReactiveClientRegistrationRepository> others() {
			return this.all.stream().filter((other) -> !(other instanceof ReactiveRegistrations));
		}

		@Override
		public Mono<ClientRegistration> findByRegistrationId(String registrationId) {
			return Mono.fromSupplier(() -> this.logins.clients(registrationId))
				.flatMap((clients) -> clients.client()
					.mapNotNull((client) -> registration(clients, registrationId, client)))
				.switchIfEmpty(Flux.fromStream(this::others)
					.concatMap((other) -> other.findByRegistrationId(registrationId))
					.next());
		}

	}

}
