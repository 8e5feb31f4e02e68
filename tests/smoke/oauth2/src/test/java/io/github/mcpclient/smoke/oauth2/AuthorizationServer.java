package io.github.mcpclient.smoke.oauth2;

import java.io.IOException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.NoSuchAlgorithmException;
import java.security.interfaces.RSAPublicKey;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.source.JWKSource;
import com.nimbusds.jose.proc.SecurityContext;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.tomcat.TomcatWebServer;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configuration.OAuth2AuthorizationServerConfiguration;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.crypto.bcrypt.BCryptPasswordEncoder;
import org.springframework.security.crypto.password.PasswordEncoder;
import org.springframework.security.oauth2.core.AuthorizationGrantType;
import org.springframework.security.oauth2.core.ClientAuthenticationMethod;
import org.springframework.security.oauth2.core.endpoint.OAuth2AuthorizationRequest;
import org.springframework.security.oauth2.jose.jws.SignatureAlgorithm;
import org.springframework.security.oauth2.jwt.JwtDecoder;
import org.springframework.security.oauth2.server.authorization.InMemoryOAuth2AuthorizationService;
import org.springframework.security.oauth2.server.authorization.OAuth2Authorization;
import org.springframework.security.oauth2.server.authorization.OAuth2AuthorizationService;
import org.springframework.security.oauth2.server.authorization.OAuth2TokenType;
import org.springframework.security.oauth2.server.authorization.authentication.OAuth2AuthorizationGrantAuthenticationToken;
import org.springframework.security.oauth2.server.authorization.authentication.OAuth2TokenExchangeAuthenticationToken;
import org.springframework.security.oauth2.server.authorization.client.InMemoryRegisteredClientRepository;
import org.springframework.security.oauth2.server.authorization.client.RegisteredClient;
import org.springframework.security.oauth2.server.authorization.client.RegisteredClientRepository;
import org.springframework.security.oauth2.server.authorization.settings.ClientSettings;
import org.springframework.security.oauth2.server.authorization.settings.TokenSettings;
import org.springframework.security.oauth2.server.authorization.token.JwtEncodingContext;
import org.springframework.security.oauth2.server.authorization.token.OAuth2TokenCustomizer;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.authentication.LoginUrlAuthenticationEntryPoint;
import org.springframework.web.client.RestClient;

/**
 * A Spring Authorization Server with the client {@code mcp}, whose secret is
 * {@code mcp-secret}, and users whose password is {@code password}. It can be stopped,
 * and started again with what it knew.
 */
final class AuthorizationServer implements AutoCloseable {

	static final String CLIENT_ID = "mcp";

	static final String CLIENT_SECRET = "mcp-secret";

	static final String PASSWORD = "password";

	static final String REDIRECT_URI = "http://127.0.0.1/login/oauth2/code/mcp";

	private static final String CLIENT_KEYS = "/client-keys";

	// as cheap as it can be: a secret in another form is encoded by Spring Security, at
	// great cost
	private static final PasswordEncoder PASSWORD_ENCODER = new BCryptPasswordEncoder(4);

	private final InMemoryRegisteredClientRepository clients;

	private final InMemoryOAuth2AuthorizationService authorizations = new InMemoryOAuth2AuthorizationService();

	private final List<TokenRequest> tokenRequests = new CopyOnWriteArrayList<>();

	private volatile JWKSet keys = newKeys();

	private volatile CompletableFuture<Void> gate = CompletableFuture.completedFuture(null);

	private final AtomicInteger waiting = new AtomicInteger();

	private volatile String audience;

	private volatile JWKSet clientKeys;

	private volatile boolean metadataDocuments = true;

	private final int port;

	private final ConfigurableApplicationContext context;

