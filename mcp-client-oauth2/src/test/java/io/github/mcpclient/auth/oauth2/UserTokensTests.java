package io.github.mcpclient.auth.oauth2;

import java.io.IOException;
import java.net.URI;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import io.github.mcpclient.auth.oauth2.AuthorizationServerStub.Reply;
import io.github.mcpclient.authorization.McpAuthorizationChallenge;
import io.github.mcpclient.authorization.McpAuthorizationStatus;
import io.github.mcpclient.authorization.McpHeadersRequest;
import io.github.mcpclient.definition.McpServerAuth;
import io.github.mcpclient.definition.McpServerAuth.GrantType;
import io.github.mcpclient.definition.McpServerAuth.Listing;
import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.internal.support.ClientThreads;
import io.github.mcpclient.internal.transport.http.McpHttpClients;
import io.github.mcpclient.spi.LoginRequiredException;
import io.github.mcpclient.spi.McpHttpClientFactory;
import io.github.mcpclient.spi.TransportException;
import io.github.mcpclient.testsupport.AuthSettings;
import io.github.mcpclient.testsupport.CapturedLog;
import io.github.mcpclient.testsupport.Unchecked;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

import org.springframework.security.authentication.AuthenticationCredentialsNotFoundException;
import org.springframework.security.authentication.TestingAuthenticationToken;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.context.ReactiveSecurityContextHolder;
import org.springframework.security.core.context.SecurityContext;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.security.core.context.SecurityContextImpl;
import org.springframework.security.oauth2.client.ClientAuthorizationRequiredException;
import org.springframework.security.oauth2.client.InMemoryOAuth2AuthorizedClientService;
import org.springframework.security.oauth2.client.OAuth2AuthorizedClient;
import org.springframework.security.oauth2.client.OAuth2AuthorizedClientService;
import org.springframework.security.oauth2.client.ReactiveOAuth2AuthorizedClientService;
import org.springframework.security.oauth2.client.authentication.OAuth2AuthenticationToken;
import org.springframework.security.oauth2.client.registration.ClientRegistration;
import org.springframework.security.oauth2.client.registration.ClientRegistrationRepository;
import org.springframework.security.oauth2.core.AuthorizationGrantType;
import org.springframework.security.oauth2.core.OAuth2AccessToken;
import org.springframework.security.oauth2.core.OAuth2AccessToken.TokenType;
import org.springframework.security.oauth2.core.OAuth2RefreshToken;
import org.springframework.security.oauth2.core.oidc.OidcIdToken;
import org.springframework.security.oauth2.core.oidc.user.DefaultOidcUser;
import org.springframework.security.oauth2.core.oidc.user.OidcUser;

import static io.github.mcpclient.testsupport.TestDefaults.LIMIT;
import static io.github.mcpclient.testsupport.TestDefaults.afterTest;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.BDDMockito.given;
import static org.mockito.BDDMockito.then;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.timeout;

/**
 * Tests for {@link OAuth2Authorizer} on behalf of users.
 */
class UserTokensTests {

	private static final Authentication ANNE = user("anne", "x");

	private final ClientThreads threads = new ClientThreads();

	private final AtomicInteger tokens = new AtomicInteger();

	private ClientRegistration registration = ClientRegistration.withRegistrationId("mcp-one")
		.clientId("client")
		.authorizationGrantType(AuthorizationGrantType.AUTHORIZATION_CODE)
		.tokenUri("https://as.example/token")
		.authorizationUri("https://as.example/authorize")
		.redirectUri("https://app.example")
		.build();

	private ClientRegistrationRepository registrations = (
			id) -> ClientRegistration.withClientRegistration(this.registration).registrationId(id).build();

	private final OAuth2AuthorizedClientService logins = new InMemoryOAuth2AuthorizedClientService((id) -> {
		this.loadedBy = Thread.currentThread();
		return this.registrations.findByRegistrationId(id);
	});

	private volatile Thread loadedBy;

	private AuthorizationServerStub server;

	private OAuth2Authorizer authorizer;

	private String removed;

	// under which the logins of users are stored
	private String id;

	@BeforeEach
	void start() throws IOException {
		this.server = new AuthorizationServerStub().on("/token", (request) -> token());
		this.authorizer = authorizer();
	}

	private OAuth2Authorizer authorizer() {
		return authorizer(new BlockingLogins(this.logins));
	}

	private OAuth2Authorizer authorizer(ReactiveOAuth2AuthorizedClientService logins) {
		McpHttpClients clients = new McpHttpClients(McpHttpClientFactory.simple(), List.of());
		return new OAuth2Authorizer(new ApplicationBeans(new AuthorizationClients(clients, null),
				(id) -> this.registration, () -> logins, null, (name, url) -> {
				}, (name) -> name.equals(this.removed) ? null
						: McpServerDefinition.http(name, URI.create("http://localhost")).build()),
				this.threads);
	}

