package io.github.mcpclient.auth.oauth2;

import java.net.InetAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import com.nimbusds.jose.jwk.JWK;
import io.github.mcpclient.McpServerDeviation.Kind;
import io.github.mcpclient.definition.McpServerAuth.OAuth2;
import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.internal.support.ClientThreads;
import io.github.mcpclient.internal.support.Monos;
import io.github.mcpclient.internal.support.PropertyNames;
import io.github.mcpclient.internal.support.ServerThreads;
import io.github.mcpclient.spi.TransportException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;

import org.springframework.security.oauth2.client.registration.ClientRegistration;
import org.springframework.security.oauth2.client.registration.ClientRegistration.ProviderDetails;
import org.springframework.security.oauth2.core.AuthorizationGrantType;
import org.springframework.security.oauth2.core.ClientAuthenticationMethod;
import org.springframework.util.ClassUtils;
import org.springframework.util.StringUtils;

/**
 * Determines the authorization server of one server, and the client of the application
 * there: from the settings, else by discovery as the MCP specification (version
 * 2025-11-25, {@code basic/authorization}) describes. Blocks.
 */
final class ClientResolver {

	private static final Logger logger = LoggerFactory.getLogger(ClientResolver.class);

	// the authentication methods of a client that registers itself
	private static final List<String> METHODS = List.of("none", "client_secret_basic", "client_secret_post");

	private static final String METHOD = "token_endpoint_auth_method";

	// creates client registrations from properties
	private static final String BOOT_CLIENT = "org.springframework.boot.security.oauth2.client.autoconfigure."
			+ "OAuth2ClientProperties";

	private static final int MAX_REGISTERED = 10;

	private final OAuth2 settings;

	private final AuthorizationHttp http;

	private final Failures failures;

	private final ApplicationBeans application;

	private final AuthorizationGrantType grantType;

	private final String redirectUri;

	// dynamically registered clients, by canonical issuer
	private final Map<String, Map<String, Object>> registered;

	// the issuer of the configured credentials, or of the users' logins
	private volatile @Nullable String issuer;

	private final ServerThreads threads;

	private final SingleFlight<OAuth2Client> resolving;

	private final RateLimiter resolutions;

	private final RateLimiter registrations;

	private final LoginReadiness readiness;

	private final AtomicReference<State> state = new AtomicReference<>(new State(null, Set.of(), null));

	ClientResolver(AuthorizationHttp http, ApplicationBeans application, AuthorizationGrantType grantType,
			@Nullable BrowserLogin login, ClientThreads threads) {
		this.http = http;
		this.failures = http.failures();
		this.settings = http.definition().auth().oauth2();
		this.application = application;
		this.grantType = grantType;
		this.redirectUri = (login != null) ? login.redirectUri() : this.settings.redirectUri();
		this.registered = (login != null) ? login.registered() : new ConcurrentHashMap<>();
		this.issuer = this.settings.issuerUri();
		this.threads = threads.authorization();
		this.resolving = new SingleFlight<>(threads::headers);
		this.resolutions = new RateLimiter(threads.scheduler(), 5, Duration.ofSeconds(30));
		this.registrations = new RateLimiter(threads.scheduler(), 1, Duration.ofMinutes(1));
		this.readiness = new LoginReadiness(this, threads.scheduler());
	}

	McpServerDefinition definition() {
		return this.http.definition();
	}

	String registrationId() {
		return (this.settings.registrationId() != null) ? this.settings.registrationId() : "mcp-" + definition().name();
	}

	/**
	 * Return whether a client registration is or was the one with
	 * {@link #registrationId()}: logins are stored under IDs that identify the issuer,
	 * the client and the resource.
	 */
	boolean isOf(String registrationId) {
		return registrationId.equals(registrationId()) || registrationId.startsWith(registrationId() + "~");
	}

	/**
	 * Return the configured identifier of the server, or the canonical one (RFC 8707),
	 * which has neither a fragment nor a trailing slash.
	 */
	String resource() {
		String configured = configuredResource(this.settings);
		return (configured != null) ? configured
				: this.http.server().toString().replaceFirst("#.*", "").replaceFirst("/$", "");
	}

	/**
	 * Return the configured resource identifier of a server, or {@code null} if it is not
	 * configured.
	 */
	static @Nullable String configuredResource(OAuth2 settings) {
		return isOmitted(settings) ? null : settings.resource();
	}

	private static boolean isOmitted(OAuth2 settings) {
		return "none".equalsIgnoreCase(settings.resource());
	}

