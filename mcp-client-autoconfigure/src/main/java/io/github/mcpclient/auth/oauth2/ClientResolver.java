package io.github.mcpclient.auth.oauth2;

import java.net.URI;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.mcpclient.McpServerAuth.GrantType;
import io.github.mcpclient.McpServerAuth.OAuth2;
import io.github.mcpclient.McpServerDefinition;
import io.github.mcpclient.McpServerDefinition.Http;
import org.jspecify.annotations.Nullable;

import org.springframework.security.oauth2.client.registration.ClientRegistration;
import org.springframework.security.oauth2.core.AuthorizationGrantType;
import org.springframework.security.oauth2.core.ClientAuthenticationMethod;
import org.springframework.util.Assert;

/**
 * Finds out what the application is to the authorization server of one server, and which
 * one that is: from the settings, else by discovery as the MCP specification (revision
 * 2025-11-25, {@code basic/authorization}) describes. Blocks.
 */
final class ClientResolver {

	private static final Pattern SCOPE = Pattern.compile("[\\x21\\x23-\\x5B\\x5D-\\x7E]{1,200}");

	private static final int MAX_SCOPES = 64;

	private final OAuth2 settings;

	private final GrantType grantType;

	private final URI url;

	private final String registrationId;

	private final String redirectUri;

	private final AuthorizationHttp http;

	private final Failures failures;

	private final OAuth2Authorizer.Application application;

	/**
	 * The issuer that the configured credentials are for.
	 */
	private final AtomicReference<@Nullable String> issuer = new AtomicReference<>();

	/**
	 * Clients that were registered dynamically, by issuer.
	 */
	private final Map<String, Map<String, Object>> registered;

	private final Lock lock = new ReentrantLock();

	private final AtomicReference<State> state = new AtomicReference<>(new State(null, Set.of(), null));

	ClientResolver(McpServerDefinition definition, GrantType grantType, String redirectUri, AuthorizationHttp http,
			OAuth2Authorizer.Application application, Map<String, Map<String, Object>> registered) {
		Http server = definition.http();
		Assert.notNull(server, "'definition' must have a url");
		this.settings = definition.auth().oauth2();
		this.grantType = grantType;
		this.url = server.url();
		this.registrationId = (this.settings.registrationId() != null) ? this.settings.registrationId()
				: "mcp-" + definition.name();
		this.http = http;
		this.failures = new Failures(definition);
		this.application = application;
		this.registered = registered;
		this.redirectUri = redirectUri;
		this.issuer.set(this.settings.issuerUri());
	}

	/**
	 * Returns whether the server is to be asked for its authorization server.
	 */
	boolean isDiscovered() {
		return this.settings.registrationId() == null && this.settings.tokenUri() == null
				&& this.settings.issuerUri() == null;
	}

	String registrationId() {
		return this.registrationId;
	}

	/**
	 * Returns whether it is known whom to ask for a token.
	 */
	boolean isKnown() {
		return !isDiscovered() || state().challenge != null;
	}

	/**
	 * Heeds a challenge: after one without scopes, the client is resolved anew, as a
	 * server may have moved to another authorization server.
	 */
	void challenged(BearerChallenge challenge, Set<String> demanded) {
		this.state.updateAndGet((state) -> {
			if (demanded.isEmpty()) {
				return new State(null, state.demanded, challenge);
			}
			Set<String> union = new LinkedHashSet<>(state.demanded);
			demanded.stream().limit(MAX_SCOPES - union.size()).forEach(union::add);
			return new State((state.client != null) ? state.client.demanding(union) : null, union,
					(state.challenge != null) ? state.challenge : challenge);
		});
	}

	/**
	 * Returns the client, with all scopes that were demanded. Blocks if it is not known.
	 */
	OAuth2Client get() {
		OAuth2Client known = state().client;
		if (known != null) {
			return known;
		}
		this.lock.lock();
		try {
			State state = state();
			if (state.client != null) {
				return state.client;
			}
			OAuth2Client client = resolve(
					(state.challenge != null) ? state.challenge : BearerChallenge.parse(List.of()));
			this.state.updateAndGet(
					(current) -> new State(client.demanding(current.demanded), current.demanded, current.challenge));
			return client.demanding(state().demanded);
		}
		finally {
			this.lock.unlock();
		}
	}

	private State state() {
		return Objects.requireNonNull(this.state.get());
	}