	@AfterEach
	void stop() {
		SecurityContextHolder.clearContext();
	}

	@Test
	void lacksAUserOrALogin() {
		assertThatExceptionOfType(AuthenticationCredentialsNotFoundException.class)
			.isThrownBy(() -> this.authorizer.authorize(request(GrantType.AUTHORIZATION_CODE, true)).block(LIMIT));
		SecurityContextHolder.getContext().setAuthentication(ANNE);
		assertThatExceptionOfType(ClientAuthorizationRequiredException.class)
			.isThrownBy(() -> this.authorizer.authorize(request(GrantType.AUTHORIZATION_CODE, true)).block(LIMIT))
			.satisfies((ex) -> assertThat(ex.getClientRegistrationId()).isEqualTo("mcp-one"));
		assertThat(this.server.paths()).as("what scopes the server wants").containsOnly("/mcp");
	}

	@Test
	void usesTheLoginOfEachUser() {
		save("anne", "hers", 3600, null);
		save("ben", "his", 3600, null);
		assertThat(authorize(GrantType.AUTHORIZATION_CODE, user("ben", "x"))).isEqualTo("Bearer his");
		SecurityContextHolder.getContext().setAuthentication(ANNE);
		assertThat(this.authorizer.authorize(request(GrantType.AUTHORIZATION_CODE, true)).block(LIMIT))
			.isEqualTo(Map.of("Authorization", "Bearer hers"));
	}

	@Test
	void theStatusIsThatOfTheUserWhoAsksAndHasNoToken() {
		McpServerDefinition definition = definition(GrantType.AUTHORIZATION_CODE, null);
		assertThat(this.authorizer.status(definition)).isEqualTo(McpAuthorizationStatus.of("oauth2"));
		save("anne", "hers", 3600, "refresh-hers");
		save("ben", "his", 60, null);
		authorize(GrantType.AUTHORIZATION_CODE, ANNE);
		assertThat(this.authorizer.status(definition)).as("of nobody").satisfies((status) -> {
			assertThat(status.scopes()).isNull();
			assertThat(status.user()).isNull();
		});
		SecurityContextHolder.getContext().setAuthentication(ANNE);
		assertThat(this.authorizer.status(definition)).satisfies((status) -> {
			assertThat(status.user()).isEqualTo("anne");
			assertThat(status.scopes()).isEmpty();
			assertThat(status.refreshable()).isTrue();
			assertThat(status.expires()).isAfter(Instant.now().plusSeconds(600));
			assertThat(status.users()).as("which the store of logins does not tell").isNull();
			assertThat(status.toString()).doesNotContain("hers", "his");
		});
		SecurityContextHolder.getContext().setAuthentication(user("ben", "x"));
		assertThat(this.authorizer.status(definition)).satisfies((status) -> {
			assertThat(status.user()).isEqualTo("ben");
			assertThat(status.refreshable()).isFalse();
			assertThat(status.expires()).isBefore(Instant.now().plusSeconds(600));
		});
		SecurityContextHolder.getContext().setAuthentication(user("carl", "x"));
		assertThat(this.authorizer.status(definition).user()).isNull();
		int asked = this.server.paths().size();
		this.authorizer.status(definition);
		assertThat(this.server.paths()).as("nobody was asked").hasSize(asked);
	}

	@Test
	void theStatusDoesNotWaitForAStoreThatIsSilent() {
		ReactiveOAuth2AuthorizedClientService silent = mock();
		given(silent.loadAuthorizedClient(any(), any())).willReturn(Mono.never());
		this.authorizer = authorizer(silent);
		McpHeadersRequest request = request(GrantType.AUTHORIZATION_CODE, true);
		SecurityContextHolder.getContext().setAuthentication(ANNE);
		this.authorizer.authorize(request).subscribe();
		then(silent).should(timeout(LIMIT.toMillis())).loadAuthorizedClient(any(), any());
		assertThat(this.authorizer.status(request.server())).satisfies((status) -> {
			assertThat(status.type()).isEqualTo("oauth2");
			assertThat(status.user()).isNull();
		});
	}