	/**
	 * Return whether the authorization server is known.
	 */
	boolean isKnown() {
		return this.settings.registrationId() != null || this.settings.tokenUri() != null
				|| this.settings.issuerUri() != null || state().challenge != null;
	}

	/**
	 * Record a challenge: after one without scopes, the client is resolved again, as a
	 * server may have moved to another authorization server; limited in frequency.
	 * @param address the address that sent it, if that is known to be the server's
	 */
	void challenged(BearerChallenge challenge, @Nullable InetAddress address, Set<String> demanded) {
		if (address != null) {
			this.http.addressPolicy().narrow(List.of(address));
		}
		if (demanded.isEmpty() && state().client != null && !this.resolutions.take()) {
			return;
		}
		this.state.updateAndGet((state) -> {
			if (demanded.isEmpty()) {
				return new State(null, state.demanded, challenge);
			}
			Set<String> union = Stream.concat(state.demanded.stream(), demanded.stream())
				.distinct()
				.limit(BearerChallenge.MAX_SCOPES)
				.collect(Collectors.toCollection(LinkedHashSet::new));
			return new State((state.client != null) ? state.client.demanding(union) : null, union,
					(state.challenge != null) ? state.challenge : challenge);
		});
	}

	/**
	 * Let a client that registered itself register again if its authorization server does
	 * not know it any more.
	 * @return whether another attempt makes sense
	 */
	boolean forget(OAuth2Client client) {
		String issuer = client.authority();
		Map<String, Object> known = this.registered.get(issuer);
		if (known == null || !client.registration().getClientId().equals(known.get("client_id"))
				|| !this.registrations.take()) {
			return false;
		}
		this.registered.remove(issuer, known);
		this.state.updateAndGet((state) -> new State(null, state.demanded, state.challenge));
		return true;
	}

	/**
	 * Return the client, with all scopes that were requested by challenges, without
	 * blocking: one thread waits for the authorization server, for all users.
	 */
	Mono<OAuth2Client> client() {
		return Mono.defer(() -> {
			OAuth2Client known = state().client;
			return (known != null) ? Mono.just(known) : this.resolving.run("", resolve(true));
		});
	}

	/**
	 * Return the client. Blocks briefly if it has not been resolved yet.
	 */
	OAuth2Client get() {
		if (state().client == null) {
			this.readiness.get().block();
		}
		OAuth2Client known = state().client;
		if (known == null) {
			throw this.failures.of("The authorization server is not known yet", null, "Try again later.");
		}
		return known;
	}

	/**
	 * Return the client, or {@code null} if it has not been resolved yet.
	 */
	@Nullable OAuth2Client known() {
		return state().client;
	}

	LoginReadiness readiness() {
		return this.readiness;
	}

	private State state() {
		return Objects.requireNonNull(this.state.get());
	}

	/**
	 * Return the client registration of Spring Security to which a property refers.
	 */
	ClientRegistration registration(String id, String property) {
		ClientRegistration registration = this.application.registrations().apply(id);
		if (registration == null) {
			String properties = "spring.security.oauth2.client.registration." + id + ".*";
			throw this.failures
				.of("There is no client registration '" + id + "'", null, (ClassUtils.isPresent(BOOT_CLIENT, null)
						? "Set " + properties
						: "Add the dependency org.springframework.boot:spring-boot-starter-security-oauth2-client, which "
								+ "reads " + properties)
						+ ", or correct {auth}.oauth2." + property + ".");
		}
		this.http.trust(registration.getProviderDetails().getTokenUri());
		return registration;
	}

	/**
	 * Resolve the client, and again if the server has named another resource since then.
	 */
	private Mono<OAuth2Client> resolve(boolean again) {
		return Mono.defer(() -> {
			BearerChallenge known = state().challenge;
			return ((known != null) ? Mono.just(known) : challenge())
				.flatMap((challenge) -> resolve(challenge).flatMap((client) -> {
					State now = this.state.updateAndGet((state) -> Objects.equals(state.challenge, known)
							? new State(client.demanding(state.demanded), state.demanded, challenge) : state);
					return (again && now.client == null) ? resolve(false) : Mono.just(client.demanding(now.demanded));
				}));
		});
	}