	private OAuth2Client resolve(BearerChallenge challenge) {
		String id = this.settings.registrationId();
		if (id != null) {
			ClientRegistration registration = this.application.stored().registrations().apply(id);
			if (registration == null) {
				throw this.failures.of("There is no client registration '" + id + "'", null,
						"Set spring.security.oauth2.client.registration." + id
								+ ".*, or correct {auth}.oauth2.registration-id.");
			}
			this.http.trust(registration.getProviderDetails().getTokenUri());
			return client(registration,
					new AuthorizationServer(registration.getProviderDetails().getIssuerUri(),
							registration.getProviderDetails().getConfigurationMetadata()),
					null, scopes(challenge.get("scope"), registration.getScopes()));
		}
		if (!isDiscovered()) {
			AuthorizationServer server = configuredServer();
			return client(registration(server), server, null, scopes(challenge.get("scope"), List.of()));
		}
		ProtectedResource resource = ProtectedResource.of(this.url, this.settings.resource(), challenge, this.http,
				this.failures);
		String bound = this.issuer.get();
		AuthorizationServer server = AuthorizationServer.of(resource.authorizationServers().contains(bound)
				? String.valueOf(bound) : resource.authorizationServers().get(0), this.http, this.failures);
		return client(registration(server), server, resource.resource(),
				scopes(challenge.get("scope"), resource.scopes()));
	}

	private AuthorizationServer configuredServer() {
		String issuer = this.settings.issuerUri();
		String tokenUri = this.settings.tokenUri();
		if (tokenUri == null) {
			return AuthorizationServer.of(Objects.requireNonNull(issuer), this.http, this.failures);
		}
		Map<String, Object> metadata = new LinkedHashMap<>(Map.of(AuthorizationServer.TOKEN_ENDPOINT, tokenUri));
		if (this.settings.authorizationUri() != null) {
			metadata.put(AuthorizationServer.AUTHORIZATION_ENDPOINT, this.settings.authorizationUri());
			metadata.put("code_challenge_methods_supported", List.of("S256"));
		}
		return new AuthorizationServer(issuer, metadata);
	}

	private OAuth2Client client(ClientRegistration registration, AuthorizationServer server, @Nullable String resource,
			Set<String> scopes) {
		String configured = this.settings.resource();
		String canonical = (resource != null) ? resource : ProtectedResource.resource(this.url);
		return new OAuth2Client(registration, server, (configured != null) ? configured : canonical, scopes,
				assertion(registration));
	}

	private @Nullable ClientAssertion assertion(ClientRegistration registration) {
		if (!ClientAuthenticationMethod.PRIVATE_KEY_JWT.equals(registration.getClientAuthenticationMethod())) {
			return null;
		}
		try {
			return ClientAssertion.of(this.settings, this.application.sslBundles());
		}
		catch (Exception ex) {
			// the text of an exception may quote the key
			throw this.failures.of("The private key of the client cannot be used", ex.getClass().getSimpleName(),
					"Set {auth}.oauth2.private-key to a key in PEM format, or private-key-bundle to an SSL bundle.");
		}
	}

	private Set<String> scopes(@Nullable String challenged, Iterable<String> known) {
		if (!this.settings.scopes().isEmpty()) {
			return new LinkedHashSet<>(this.settings.scopes());
		}
		return (challenged != null) ? scopes(challenged) : scopes(String.join(" ", known));
	}

	/**
	 * Splits foreign scopes, without those that are not well-formed.
	 */
	static Set<String> scopes(@Nullable String text) {
		return (text != null) ? Arrays.stream(text.split(" "))
			.filter((scope) -> SCOPE.matcher(scope).matches())
			.limit(MAX_SCOPES)
			.collect(Collectors.toCollection(LinkedHashSet::new)) : Set.of();
	}

	private ClientRegistration registration(AuthorizationServer server) {
		String tokenUri = endpoint(server, AuthorizationServer.TOKEN_ENDPOINT);
		ClientRegistration.Builder builder = ClientRegistration.withRegistrationId(this.registrationId)
			.tokenUri(tokenUri)
			.issuerUri(server.issuer());
		if (this.grantType == GrantType.AUTHORIZATION_CODE) {
			if (!server.list("code_challenge_methods_supported").contains("S256")) {
				throw this.failures.of("The authorization server does not support PKCE with S256", null,
						"Nobody can log in there safely; use another grant type.");
			}
			builder.authorizationUri(endpoint(server, AuthorizationServer.AUTHORIZATION_ENDPOINT))
				.redirectUri(this.redirectUri);
		}
		builder.authorizationGrantType(grantType(this.grantType));
		identify(builder, server);
		return builder.build();
	}

	static AuthorizationGrantType grantType(GrantType grantType) {
		return switch (grantType) {
			case CLIENT_CREDENTIALS -> AuthorizationGrantType.CLIENT_CREDENTIALS;
			case AUTHORIZATION_CODE -> AuthorizationGrantType.AUTHORIZATION_CODE;
			case TOKEN_EXCHANGE -> AuthorizationGrantType.TOKEN_EXCHANGE;
			case JWT_BEARER -> AuthorizationGrantType.JWT_BEARER;
		};
	}

	private String endpoint(AuthorizationServer server, String name) {
		String configured = switch (name) {
			case AuthorizationServer.TOKEN_ENDPOINT -> this.settings.tokenUri();
			case AuthorizationServer.AUTHORIZATION_ENDPOINT -> this.settings.authorizationUri();
			default -> null;
		};
		String endpoint = (configured != null) ? configured : server.text(name);
		if (endpoint == null) {
			throw this.failures.of("The authorization server names no " + name.replace('_', ' '), null,
					"Set {auth}.oauth2.token-uri and authorization-uri.");
		}
		return this.http.uri(endpoint).toString();
	}