	@Test
	void theStatusCountsTheUsersWhoseTokensAreKept() {
		McpServerDefinition definition = definition(GrantType.TOKEN_EXCHANGE, Listing.CLIENT_CREDENTIALS);
		this.authorizer.authorize(new McpHeadersRequest(definition, "POST", false)).block(LIMIT);
		assertThat(this.authorizer.status(definition)).satisfies((status) -> {
			assertThat(status.users()).isZero();
			assertThat(status.user()).isNull();
			assertThat(status.scopes()).as("of the application").isNotNull();
		});
		Authentication anne = user("anne", new OAuth2AccessToken(TokenType.BEARER, "incoming", null, null));
		authorize(definition, anne);
		assertThat(this.authorizer.status(definition)).satisfies((status) -> {
			assertThat(status.users()).isOne();
			assertThat(status.user()).as("nobody asks").isNull();
		});
		SecurityContextHolder.getContext().setAuthentication(anne);
		assertThat(this.authorizer.status(definition)).satisfies((status) -> {
			assertThat(status.user()).isEqualTo("anne");
			assertThat(status.toString()).doesNotContain("incoming", "token-");
		});
	}

	@Test
	void theGrantTypeIsThatOfTheRegistration() {
		this.id = "mcp-one";
		save("anne", "hers", 3600, null);
		SecurityContextHolder.getContext().setAuthentication(ANNE);
		McpServerDefinition definition = McpServerDefinition.http("two", URI.create(this.server.url() + "/mcp"))
			.auth(McpServerAuth.registration("mcp-one"))
			.build();
		assertThat(this.authorizer.authorize(new McpHeadersRequest(definition, "POST", true)).block(LIMIT))
			.isEqualTo(Map.of("Authorization", "Bearer hers"));
	}

	@Test
	void serversThatShareARegistrationAreForOneResource() {
		this.id = "mcp-one";
		save("anne", "hers", 3600, null);
		McpServerDefinition one = McpServerDefinition.http("one", URI.create(this.server.url() + "/mcp"))
			.auth(McpServerAuth.registration("mcp-one"))
			.build();
		SecurityContextHolder.getContext().setAuthentication(ANNE);
		this.authorizer.authorize(new McpHeadersRequest(one, "POST", true)).block(LIMIT);
		Map<String, String> settings = new HashMap<>(
				Map.of("oauth2.registration-id", "mcp-one", "oauth2.resource", this.server.url() + "/mcp"));
		assertThat(authorizeSecond(settings)).containsEntry("Authorization", "Bearer hers");
		settings.remove("oauth2.resource");
		assertThatExceptionOfType(TransportException.class).isThrownBy(() -> authorizeSecond(settings))
			.withMessage("The client registration 'mcp-one' is also that of MCP server 'one', whose tokens are for "
					+ "another resource");
		this.removed = "one";
		assertThat(authorizeSecond(settings)).containsEntry("Authorization", "Bearer hers");
	}

	private Map<String, String> authorizeSecond(Map<String, String> settings) {
		return authorizeSecond(settings, ANNE);
	}

	private Map<String, String> authorizeSecond(Map<String, String> settings, Authentication user) {
		McpServerDefinition definition = McpServerDefinition.http("two", URI.create(this.server.url() + "/two"))
			.auth(AuthSettings.of(settings))
			.build();
		return this.authorizer.authorize(new McpHeadersRequest(definition, "POST", true))
			.contextWrite(ReactiveSecurityContextHolder.withAuthentication(user))
			.block(LIMIT);
	}

	@Test
	void refreshesOnceForAllCallsOfAUser() {
		save("anne", "old", -1, "refresh");
		List<String> all = Flux.range(0, 32)
			.flatMap((call) -> Mono.fromSupplier(() -> authorize(GrantType.AUTHORIZATION_CODE, ANNE))
				.subscribeOn(Schedulers.boundedElastic()), 32)
			.collectList()
			.block(LIMIT);
		assertThat(all).hasSize(32).containsOnly("Bearer token-1");
		assertThat(this.server.requests("/token")).hasSize(1);
		assertThat(this.server.requests("/token").get(0).form()).containsEntry("refresh_token", "refresh")
			.containsEntry("resource", this.server.url() + "/mcp");
		OAuth2AuthorizedClient saved = this.logins.loadAuthorizedClient(this.id, "anne");
		assertThat(saved.getRefreshToken().getTokenValue()).as("rotated").isEqualTo("refresh-1");
	}

	@ParameterizedTest
	@ValueSource(strings = { "invalid_grant", "invalid_dpop_proof" })
	void letsAUserLogInAgainWhoseGrantWasRevoked(String code) {
		this.server.on("/token", (request) -> new Reply(400, "{\"error\": \"" + code + "\"}"));
		save("anne", "old", -1, "refresh");
		assertThatExceptionOfType(ClientAuthorizationRequiredException.class)
			.isThrownBy(() -> authorize(GrantType.AUTHORIZATION_CODE, ANNE));
		assertThat(this.logins.<OAuth2AuthorizedClient>loadAuthorizedClient(this.id, "anne")).isNull();
	}