	/**
	 * Request the server's challenge if no request can have been rejected yet: where each
	 * request has the token of its user.
	 */
	private Mono<BearerChallenge> challenge() {
		boolean ofUsers = this.grantType != AuthorizationGrantType.CLIENT_CREDENTIALS
				&& this.settings.assertionFile() == null;
		boolean discovered = this.settings.issuerUri() == null && this.settings.tokenUri() == null;
		return (ofUsers && this.settings.registrationId() == null && (discovered || this.settings.scopes().isEmpty()))
				? this.threads.call(AuthorizationHttp.origin(this.http.server()), this.http::challenge)
				: Mono.just(BearerChallenge.parse(List.of()));
	}

	private Mono<OAuth2Client> resolve(BearerChallenge challenge) {
		String id = this.settings.registrationId();
		if (id != null) {
			return this.threads.call("registration " + id, () -> {
				ClientRegistration registration = registration(id, "registration-id");
				ProviderDetails provider = registration.getProviderDetails();
				return client(registration,
						new AuthorizationServer(provider.getIssuerUri(), provider.getConfigurationMetadata()), null,
						scopes(challenge, registration.getScopes()));
			});
		}
		Discovery discovery = new Discovery(this.http);
		String configured = (this.settings.tokenUri() != null) ? this.settings.tokenUri() : this.settings.issuerUri();
		if (configured != null) {
			return this.threads.call(AuthorizationHttp.origin(URI.create(configured)), () -> {
				AuthorizationServer server = (this.settings.tokenUri() != null) ? configured()
						: discovery.authorizationServer(configured);
				return client(register(server), server, null, scopes(challenge, List.of()));
			});
		}
		return this.threads
			.call(AuthorizationHttp.origin(this.http.server()),
					() -> discovery.resource(configuredResource(this.settings), challenge))
			.flatMap((resource) -> Monos.guarded(() -> {
				List<String> issuers = AuthorizationServer.list(resource, "authorization_servers");
				String bound = this.issuer;
				String issuer = issuers.stream()
					.filter((one) -> AuthorizationServer.isSame(one, bound))
					.findFirst()
					.orElse(issuers.get(0));
				return this.threads.call(AuthorizationHttp.origin(this.http.uri(issuer)), () -> {
					AuthorizationServer server = discovery.authorizationServer(issuer);
					return client(register(server), server,
							(resource.get("resource") instanceof String named) ? named : null,
							scopes(challenge, AuthorizationServer.list(resource, "scopes_supported")));
				});
			}));
	}

	/**
	 * Return the authorization server with the endpoints of the settings.
	 */
	private AuthorizationServer configured() {
		return new AuthorizationServer(this.settings.issuerUri(), (this.settings.authorizationUri() != null)
				? Map.of("code_challenge_methods_supported", List.of("S256")) : Map.of());
	}

	private OAuth2Client client(ClientRegistration registration, AuthorizationServer server, @Nullable String resource,
			Set<String> scopes) {
		String requested = (resource != null && this.settings.resource() == null) ? resource : resource();
		OAuth2Client client = new OAuth2Client(registration, server, isOmitted(this.settings) ? null : requested,
				key(registration));
		ClientRegistration.Builder builder = ClientRegistration.withClientRegistration(registration).scope(scopes);
		if (this.settings.registrationId() == null) {
			builder.registrationId(registrationId() + "~" + digest(client));
		}
		return new OAuth2Client(builder.build(), server, client.resource(), client.key());
	}