	/**
	 * Sets the client's id: a configured one, else its metadata document, else one that
	 * it registers.
	 */
	private void identify(ClientRegistration.Builder builder, AuthorizationServer server) {
		String clientId = this.settings.clientId();
		String document = this.settings.clientMetadataUri();
		if (clientId != null) {
			bind(server.issuer());
			builder.clientId(clientId)
				.clientSecret(this.settings.clientSecret())
				.clientAuthenticationMethod(method(server, this.settings.clientSecret() != null));
		}
		else if (document != null && server.flag("client_id_metadata_document_supported")) {
			builder.clientId(document).clientAuthenticationMethod(method(server, false));
		}
		else if (this.settings.dynamicRegistration() && !this.redirectUri.contains("{") && server.issuer() != null
				&& server.text("registration_endpoint") != null) {
			Map<String, Object> client = this.registered.get(server.issuer());
			if (client == null) {
				client = register(server);
				this.registered.put(server.issuer(), client);
			}
			String secret = (client.get("client_secret") instanceof String text) ? text : null;
			Object method = client.get("token_endpoint_auth_method");
			builder.clientId(String.valueOf(client.get("client_id")))
				.clientSecret(secret)
				.clientAuthenticationMethod((method instanceof String text) ? ClientAuthenticationMethod.valueOf(text)
						: method(server, secret != null));
		}
		else {
			throw this.failures.of("The authorization server does not know this application", null,
					"Register it there, and set {auth}.oauth2.client-id and client-secret; or set redirect-uri to a "
							+ "complete url if it is to register itself.");
		}
	}

	/**
	 * Credentials must not reach another authorization server than the first one.
	 */
	private void bind(@Nullable String issuer) {
		this.issuer.compareAndSet(null, issuer);
		String bound = this.issuer.get();
		if (bound != null && !bound.equals(issuer)) {
			throw this.failures.of("The server names another authorization server than the one that the client's "
					+ "credentials are for", issuer, "Set {auth}.oauth2.issuer-uri if it is to be trusted.");
		}
	}

	private ClientAuthenticationMethod method(AuthorizationServer server, boolean secret) {
		if (this.settings.clientAuthenticationMethod() != null) {
			return switch (this.settings.clientAuthenticationMethod()) {
				case CLIENT_SECRET_BASIC -> ClientAuthenticationMethod.CLIENT_SECRET_BASIC;
				case CLIENT_SECRET_POST -> ClientAuthenticationMethod.CLIENT_SECRET_POST;
				case PRIVATE_KEY_JWT -> ClientAuthenticationMethod.PRIVATE_KEY_JWT;
				case NONE -> ClientAuthenticationMethod.NONE;
			};
		}
		if (this.settings.privateKey() != null || this.settings.privateKeyBundle() != null) {
			return ClientAuthenticationMethod.PRIVATE_KEY_JWT;
		}
		if (!secret) {
			return ClientAuthenticationMethod.NONE;
		}
		List<String> supported = server.list("token_endpoint_auth_methods_supported");
		return (!supported.contains("client_secret_basic") && supported.contains("client_secret_post"))
				? ClientAuthenticationMethod.CLIENT_SECRET_POST : ClientAuthenticationMethod.CLIENT_SECRET_BASIC;
	}

	/**
	 * Registers the client (RFC 7591).
	 */
	private Map<String, Object> register(AuthorizationServer server) {
		List<String> supported = server.list("token_endpoint_auth_methods_supported");
		String method = Stream.of("none", "client_secret_basic", "client_secret_post")
			.filter(supported::contains)
			.findFirst()
			.orElse("client_secret_basic");
		boolean loopback = this.redirectUri.startsWith("http://");
		AuthorizationHttp.Response response = this.http.post(endpoint(server, "registration_endpoint"),
				Map.of("client_name", "MCP client", "redirect_uris", List.of(this.redirectUri), "grant_types",
						List.of("authorization_code", "refresh_token"), "response_types", List.of("code"),
						"token_endpoint_auth_method", method, "application_type", loopback ? "native" : "web"));
		Map<String, Object> client = response.status().is2xxSuccessful() ? AuthorizationHttp.json(response.body())
				: null;
		if (client == null || !(client.get("client_id") instanceof String)) {
			throw this.failures.of(
					"The authorization server refuses to register this application: HTTP " + response.status().value(),
					null, "Register it there, and set {auth}.oauth2.client-id and client-secret.");
		}
		return client;
	}

	/**
	 * What is known.
	 *
	 * @param client the client
	 * @param demanded the scopes that the server demanded for single requests
	 * @param challenge the last challenge
	 */
	private record State(@Nullable OAuth2Client client, Set<String> demanded, @Nullable BearerChallenge challenge) {

	}

}