	@ParameterizedTest
	@CsvSource({ "oauth2.client-metadata-uri, https://app.example/client.json, true",
			"oauth2.client-id, client, false" })
	void givesARefreshTokenToTheFirstIssuerOnly(String setting, String value, boolean free) {
		metadata("");
		metadata("/other");
		resource("");
		McpServerDefinition definition = McpServerDefinition.http("one", URI.create(this.server.url() + "/mcp"))
			.auth(AuthSettings.of(Map.of("oauth2.grant-type", "authorization-code", setting, value)))
			.build();
		knows(definition);
		save("anne", "old", -1, "refresh");
		SecurityContextHolder.getContext().setAuthentication(ANNE);
		McpHeadersRequest request = new McpHeadersRequest(definition, "POST", true);
		assertThat(this.authorizer.authorize(request).block(LIMIT)).containsEntry("Authorization", "Bearer token-1");
		resource("/other");
		McpAuthorizationChallenge challenge = new McpAuthorizationChallenge(401, List.of("Bearer"),
				Map.of("Authorization", "Bearer token-1"), 1);
		try (CapturedLog log = new CapturedLog(ClientResolver.class).open()) {
			assertThatThrownBy(() -> this.authorizer.reauthorize(request, challenge).block(LIMIT))
				.isInstanceOf(free ? ClientAuthorizationRequiredException.class : TransportException.class)
				.message()
				.startsWith(free ? "[client_authorization_required]" : "The server names another authorization server");
			assertThat(log.lines()).hasSize(free ? 1 : 0)
				.allMatch((line) -> line.startsWith("MCP server 'one' names another authorization server")
						&& line.contains(this.server.url() + "/other. Set mcp.servers.one.auth.oauth2.issuer-uri"));
		}
		assertThat(this.server.requests("/other/token")).isEmpty();
		if (free) {
			assertThat(new UserLogins(this.authorizer).find("mcp-one").getProviderDetails().getAuthorizationUri())
				.isEqualTo(this.server.url() + "/other/authorize");
			assertThat(new UserLogins(this.authorizer).find(this.id)).as("a login that began before").isNull();
		}
	}

	@Test
	void staysAtAnIssuerThatTheServerStillNames() {
		metadata("");
		metadata("/other");
		resource("");
		McpServerDefinition definition = McpServerDefinition.http("one", URI.create(this.server.url() + "/mcp"))
			.auth(AuthSettings.of(Map.of("oauth2.grant-type", "authorization-code", "oauth2.client-metadata-uri",
					"https://app.example/client.json")))
			.build();
		knows(definition);
		save("anne", "refused", 3600, "refresh");
		this.server.on("/.well-known/oauth-protected-resource/mcp", """
				{"resource": "%1$s/mcp", "authorization_servers": ["%1$s/other", "%1$s"]}"""
			.formatted(this.server.url()));
		SecurityContextHolder.getContext().setAuthentication(ANNE);
		assertThat(
				this.authorizer
					.reauthorize(new McpHeadersRequest(definition, "POST", true),
							new McpAuthorizationChallenge(401, List.of("Bearer"),
									Map.of("Authorization", "Bearer refused"), 1))
					.block(LIMIT))
			.containsEntry("Authorization", "Bearer token-1");
	}

	@ParameterizedTest
	@EnumSource(names = { "AUTHORIZATION_CODE", "TOKEN_EXCHANGE" })
	void asksTheServerFirstForItsChallenge(GrantType grantType) {
		metadata("");
		this.server.on("/mcp", (request) -> new Reply(401, "", Map.of("WWW-Authenticate",
				"Bearer scope=\"wanted\", resource_metadata=\"" + this.server.url() + "/elsewhere\"")));
		this.server.on("/elsewhere", """
				{"resource": "%1$s/mcp", "authorization_servers": ["%1$s"], "scopes_supported": ["all"]}"""
			.formatted(this.server.url()));
		McpServerDefinition definition = McpServerDefinition.http("one", URI.create(this.server.url() + "/mcp"))
			.headers(Map.of("X-Tenant", "us"))
			.auth(AuthSettings.of(Map.of("oauth2.grant-type", grantType.name(), "oauth2.client-id", "client",
					"oauth2.client-secret", "secret", "oauth2.redirect-uri", "https://app.example/code")))
			.build();
		Authentication user = user("anne", new OAuth2AccessToken(TokenType.BEARER, "incoming", null, null));
		this.authorizer.authorize(new McpHeadersRequest(definition, "POST", true))
			.contextWrite(ReactiveSecurityContextHolder.withAuthentication(user))
			.onErrorComplete(ClientAuthorizationRequiredException.class)
			.block(LIMIT);
		assertThat(this.server.paths()).startsWith("/mcp", "/elsewhere", "/.well-known/oauth-authorization-server");
		assertThat(this.server.requests("/mcp")).singleElement()
			.satisfies((request) -> assertThat(request.authorization()).isNull());
		if (grantType == GrantType.AUTHORIZATION_CODE) {
			assertThat(new UserLogins(this.authorizer).find("mcp-one").getScopes()).containsExactly("wanted");
		}
		else {
			assertThat(this.server.requests("/token").get(0).form()).containsEntry("scope", "wanted");
		}
	}