	/**
	 * Return the identity of a login. A stored login of another issuer, client or
	 * resource is not found, and so neither sent to this server nor refreshed at this
	 * issuer.
	 */
	private String digest(OAuth2Client client) {
		String all = Stream
			.of(client.authority(), client.registration().getClientId(), String.valueOf(client.resource()), resource())
			.map((part) -> part.length() + ":" + part)
			.collect(Collectors.joining());
		try {
			byte[] hash = MessageDigest.getInstance("SHA-256").digest(all.getBytes(StandardCharsets.UTF_8));
			return Base64.getUrlEncoder().withoutPadding().encodeToString(Arrays.copyOf(hash, 16));
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private @Nullable JWK key(ClientRegistration registration) {
		if (!ClientAuthenticationMethod.PRIVATE_KEY_JWT.equals(registration.getClientAuthenticationMethod())) {
			return null;
		}
		try {
			return ClientKey.read(this.settings, this.application.sslBundles());
		}
		catch (Exception ex) {
			// the text of an exception may quote the key
			throw this.failures.of("The private key of the client cannot be used", ex.getClass().getSimpleName(),
					"Set {auth}.oauth2.private-key to a key in PEM format, or private-key-bundle to an SSL bundle.");
		}
	}

	private Set<String> scopes(BearerChallenge challenge, Iterable<String> known) {
		if (!this.settings.scopes().isEmpty()) {
			return new LinkedHashSet<>(this.settings.scopes());
		}
		return BearerChallenge.scopes(Objects.requireNonNullElse(challenge.get("scope"), String.join(" ", known)));
	}

	private ClientRegistration register(AuthorizationServer server) {
		ClientRegistration.Builder builder = ClientRegistration.withRegistrationId(registrationId())
			.tokenUri(endpoint(server, "token_endpoint", this.settings.tokenUri()))
			.issuerUri(server.issuer())
			.authorizationGrantType(this.grantType);
		if (this.grantType == AuthorizationGrantType.AUTHORIZATION_CODE) {
			checkPkce(server.list("code_challenge_methods_supported"), server);
			builder.authorizationUri(endpoint(server, "authorization_endpoint", this.settings.authorizationUri()))
				.redirectUri(this.redirectUri.replace("{registrationId}", registrationId()));
		}
		identify(builder, server);
		return builder.build();
	}

	private void checkPkce(List<String> methods, AuthorizationServer server) {
		if (methods.isEmpty() && this.settings.assumePkce()) {
			this.http.deviation(Kind.PKCE, String.valueOf(server.issuer()));
		}
		else if (methods.isEmpty()) {
			throw this.failures.of("The authorization server does not announce PKCE with S256", null,
					"If it is known to support it, set {auth}.oauth2.assume-pkce=true; else use another grant type.");
		}
		else if (!methods.contains("S256")) {
			throw this.failures.of("The authorization server does not support PKCE with S256", methods.toString(),
					"No login there is safe; use another grant type.");
		}
	}

	private String endpoint(AuthorizationServer server, String name, @Nullable String configured) {
		String endpoint = (configured != null) ? configured : server.text(name);
		if (endpoint == null) {
			throw this.failures.of("The authorization server names no " + name.replace('_', ' '), null,
					"Set {auth}.oauth2.token-uri and authorization-uri.");
		}
		return this.http.uri(endpoint).toString();
	}

	/**
	 * Set the client ID: the configured one, else the client ID metadata document, else
	 * the result of dynamic registration.
	 */
	private void identify(ClientRegistration.Builder builder, AuthorizationServer server) {
		String clientId = this.settings.clientId();
		String secret = this.settings.clientSecret();
		String document = this.settings.clientMetadataUri();
		String method = null;
		bind(server.issuer());
		if (clientId == null && document != null && server.flag("client_id_metadata_document_supported")) {
			clientId = document;
			secret = null;
		}
		else if (clientId == null && this.settings.dynamicRegistration() && !this.redirectUri.contains("{")
				&& server.issuer() != null && server.text("registration_endpoint") != null) {
			String issuer = AuthorizationServer.canonical(server.issuer());
			Map<String, Object> client = this.registered.get(issuer);
			if (client == null) {
				client = registerDynamically(server);
				if (this.registered.size() >= MAX_REGISTERED) {
					this.registered.clear();
				}
				this.registered.put(issuer, client);
			}
			AuthorizationServer answer = new AuthorizationServer(null, client);
			clientId = String.valueOf(client.get("client_id"));
			secret = secret(client);
			method = answer.text(METHOD);
		}
		else if (clientId == null) {
			throw this.failures.of("The authorization server does not know this application", null,
					"Register it there, and set {auth}.oauth2.client-id and client-secret; or set redirect-uri to a "
							+ "complete URL for dynamic registration.");
		}
		builder.clientId(clientId)
			.clientSecret(secret)
			.clientAuthenticationMethod(
					(method != null) ? ClientAuthenticationMethod.valueOf(method) : method(server, secret != null));
	}

	/**
	 * Credentials, including tokens of users, must not reach another authorization server
	 * than the first one. Users who log in with a client that is not configured may log
	 * in at another authorization server: everything is stored per authorization server.
	 */
	private void bind(@Nullable String issuer) {
		String bound = this.issuer;
		boolean free = this.settings.clientId() == null && this.grantType == AuthorizationGrantType.AUTHORIZATION_CODE;
		if (bound != null && !AuthorizationServer.isSame(bound, issuer)) {
			if (!free) {
				throw this.failures.of(
						"The server names another authorization server than the one that the client's "
								+ "credentials are for",
						issuer, "Set {auth}.oauth2.issuer-uri if it is to be trusted.");
			}
			logger.warn(
					"MCP server '{}' names another authorization server than before, and its users log in there: {}. "
							+ "Set {} to the issuer that you trust.",
					definition().name(), this.failures.line(String.valueOf(issuer)), issuerUri());
		}
		if (bound == null && issuer != null && this.settings.clientId() != null
				&& this.settings.clientSecret() != null) {
			logger.warn(
					"MCP server '{}' names {} as its authorization server, and the client ID and secret are bound to "
							+ "it from now on. Set {} to the issuer that they belong to.",
					definition().name(), this.failures.line(issuer), issuerUri());
		}
		this.issuer = issuer;
	}

	private String issuerUri() {
		return PropertyNames.ofServer(definition().name(), "auth.oauth2.issuer-uri");
	}

	private ClientAuthenticationMethod method(AuthorizationServer server, boolean secret) {
		if (this.settings.clientAuthenticationMethod() != null) {
			return ClientAuthenticationMethod
				.valueOf(this.settings.clientAuthenticationMethod().name().toLowerCase(Locale.ROOT));
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
	 * Register the client (RFC 7591), with another authentication method if one is
	 * rejected.
	 */
	private Map<String, Object> registerDynamically(AuthorizationServer server) {
		String nextStep = "Register it there, and set {auth}.oauth2.client-id and client-secret.";
		TransportException refused = null;
		for (String method : methods(server)) {
			Map<String, Object> request = new LinkedHashMap<>(OAuth2Client.metadata(List.of(this.redirectUri), method));
			request.put("application_type", this.redirectUri.startsWith("http://") ? "native" : "web");
			AuthorizationHttp.Response response = this.http.post(endpoint(server, "registration_endpoint", null),
					request);
			if (response.status().is2xxSuccessful()) {
				if (refused != null) {
					this.http.deviation(Kind.REGISTRATION, String.valueOf(refused.getMessage()));
				}
				return registered(AuthorizationHttp.json(response.body()), method, nextStep);
			}
			TokenAnswer answer = TokenAnswer.of(response);
			refused = (refused != null) ? refused : this.failures.of(
					"The authorization server refuses to register this application: HTTP " + response.status().value(),
					answer.quote(), nextStep);
			if (!answer.code().equals("invalid_client_metadata")) {
				break;
			}
		}
		throw Objects.requireNonNull(refused);
	}

	/**
	 * Return the authentication methods for the registration, in order of preference.
	 */
	private List<String> methods(AuthorizationServer server) {
		if (this.settings.clientAuthenticationMethod() != null) {
			return List.of(method(server, true).getValue());
		}
		List<String> supported = server.list("token_endpoint_auth_methods_supported");
		List<String> usable = METHODS.stream().filter(supported::contains).toList();
		return supported.isEmpty() ? List.of("client_secret_basic", "none", "client_secret_post")
				: usable.isEmpty() ? List.of("client_secret_basic") : usable;
	}

	private Map<String, Object> registered(@Nullable Map<String, Object> client, String method, String nextStep) {
		Object said = (client != null) ? client.get(METHOD) : null;
		boolean open = method.equals("none");
		if (client != null && open == (secret(client) == null) && (said == null || (open && METHODS.contains(said)))) {
			// as requested: a client without a secret can only be public
			client.put(METHOD, method);
			if (said != null && !said.equals(method)) {
				this.http.deviation(Kind.REGISTRATION, METHOD + " " + said + " without a client_secret");
			}
		}
		String wrong = wrong(client);
		if (client == null || wrong != null) {
			throw this.failures.of("The authorization server's response to the registration of this application is not "
					+ "usable: " + wrong, null, nextStep);
		}
		return client;
	}

	private static @Nullable String secret(Map<String, Object> client) {
		return (client.get("client_secret") instanceof String text && StringUtils.hasText(text)) ? text : null;
	}

	private static @Nullable String wrong(@Nullable Map<String, Object> client) {
		if (client == null) {
			return "it is not a JSON object";
		}
		if (!(client.get("client_id") instanceof String id) || !StringUtils.hasText(id)) {
			return "it has no client_id";
		}
		Object method = client.get(METHOD);
		if (method != null && !METHODS.contains(method)) {
			return "its token_endpoint_auth_method is not one of " + METHODS;
		}
		return (method != null && !method.equals("none") && secret(client) == null) ? "it has no client_secret" : null;
	}

	/**
	 * The state of the client.
	 *
	 * @param demanded the scopes that challenges to single requests require
	 * @param challenge the last challenge
	 */
	private record State(@Nullable OAuth2Client client, Set<String> demanded, @Nullable BearerChallenge challenge) {

	}

}