	AuthorizationServer() {
		this.clients = new InMemoryRegisteredClientRepository(RegisteredClient.withId("1")
			.clientId(CLIENT_ID)
			.clientSecret(PASSWORD_ENCODER.encode(CLIENT_SECRET))
			.clientAuthenticationMethod(ClientAuthenticationMethod.CLIENT_SECRET_BASIC)
			.clientAuthenticationMethod(ClientAuthenticationMethod.CLIENT_SECRET_POST)
			.authorizationGrantType(AuthorizationGrantType.CLIENT_CREDENTIALS)
			.authorizationGrantType(AuthorizationGrantType.AUTHORIZATION_CODE)
			.authorizationGrantType(AuthorizationGrantType.REFRESH_TOKEN)
			.authorizationGrantType(AuthorizationGrantType.TOKEN_EXCHANGE)
			.redirectUri(REDIRECT_URI)
			.scope("openid")
			.scope("mcp:read")
			.scope("mcp:write")
			.build());
		ApplicationContextInitializer<GenericApplicationContext> self = (context) -> context
			.registerBean(AuthorizationServer.class, () -> this);
		this.context = new SpringApplicationBuilder(Application.class).web(WebApplicationType.SERVLET)
			.initializers(self)
			.properties("server.port=0", "server.servlet.session.cookie.name=AUTHORIZATION_SERVER")
			.run();
		this.port = Integer.parseInt(this.context.getEnvironment().getRequiredProperty("local.server.port"));
		TomcatWebServer tomcat = (TomcatWebServer) ((WebServerApplicationContext) this.context).getWebServer();
		tomcat.getTomcat().getConnector().setPort(this.port);
	}

	void start() {
		this.context.start();
	}

	void stop() {
		this.context.stop();
	}

	String issuer() {
		return "http://localhost:" + this.port;
	}

	/**
	 * Issue access tokens that live that long, and refresh tokens that rotate.
	 */
	void issueFor(Duration life) {
		this.clients.save(RegisteredClient.from(this.clients.findByClientId(CLIENT_ID))
			.tokenSettings(TokenSettings.builder().accessTokenTimeToLive(life).reuseRefreshTokens(false).build())
			.build());
	}

	/**
	 * Whether to know a client by its metadata document.
	 */
	void acceptMetadataDocuments(boolean accept) {
		this.metadataDocuments = accept;
	}

	/**
	 * Allow the client to be redirected there.
	 */
	void allowRedirect(String uri) {
		this.clients.save(RegisteredClient.from(this.clients.findByClientId(CLIENT_ID)).redirectUri(uri).build());
	}

	/**
	 * Add a client that authenticates itself by a key, which is found where clients
	 * publish theirs.
	 */
	void addClient(String id, JWK key, SignatureAlgorithm algorithm) {
		this.clientKeys = new JWKSet(key);
		this.clients.save(RegisteredClient.from(this.clients.findByClientId(CLIENT_ID))
			.id(id)
			.clientId(id)
			.clientSecret(null)
			.clientAuthenticationMethod(ClientAuthenticationMethod.PRIVATE_KEY_JWT)
			.clientSettings(ClientSettings.builder()
				.jwkSetUrl(issuer() + CLIENT_KEYS)
				.tokenEndpointAuthenticationSigningAlgorithm(algorithm)
				.build())
			.build());
	}

	/**
	 * The token requests, those refused included.
	 */
	List<TokenRequest> tokenRequests() {
		return this.tokenRequests;
	}

	/**
	 * Be as at the start, up, with long-lived tokens and no record.
	 */
	void reset() {
		this.gate.complete(null);
		if (!this.context.isRunning()) {
			start();
		}
		this.audience = null;
		this.metadataDocuments = true;
		issueFor(Duration.ofHours(1));
		this.tokenRequests.clear();
	}

	/**
	 * Sign with a new key from now on, and forget the old one.
	 */
	void rotateKeys() {
		this.keys = newKeys();
	}

	/**
	 * Issue tokens for that audience, whatever is asked for.
	 */
	void issueForAudience(String audience) {
		this.audience = audience;
	}