	@Test
	void aStoredLoginIsOfItsIssuer() {
		metadata("");
		metadata("/evil");
		resource("");
		McpServerDefinition definition = McpServerDefinition.http("one", URI.create(this.server.url() + "/mcp"))
			.auth(AuthSettings.of(Map.of("oauth2.grant-type", "authorization-code", "oauth2.client-id", "client")))
			.build();
		knows(definition);
		save("anne", "old", -1, "refresh");
		save("ben", "fresh", 3600, "refresh");
		resource("/evil");
		this.authorizer = authorizer();
		for (Authentication user : List.of(ANNE, user("ben", "x"))) {
			assertThatExceptionOfType(ClientAuthorizationRequiredException.class)
				.isThrownBy(() -> authorize(definition, user));
		}
		assertThat(this.server.requests).noneMatch((request) -> request.path().contains("token"));
		resource("");
		this.authorizer = authorizer();
		assertThat(authorize(definition, ANNE)).isEqualTo("Bearer token-1");
		assertThat(authorize(definition, user("ben", "x"))).isEqualTo("Bearer fresh");
	}

	@ParameterizedTest
	@CsvSource({ "/other, client", "/mcp, other" })
	void aLoginIsOfItsServerAndClient(String path, String clientId) {
		McpServerDefinition definition = definition(GrantType.AUTHORIZATION_CODE, null);
		save("anne", "hers", 3600, "refresh");
		assertThat(authorize(definition, ANNE)).isEqualTo("Bearer hers");
		McpServerDefinition replaced = McpServerDefinition.http("one", URI.create(this.server.url() + path))
			.auth(AuthSettings
				.of(Map.of("oauth2.grant-type", "authorization-code", "oauth2.client-id", clientId, "oauth2.token-uri",
						this.server.url() + "/token", "oauth2.authorization-uri", this.server.url() + "/authorize")))
			.build();
		assertThatExceptionOfType(ClientAuthorizationRequiredException.class)
			.isThrownBy(() -> authorize(replaced, ANNE));
		assertThat(new UserLogins(this.authorizer).find(this.id)).as("a login that began before").isNull();
		assertThat(authorize(definition, ANNE)).as("back again").isEqualTo("Bearer hers");
		assertThat(this.server.requests).isNotEmpty()
			.allMatch((request) -> request.authorization() == null && !request.body().contains("refresh"));
	}

	@Test
	void storedLoginsAreNotReadOnTheThreadOfTheSession() {
		save("anne", "hers", 3600, null);
		Scheduler sessions = Schedulers.newSingle("sessions");
		afterTest(sessions::dispose);
		assertThat(this.authorizer.authorize(request(GrantType.AUTHORIZATION_CODE, true))
			.contextWrite(ReactiveSecurityContextHolder.withSecurityContext(
					Mono.<SecurityContext>fromSupplier(() -> new SecurityContextImpl(ANNE)).subscribeOn(sessions)))
			.block(LIMIT)).containsEntry("Authorization", "Bearer hers");
		assertThat(this.loadedBy.getName()).doesNotStartWith("sessions");
		authorize(GrantType.AUTHORIZATION_CODE, ANNE);
		assertThat(this.loadedBy).as("may take part in a transaction").isSameAs(Thread.currentThread());
	}

	private void metadata(String tenant) {
		this.server.on("/.well-known/oauth-authorization-server" + tenant, """
				{"issuer": "%1$s", "token_endpoint": "%1$s/token", "authorization_endpoint": "%1$s/authorize",
				"code_challenge_methods_supported": ["S256"], "client_id_metadata_document_supported": true}"""
			.formatted(this.server.url() + tenant));
	}

	private void resource(String tenant) {
		this.server.on("/.well-known/oauth-protected-resource/mcp", """
				{"resource": "%1$s/mcp", "authorization_servers": ["%1$s%2$s"]}""".formatted(this.server.url(),
				tenant));
	}

	@Test
	void usesTheTokenThatAnotherReplicaGotForTheSameRefreshToken() {
		this.server.on("/token", (request) -> {
			save("anne", "theirs", 3600, "next");
			return new Reply(400, "{\"error\": \"invalid_grant\"}");
		});
		save("anne", "old", -1, "refresh");
		assertThat(authorize(GrantType.AUTHORIZATION_CODE, ANNE)).isEqualTo("Bearer theirs");
	}

	@Test
	void keepsALoginWhileTheAuthorizationServerIsDown() {
		save("anne", "old", -1, "refresh");
		this.server.on("/token", (request) -> new Reply(503, ""));
		assertThatExceptionOfType(TransportException.class)
			.isThrownBy(() -> authorize(GrantType.AUTHORIZATION_CODE, ANNE))
			.withMessageContaining("503");
		assertThat(this.logins.<OAuth2AuthorizedClient>loadAuthorizedClient(this.id, "anne")).isNotNull();
	}

	@Test
	void theFailureOfARefreshShowsNoToken() {
		save("anne", "old", -1, "the/refresh+token");
		this.server.on("/token", (request) -> new Reply(500,
				"{\"error\": \"invalid_request\", \"error_description\": \"the\\/refresh+token is unknown\"}"));
		assertThatExceptionOfType(TransportException.class)
			.isThrownBy(() -> authorize(GrantType.AUTHORIZATION_CODE, ANNE))
			.withMessageEndingWith("invalid_request (****** is unknown)");
	}

	@Test
	void renewsATokenThatWasRefused() {
		save("anne", "refused", 3600, "refresh");
		authorize(GrantType.AUTHORIZATION_CODE, ANNE);
		assertThat(reauthorize(GrantType.AUTHORIZATION_CODE, 401, "refused", "Bearer")).isEqualTo("Bearer token-1");
	}

	@Test
	void letsAUserLogInForMoreScopesOnce() {
		save("anne", "narrow", 3600, "refresh");
		authorize(GrantType.AUTHORIZATION_CODE, ANNE);
		String challenge = "Bearer error=\"insufficient_scope\", scope=\"more\"";
		assertThatExceptionOfType(ClientAuthorizationRequiredException.class)
			.isThrownBy(() -> reauthorize(GrantType.AUTHORIZATION_CODE, 403, "narrow", challenge));
		assertThat(new UserLogins(this.authorizer).find("mcp-one").getScopes()).containsExactly("more");
		save("anne", "as narrow", 3600, "refresh");
		assertThat(authorize(GrantType.AUTHORIZATION_CODE, ANNE)).isEqualTo("Bearer as narrow");
		assertThat(reauthorize(GrantType.AUTHORIZATION_CODE, 403, "as narrow", challenge)).isNull();
	}

	@Test
	void exchangesTheIncomingTokenOfTheUser() {
		Authentication user = user("anne", new OAuth2AccessToken(TokenType.BEARER, "incoming", null, null));
		assertThat(authorize(GrantType.TOKEN_EXCHANGE, user)).isEqualTo("Bearer token-1");
		assertThat(authorize(GrantType.TOKEN_EXCHANGE, user)).isEqualTo("Bearer token-1");
		assertThat(this.server.requests("/token").get(0).form()).containsEntry("subject_token", "incoming")
			.containsEntry("resource", this.server.url() + "/mcp");
		Authentication other = user("anne", new OAuth2AccessToken(TokenType.BEARER, "another", null, null));
		assertThat(authorize(GrantType.TOKEN_EXCHANGE, other)).isEqualTo("Bearer token-2");
		assertThatExceptionOfType(TransportException.class).isThrownBy(() -> authorize(GrantType.TOKEN_EXCHANGE, ANNE))
			.withMessage("The user has no token that can be exchanged");
	}