	/**
	 * Leave token requests unanswered until the result is completed.
	 */
	CompletableFuture<Void> holdTokenRequests() {
		CompletableFuture<Void> hold = new CompletableFuture<>();
		this.gate = hold;
		return hold;
	}

	/**
	 * How many token requests are being held.
	 */
	int waiting() {
		return this.waiting.get();
	}

	/**
	 * Revoke what a user has granted, with an access token that is known from it.
	 */
	void revokeGrant(String accessToken) {
		OAuth2Authorization authorization = this.authorizations.findByToken(accessToken, OAuth2TokenType.ACCESS_TOKEN);
		this.authorizations.remove(authorization);
	}

	@Override
	public void close() {
		this.gate.complete(null);
		this.context.close();
	}

	private static JWKSet newKeys() {
		try {
			KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
			generator.initialize(2048);
			KeyPair pair = generator.generateKeyPair();
			return new JWKSet(new RSAKey.Builder((RSAPublicKey) pair.getPublic()).privateKey(pair.getPrivate())
				.keyID(UUID.randomUUID().toString())
				.build());
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private void record(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
			throws IOException, ServletException {
		if (request.getRequestURI().equals(CLIENT_KEYS)) {
			response.getWriter().write(this.clientKeys.toString());
			return;
		}
		if (!request.getRequestURI().equals("/oauth2/token")) {
			chain.doFilter(request, response);
			return;
		}
		try {
			awaitGate();
			chain.doFilter(request, response);
		}
		finally {
			Map<String, String> parameters = new HashMap<>();
			request.getParameterMap().forEach((name, values) -> parameters.put(name, values[0]));
			this.tokenRequests.add(new TokenRequest(parameters, response.getStatus(), System.nanoTime()));
		}
	}

	private void awaitGate() {
		this.waiting.incrementAndGet();
		try {
			this.gate.join();
		}
		finally {
			this.waiting.decrementAndGet();
		}
	}

	private void customize(JwtEncodingContext context) {
		if (!OAuth2TokenType.ACCESS_TOKEN.equals(context.getTokenType())) {
			return;
		}
		OAuth2AuthorizationGrantAuthenticationToken grant = context.getAuthorizationGrant();
		Object resource = grant.getAdditionalParameters().get("resource");
		if (resource == null && context.getAuthorization() != null) {
			OAuth2AuthorizationRequest request = context.getAuthorization()
				.getAttribute(OAuth2AuthorizationRequest.class.getName());
			resource = (request != null) ? request.getAdditionalParameters().get("resource") : null;
		}
		if (grant instanceof OAuth2TokenExchangeAuthenticationToken exchange) {
			resource = exchange.getResources().iterator().next();
		}
		if (this.audience != null || resource != null) {
			context.getClaims().audience(List.of((this.audience != null) ? this.audience : resource.toString()));
		}
		// two tokens of one second are two tokens
		context.getClaims().id(UUID.randomUUID().toString());
	}

	/**
	 * The clients that are known, and those that have a metadata document, which Spring
	 * Security does not look at.
	 */
	private record Clients(InMemoryRegisteredClientRepository known) implements RegisteredClientRepository {

		@Override
		public void save(RegisteredClient client) {
			// one that nobody entered: it has no scopes that a user could consent to
			this.known.save(RegisteredClient.from(client)
				.clientSettings(ClientSettings.withSettings(client.getClientSettings().getSettings())
					.requireAuthorizationConsent(false)
					.build())
				.build());
		}

		@Override
		public RegisteredClient findById(String id) {
			return this.known.findById(id);
		}

		@Override
		public RegisteredClient findByClientId(String clientId) {
			RegisteredClient client = this.known.findByClientId(clientId);
			if (client == null && clientId.startsWith("http")) {
				save(read(RestClient.create().get().uri(clientId).retrieve().body(Metadata.class)));
			}
			return this.known.findByClientId(clientId);
		}

		private static RegisteredClient read(Metadata document) {
			return RegisteredClient.withId(document.client_id)
				.clientId(document.client_id)
				.clientAuthenticationMethod(new ClientAuthenticationMethod(document.token_endpoint_auth_method))
				.authorizationGrantTypes(
						(types) -> document.grant_types.stream().map(AuthorizationGrantType::new).forEach(types::add))
				.redirectUris((uris) -> uris.addAll(document.redirect_uris))
				.build();
		}

	}

	private record Metadata(String client_id, String token_endpoint_auth_method, List<String> grant_types,
			List<String> redirect_uris) {

	}

	/**
	 * A request for a token.
	 */
	record TokenRequest(Map<String, String> parameters, int status, long nanos) {

		String grantType() {
			return this.parameters.get("grant_type");
		}

		String resource() {
			return this.parameters.get("resource");
		}

		boolean succeeded() {
			return this.status == 200;
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import(OwnEventLoops.class)
	static class Application {

		@Bean
		RegisteredClientRepository clients(AuthorizationServer server) {
			return new Clients(server.clients);
		}

		@Bean
		@Order(Ordered.HIGHEST_PRECEDENCE)
		SecurityFilterChain endpoints(HttpSecurity http, AuthorizationServer authorizationServer) throws Exception {
			http.oauth2AuthorizationServer((server) -> {
				http.securityMatcher(server.getEndpointsMatcher());
				server.oidc(Customizer.withDefaults())
					.clientRegistrationEndpoint((registration) -> registration.openRegistrationAllowed(true))
					.authorizationServerMetadataEndpoint((endpoint) -> endpoint
						.authorizationServerMetadataCustomizer((metadata) -> metadata.claims((claims) -> claims
							.put("client_id_metadata_document_supported", authorizationServer.metadataDocuments))));
			});
			return http.authorizeHttpRequests(
					(requests) -> requests.requestMatchers("/oauth2/register").permitAll().anyRequest().authenticated())
				.exceptionHandling((exceptions) -> exceptions
					.authenticationEntryPoint(new LoginUrlAuthenticationEntryPoint("/login")))
				.build();
		}

		@Bean
		SecurityFilterChain login(HttpSecurity http) throws Exception {
			return http.authorizeHttpRequests((requests) -> requests.anyRequest().authenticated())
				.formLogin(Customizer.withDefaults())
				.build();
		}

		@Bean
		OAuth2AuthorizationService authorizations(AuthorizationServer server) {
			return server.authorizations;
		}

		@Bean
		PasswordEncoder passwordEncoder() {
			return PASSWORD_ENCODER;
		}

		@Bean
		UserDetailsService users() {
			return new InMemoryUserDetailsManager(List.of("alice", "bob")
				.stream()
				.map((name) -> User.withUsername(name)
					.password(PASSWORD_ENCODER.encode(PASSWORD))
					.roles("USER")
					.build())
				.toList());
		}

		@Bean
		JWKSource<SecurityContext> keys(AuthorizationServer server) {
			return (selector, securityContext) -> selector.select(server.keys);
		}

		@Bean
		JwtDecoder jwtDecoder(JWKSource<SecurityContext> keys) {
			return OAuth2AuthorizationServerConfiguration.jwtDecoder(keys);
		}

		@Bean
		OAuth2TokenCustomizer<JwtEncodingContext> customizer(AuthorizationServer server) {
			return server::customize;
		}

		@Bean
		FilterRegistrationBean<Filter> recorder(AuthorizationServer server) {
			FilterRegistrationBean<Filter> registration = new FilterRegistrationBean<>(
					WholeLog.ofServer((request, response, chain) -> server.record((HttpServletRequest) request,
							(HttpServletResponse) response, chain)));
			registration.setOrder(Ordered.HIGHEST_PRECEDENCE);
			return registration;
		}

	}

}