	@ParameterizedTest
	@ValueSource(strings = { "Bearer", "DPoP" })
	void asksTheIdentityProviderToVouchForTheUser(String scheme) {
		if (scheme.equals("DPoP")) {
			this.server.on("/token", "{\"access_token\": \"token-1\", \"token_type\": \"DPoP\", \"expires_in\": 3600}");
		}
		this.registration = ClientRegistration.withClientRegistration(this.registration)
			.tokenUri(this.server.url() + "/provider")
			.scope("openid")
			.build();
		String answer = "{\"access_token\": \"%s\", \"token_type\": \"N_A\", \"issued_token_type\": \"%s\"}";
		this.server.on("/provider", answer.formatted("vouched", "urn:ietf:params:oauth:token-type:id-jag"));
		Map<String, String> settings = Map.of("oauth2.grant-type", "jwt-bearer", "oauth2.identity-provider", "mcp-one",
				"oauth2.token-uri", this.server.url() + "/token", "oauth2.client-id", "client", "oauth2.client-secret",
				"secret", "oauth2.scopes", "read", "oauth2.dpop", String.valueOf(scheme.equals("DPoP")));
		OidcIdToken idToken = new OidcIdToken("signed-in", Instant.now(), null, Map.of("sub", "anne"));
		OidcUser anne = new DefaultOidcUser(List.of(), idToken);
		Authentication user = new OAuth2AuthenticationToken(anne, List.of(), "mcp-one");
		assertThat(authorizeSecond(settings, user)).containsEntry("Authorization", scheme + " token-1");
		assertThat(authorizeSecond(settings, user)).containsEntry("Authorization", scheme + " token-1");
		assertThat(this.server.requests("/provider").get(0).headers().containsKey("DPoP")).as("another's").isFalse();
		assertThat(this.server.requests("/token").get(0).headers().containsKey("DPoP"))
			.isEqualTo(scheme.equals("DPoP"));
		assertThat(this.server.requests("/provider").get(0).form()).containsEntry("subject_token", "signed-in")
			.containsEntry("subject_token_type", "urn:ietf:params:oauth:token-type:id_token")
			.containsEntry("requested_token_type", "urn:ietf:params:oauth:token-type:id-jag")
			.containsEntry("audience", this.server.url() + "/token")
			.containsEntry("resource", this.server.url() + "/two")
			.containsEntry("scope", "read");
		assertThat(this.server.requests("/token")).singleElement()
			.satisfies((request) -> assertThat(request.form()).containsEntry("assertion", "vouched"));
		OidcUser ben = new DefaultOidcUser(List.of(),
				new OidcIdToken("elsewhere", Instant.now(), null, Map.of("sub", "ben")));
		for (Authentication other : List.of(user("oidc null anne", "x"), user("null anne", "x"), user("ben", ben),
				new OAuth2AuthenticationToken(ben, List.of(), "elsewhere"),
				new OAuth2AuthenticationToken(anne, List.of(), "elsewhere"))) {
			assertThatExceptionOfType(TransportException.class).isThrownBy(() -> authorizeSecond(settings, other))
				.withMessage("The user has not signed in with the identity provider by OpenID Connect");
		}
		assertThat(this.server.requests("/provider")).hasSize(1);
	}

	@ParameterizedTest
	@ValueSource(strings = { "/.well-known/oauth-authorization-server", "/token" })
	void anAuthorizationServerThatDoesNotAnswerHoldsUpItsOwnUsersOnly(String silent) throws InterruptedException {
		metadata("");
		this.registrations = new UserLogins(this.authorizer)::find;
		CountDownLatch over = new CountDownLatch(1);
		McpServerDefinition definition = McpServerDefinition.http("one", URI.create(this.server.url() + "/mcp"))
			.auth(AuthSettings.of(Map.of("oauth2.grant-type", "authorization-code", "oauth2.issuer-uri",
					this.server.url(), "oauth2.client-id", "client")))
			.connectTimeout(LIMIT)
			.build();
		if (silent.equals("/token")) {
			knows(definition);
		}
		else {
			this.id = "mcp-one";
		}
		this.server.on(silent, (request) -> {
			await(over);
			return token();
		});
		CountDownLatch failed = new CountDownLatch(300);
		Sinks.Empty<Void> impatience = Sinks.empty();
		for (int i = 0; i < 300; i++) {
			Authentication user = user("user" + i, "x");
			save(user.getName(), "old", -1, "refresh");
			this.threads.headers()
				.schedule(() -> this.authorizer.authorize(new McpHeadersRequest(definition, "POST", true))
					.contextWrite(ReactiveSecurityContextHolder.withAuthentication(user))
					.timeout(impatience.asMono())
					.subscribe(null, (ex) -> failed.countDown()));
		}
		afterTest(over::countDown);
		Awaitility.await().atMost(LIMIT).until(() -> !this.server.requests(silent).isEmpty());
		CountDownLatch others = new CountDownLatch(1);
		this.threads.headers().schedule(others::countDown);
		assertThat(others.await(LIMIT.toSeconds() / 2, TimeUnit.SECONDS)).isTrue();
		impatience.tryEmitEmpty();
		assertThat(failed.await(LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
	}

	private static void await(CountDownLatch latch) {
		Unchecked.run(() -> latch.await());
	}

	@Test
	void listsWithoutAUserOnlyAsConfigured() {
		McpHeadersRequest request = request(GrantType.AUTHORIZATION_CODE, false);
		assertThatExceptionOfType(LoginRequiredException.class)
			.isThrownBy(() -> this.authorizer.authorize(request).block(LIMIT))
			.withMessage("The server requires a user to log in")
			.satisfies((refused) -> assertThat(refused.getNextStep())
				.startsWith("Each user is connected at the first use. Set mcp.servers.")
				.endsWith(".auth.oauth2.listing=client-credentials to list its tools for all users."));
		McpHeadersRequest listing = new McpHeadersRequest(
				definition(GrantType.AUTHORIZATION_CODE, Listing.CLIENT_CREDENTIALS), "POST", false);
		assertThat(this.authorizer.authorize(listing).block(LIMIT)).containsEntry("Authorization", "Bearer token-1");
		assertThat(this.server.requests("/token").get(0).form()).containsEntry("grant_type", "client_credentials");
	}

	@Test
	void describesItselfInItsMetadataDocument() {
		assertThat(this.authorizer.clientMetadata("/client.json")).isNull();
		this.authorizer.authorize(request(GrantType.TOKEN_EXCHANGE, false)).onErrorComplete().block(LIMIT);
		assertThat(this.authorizer.clientMetadata("/client.json")).as("no user logs in").isNull();
		assertThat(new UserLogins(this.authorizer).find("mcp-one")).isNull();
		this.authorizer.authorize(request(GrantType.AUTHORIZATION_CODE, false)).onErrorComplete().block(LIMIT);
		assertThat(this.authorizer.clientMetadata("/client.json"))
			.containsEntry("client_id", "https://app.example/x/client.json")
			.containsEntry("redirect_uris", List.of("https://app.example/x/code/mcp-one"));
		assertThat(this.authorizer.clientMetadata("/other.json")).isNull();
	}

	private String authorize(GrantType grantType, Authentication user) {
		return authorize(definition(grantType, null), user);
	}

	private String authorize(McpServerDefinition definition, Authentication user) {
		return this.authorizer.authorize(new McpHeadersRequest(definition, "POST", true))
			.contextWrite(ReactiveSecurityContextHolder.withAuthentication(user))
			.map((headers) -> headers.get("Authorization"))
			.block(LIMIT);
	}

	private String reauthorize(GrantType grantType, int status, String refused, String challenge) {
		return this.authorizer
			.reauthorize(request(grantType, true),
					new McpAuthorizationChallenge(status, List.of(challenge),
							Map.of("Authorization", "Bearer " + refused), 1))
			.contextWrite(ReactiveSecurityContextHolder.withAuthentication(ANNE))
			.map((headers) -> headers.get("Authorization"))
			.block(LIMIT);
	}

	private McpHeadersRequest request(GrantType grantType, boolean ofCaller) {
		return new McpHeadersRequest(definition(grantType, null), "POST", ofCaller);
	}

	private McpServerDefinition definition(GrantType grantType, Listing listing) {
		Map<String, String> settings = new HashMap<>();
		settings.put("oauth2.grant-type", grantType.name());
		settings.put("oauth2.token-uri", this.server.url() + "/token");
		settings.put("oauth2.authorization-uri", this.server.url() + "/authorize");
		settings.put("oauth2.client-id", "client");
		settings.put("oauth2.client-secret", "secret");
		settings.put("oauth2.client-metadata-uri", "https://app.example/x/client.json");
		settings.put("oauth2.redirect-uri", "{baseUrl}/code/{registrationId}");
		if (listing != null) {
			settings.put("oauth2.listing", listing.name());
		}
		return McpServerDefinition.http("one", URI.create(this.server.url() + "/mcp"))
			.auth(AuthSettings.of(settings))
			.build();
	}

	private Reply token() {
		int number = this.tokens.incrementAndGet();
		return new Reply(200,
				("{\"access_token\": \"token-%1$d\", \"token_type\": \"Bearer\", \"expires_in\": 600, "
						+ "\"issued_token_type\": \"urn:ietf:params:oauth:token-type:access_token\", "
						+ "\"refresh_token\": \"refresh-%1$d\"}")
					.formatted(number));
	}

	private void knows(McpServerDefinition definition) {
		// a busy machine may not have an answer in time for the first attempt
		ClientRegistration known = Awaitility.await().ignoreException(TransportException.class).until(() -> {
			this.authorizer.authorize(new McpHeadersRequest(definition, "POST", false)).onErrorComplete().block(LIMIT);
			return new UserLogins(this.authorizer).find("mcp-one");
		}, Objects::nonNull);
		this.id = known.getRegistrationId();
	}

	private void save(String user, String token, int seconds, String refreshToken) {
		if (this.id == null) {
			knows(definition(GrantType.AUTHORIZATION_CODE, null));
		}
		Instant now = Instant.now();
		Instant issued = (seconds < 0) ? now.minusSeconds(100) : now;
		ClientRegistration client = ClientRegistration.withClientRegistration(this.registration)
			.registrationId(this.id)
			.build();
		this.logins.saveAuthorizedClient(new OAuth2AuthorizedClient(client, user,
				new OAuth2AccessToken(TokenType.BEARER, token, issued, now.plusSeconds(seconds)),
				(refreshToken != null) ? new OAuth2RefreshToken(refreshToken, null) : null), user(user, "x"));
	}

	private static Authentication user(String name, Object principal) {
		return new TestingAuthenticationToken(principal, "none", "ROLE_USER") {

			@Override
			public String getName() {
				return name;
			}

		};
	}

}
