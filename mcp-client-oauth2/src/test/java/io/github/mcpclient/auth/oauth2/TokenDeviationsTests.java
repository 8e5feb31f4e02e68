package io.github.mcpclient.auth.oauth2;

import java.io.IOException;
import java.net.URI;
import java.net.URLDecoder;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Redirect;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.mcpclient.auth.oauth2.AuthorizationServerStub.Reply;
import io.github.mcpclient.auth.oauth2.AuthorizationServerStub.Request;
import io.github.mcpclient.authorization.McpAuthorizationChallenge;
import io.github.mcpclient.authorization.McpHeadersRequest;
import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.internal.support.ClientThreads;
import io.github.mcpclient.internal.transport.http.McpHttpClients;
import io.github.mcpclient.spi.McpHttpClientFactory;
import io.github.mcpclient.spi.TransportException;
import io.github.mcpclient.testsupport.AuthSettings;
import io.github.mcpclient.testsupport.CapturedLog;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.security.authentication.TestingAuthenticationToken;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.context.ReactiveSecurityContextHolder;
import org.springframework.security.oauth2.client.ClientAuthorizationRequiredException;
import org.springframework.security.oauth2.client.InMemoryOAuth2AuthorizedClientService;
import org.springframework.security.oauth2.client.OAuth2AuthorizedClient;
import org.springframework.security.oauth2.client.OAuth2AuthorizedClientService;
import org.springframework.security.oauth2.client.registration.ClientRegistration;
import org.springframework.security.oauth2.core.AuthorizationGrantType;
import org.springframework.security.oauth2.core.OAuth2AccessToken;
import org.springframework.security.oauth2.core.OAuth2AccessToken.TokenType;
import org.springframework.security.oauth2.core.OAuth2RefreshToken;

import static io.github.mcpclient.testsupport.TestDefaults.LIMIT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link OAuth2Authorizer} with authorization servers that give tokens, refuse
 * them, and register clients otherwise than RFC 6749, RFC 7591 and RFC 8707 say. Whatever
 * is tried again, secrets and tokens go to the one token endpoint.
 */
class TokenDeviationsTests {

	private static final Authentication ANNE = new TestingAuthenticationToken("anne", "none", "ROLE_USER");

	private static final String TOKEN = "{\"access_token\": \"token-1\", \"token_type\": \"Bearer\"}";

	private static final String REFRESHABLE = "{\"access_token\": \"token-%1$d\", \"token_type\": \"Bearer\", "
			+ "\"expires_in\": 3600, \"refresh_token\": \"refresh-%1$d\"%2$s}";

	private final ClientThreads threads = new ClientThreads();

	private final AtomicInteger tokens = new AtomicInteger();

	private final List<String> deviations = new CopyOnWriteArrayList<>();

	private final HttpClient browser = HttpClient.newBuilder().followRedirects(Redirect.ALWAYS).build();

	private AuthorizationServerStub server;

	// another server of this machine, which gets nothing
	private AuthorizationServerStub other;

	private volatile Map<String, String> asked = Map.of();

	private ClientRegistration registration;

	private final OAuth2AuthorizedClientService logins = new InMemoryOAuth2AuthorizedClientService(
			(id) -> ClientRegistration.withClientRegistration(this.registration).registrationId(id).build());

	private OAuth2Authorizer authorizer;

	@TempDir
	private Path directory;

	@BeforeEach
	void start() throws IOException {
		this.server = new AuthorizationServerStub();
		this.other = new AuthorizationServerStub();
		metadata("");
		resource("");
		this.server.on("/token", TOKEN);
		this.server.on("/register", "{\"client_id\": \"registered\"}");
		this.server.on("/authorize", (request) -> redirect("code=the-code"));
		McpHttpClients clients = new McpHttpClients(McpHttpClientFactory.simple(), List.of());
		this.authorizer = new OAuth2Authorizer(
				new ApplicationBeans(new AuthorizationClients(clients, null), (id) -> this.registration,
						() -> new BlockingLogins(this.logins), null, (name, url) -> open(url),
						(name) -> McpServerDefinition.http(name, URI.create("http://localhost")).build()),
				this.threads);
		this.registration = registration(AuthorizationGrantType.CLIENT_CREDENTIALS).scope("openid", "api").build();
	}

	private ClientRegistration.Builder registration(AuthorizationGrantType grantType) {
		return ClientRegistration.withRegistrationId("known")
			.clientId("client")
			.clientSecret("the-secret")
			.authorizationGrantType(grantType)
			.tokenUri(this.server.url() + "/token")
			.authorizationUri(this.server.url() + "/authorize")
			.redirectUri("https://app.example");
	}

	@AfterEach
	void stop() {
		assertThat(this.other.requests).as("what another server got").isEmpty();
		this.server.close();
		this.other.close();
	}

	// the resource

	@ParameterizedTest
	@ValueSource(strings = { "client-credentials", "jwt-bearer" })
	void sendsNoResourceWhereThatIsConfigured(String grantType) throws IOException {
		Path assertion = Files.writeString(this.directory.resolve("assertion"), "assertion");
		Map<String, String> settings = new HashMap<>(Map.of("grant-type", grantType, "resource", "none"));
		if (grantType.equals("jwt-bearer")) {
			settings.put("assertion-file", assertion.toString());
		}
		assertThat(authorize(credentials(settings))).isEqualTo("Bearer token-1");
		assertThat(form(0)).doesNotContainKey("resource");
	}

	@Test
	void sendsNoResourceWithALoginOrARefreshWhereThatIsConfigured() {
		this.server.on("/token", (request) -> refreshable(""));
		McpServerDefinition definition = interactive(Map.of("resource", "None"));
		assertThat(reauthorize(definition, null)).isEqualTo("Bearer token-1");
		assertThat(reauthorize(definition, "token-1")).isEqualTo("Bearer token-2");
		assertThat(this.asked).containsEntry("response_type", "code").doesNotContainKey("resource");
		assertThat(forms()).extracting((form) -> form.get("grant_type"))
			.containsExactly("authorization_code", "refresh_token");
		assertThat(forms()).noneMatch((form) -> form.containsKey("resource"));
	}

	@Test
	void aLoginWithoutResourceIsForOneUrlOnly() {
		Set<String> ids = new HashSet<>();
		for (String path : List.of("/mcp", "/other")) {
			ids.add(id(users(path, Map.of("resource", "none"))));
		}
		ids.add(id(users("/mcp", Map.of())));
		assertThat(ids).hasSize(3);
	}

	@Test
	void noneIsNoResourceThatMetadataMayName() {
		this.server.on("/.well-known/oauth-protected-resource/mcp", """
				{"resource": "none", "authorization_servers": ["%s"]}""".formatted(this.server.url()));
		assertThatExceptionOfType(TransportException.class)
			.isThrownBy(() -> reauthorize(interactive(Map.of("resource", "none")), null))
			.withMessageStartingWith("The server's resource metadata describes a different resource");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			value = { "400|invalid_target|AADSTS9010010: The resource parameter does not match",
					"400|invalid_request|AADSTS901002: The 'resource' request parameter is not supported.",
					"403|access_denied|Service not found: https://h/mcp", "400|invalid_resource|unknown" })
	void namesTheSettingWhereTheResourceIsRefused(int status, String code, String description) {
		String error = "{\"error\": \"%s\", \"error_description\": \"%s\"}".formatted(code, description);
		this.server.on("/token",
				(request) -> request.form().containsKey("resource") ? new Reply(status, error) : new Reply(200, TOKEN));
		assertNextStep(() -> authorize(credentials(Map.of())), code);
		assertThat(authorize(credentials(Map.of("resource", "none")))).as("the way out").isEqualTo("Bearer token-1");
		// a refresh: the login is still good
		McpServerDefinition definition = users("/mcp", Map.of());
		save(definition, "old-one");
		assertNextStep(() -> call(definition), code);
		assertThat(login(definition)).isNotNull();
	}

	@ParameterizedTest
	@CsvSource({ "invalid_target, resource", "invalid_scope, scopes" })
	void namesTheSettingWhereALoginIsRefused(String code, String setting) {
		this.server.on("/authorize", (request) -> redirect("error=" + code + "&error_description=because"));
		assertThatExceptionOfType(TransportException.class).isThrownBy(() -> reauthorize(interactive(Map.of()), null))
			.withMessage("The login was refused: " + code + " (because)")
			.satisfies((ex) -> assertThat(ex.getNextStep()).startsWith("Set mcp.servers.one.auth.oauth2." + setting));
		assertThat(this.server.requests("/token")).isEmpty();
	}

	@Test
	void logsWhyALoginOfAWebApplicationIsRefused() {
		McpServerDefinition definition = users("/mcp", Map.of());
		String path = "/authorize/oauth2/code/" + id(definition);
		UserLogins logins = new UserLogins(this.authorizer);
		try (CapturedLog log = new CapturedLog(LoginReadiness.class).open()) {
			logins.isReady(path, "code=x&state=y").block(LIMIT);
			logins.isReady(path, "error=access_denied&state=y").block(LIMIT);
			logins.isReady(path, "error=%&state=y").block(LIMIT);
			logins.isReady("/authorize/oauth2/code/foreign", "error=invalid_target&state=y").block(LIMIT);
			assertThat(log.lines()).isEmpty();
			for (int i = 0; i < 10; i++) {
				logins.isReady(path, "error=invalid_target&error_description=no%0Aresource&state=y").block(LIMIT);
			}
			assertThat(log.lines()).as("as anybody can send it").hasSize(2).allSatisfy((line) -> {
				assertThat(line).contains("MCP server 'one'", "invalid_target",
						"Set mcp.servers.one.auth.oauth2.resource", "or to none");
				assertThat(line).doesNotContain("\n");
			});
		}
	}

	private static void assertNextStep(Runnable request, String code) {
		assertThatExceptionOfType(TransportException.class).isThrownBy(request::run)
			.withMessageContaining(code)
			.satisfies((ex) -> assertThat(ex.getNextStep()).startsWith("Set mcp.servers.one.auth.oauth2.resource")
				.contains("or to none"));
	}

	// scopes

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			value = { "api://x/use offline_access||api://x/use offline_access",
					"api://x/use offline_access|api://x/use|api://x/use",
					"api://x/.default|api://x/use api://x/.default|api://x/.default", "a b c|b a|a b", "a b|a,b|a,b",
					"offline_access|a b offline_access|", "|a b|" })
	void renewsATokenForWhatWasRequestedAndNoMoreThanWasGranted(String requested, String granted, String sent) {
		this.server.on("/token", (request) -> refreshable((granted != null) ? ", \"scope\": \"" + granted + "\"" : ""));
		McpServerDefinition definition = interactive(
				(requested != null) ? Map.of("scopes", requested.replace(' ', ',')) : Map.of());
		reauthorize(definition, null);
		reauthorize(definition, "token-1");
		assertThat(form(1)).containsEntry("grant_type", "refresh_token");
		assertThat(form(1).get("scope")).isEqualTo(sent);
		assertThat(this.deviations).isEmpty();
	}

	@ParameterizedTest
	@CsvSource({ "400, invalid_scope", "400, invalid_request", "200, scope_not_supported" })
	void renewsATokenWithoutScopesWhereTheseAreRefused(int status, String code) {
		this.server.on("/token",
				(request) -> (request.form().get("grant_type").equals("refresh_token")
						&& request.form().containsKey("scope")) ? new Reply(status, "{\"error\": \"" + code + "\"}")
								: refreshable(""));
		McpServerDefinition definition = users("/mcp", Map.of("scopes", "a,b"));
		save(definition, "old-one");
		assertThat(call(definition)).isEqualTo("Bearer token-1");
		assertThat(forms()).hasSize(2).allMatch((form) -> form.get("refresh_token").equals("old-one"));
		assertThat(this.deviations).singleElement().asString().startsWith("SCOPES ").contains(code);
		save(definition, "old-one");
		assertThat(call(definition)).isEqualTo("Bearer token-2");
		assertThat(forms()).as("known by now").hasSize(3);
	}

	@Test
	void leavesTheScopesOfLoginsOutOfClientCredentials() {
		resource(", \"scopes_supported\": [\"openid\", \"profile\", \"email\", \"offline_access\", \"tools\"]");
		metadata(", \"scopes_supported\": [\"offline_access\"]");
		McpServerDefinition definition = credentials(Map.of());
		assertThat(reauthorize(definition, null)).isEqualTo("Bearer token-1");
		assertThat(form(0)).containsEntry("scope", "tools");
		assertThat(reauthorize(interactive(Map.of()), null)).isEqualTo("Bearer token-1");
		assertThat(this.asked).as("of a login").containsEntry("scope", "openid profile email offline_access tools");
	}

	@Test
	void leavesThemOutOfAnAssertionOfThePlatform() throws IOException {
		resource(", \"scopes_supported\": [\"openid\", \"tools\"]");
		Path assertion = Files.writeString(this.directory.resolve("assertion"), "assertion");
		McpServerDefinition definition = definition("/mcp", Map.of("grant-type", "jwt-bearer", "assertion-file",
				assertion.toString(), "client-id", "client", "client-authentication-method", "none"));
		assertThat(reauthorize(definition, null)).isEqualTo("Bearer token-1");
		assertThat(form(0)).containsEntry("assertion", "assertion").containsEntry("scope", "tools");
	}

	@Test
	void leavesThemOutWhereAChallengeNamesThem() {
		McpServerDefinition definition = credentials(Map.of());
		String challenge = "Bearer scope=\"openid offline_access\"";
		assertThat(reauthorize(definition, null, challenge)).isEqualTo("Bearer token-1");
		assertThat(form(0)).doesNotContainKey("scope");
	}

	@Test
	void leavesThemOutOfAListingAtAServerWhereUsersLogIn() {
		this.registration = registration(AuthorizationGrantType.AUTHORIZATION_CODE).scope("openid", "api").build();
		authorize(definition("/mcp", Map.of("registration-id", "known", "listing", "client-credentials")));
		assertThat(form(0)).containsEntry("grant_type", "client_credentials").containsEntry("scope", "api");
	}

	@Test
	void sendsConfiguredScopesAsTheyAre() {
		authorize(credentials(Map.of("scopes", "openid,x")));
		authorize(definition("/mcp", Map.of("registration-id", "known")));
		assertThat(forms()).extracting((form) -> form.get("scope")).containsExactly("openid x", "openid api");
	}

	@Test
	void namesTheSettingWhereScopesAreRefused() {
		this.server.on("/token", (request) -> new Reply(400, "{\"error\": \"invalid_scope\"}"));
		assertThatExceptionOfType(TransportException.class).isThrownBy(() -> authorize(credentials(Map.of())))
			.withMessageEndingWith("refuses the scopes: invalid_scope")
			.satisfies((ex) -> assertThat(ex.getNextStep()).startsWith("Set mcp.servers.one.auth.oauth2.scopes"));
	}

	// refresh tokens that are dead, and those that are not

	@ParameterizedTest
	@CsvSource(delimiter = '|', value = { "400|{\"error\": \"invalid_grant\"}|",
			"400|{\"error\": \"invalid_request\", \"error_description\": \"refresh_token is invalid\"}|invalid_request",
			"400|{\"code\": 400, \"error_code\": \"refresh_token_not_found\", \"msg\": \"Invalid Refresh Token\"}|(Invalid Refresh Token)",
			"200|{\"error\": \"bad_refresh_token\", \"error_description\": \"expired\"}|bad_refresh_token (expired)",
			"200|error=bad_refresh_token&error_description=The+refresh+token+is+incorrect|bad_refresh_token",
			"200|{\"ok\": false, \"error\": \"invalid_refresh_token\"}|invalid_refresh_token",
			"401|{\"error\": \"invalid_token\"}|invalid_token", "401|{\"message\": \"Refresh token expired\"}|expired",
			"403|{\"error\": \"access_denied\"}|access_denied", "400|Invalid refresh token|Invalid refresh token",
			"400|{\"message\": \"Bad Request\"}|Bad Request",
			"400|{\"error\": \"unauthorized_client\"}|unauthorized_client",
			"400|{\"error\": \"invalid_scope\"}|invalid_scope",
			"422|{\"error\": {\"code\": \"token_revoked\", \"message\": \"revoked\"}}|token_revoked (revoked)" })
	void aRefreshTokenThatIsRefusedForGoodLeadsToALogin(int status, String answer, String seen) {
		this.server.on("/token", (request) -> new Reply(status, answer));
		McpServerDefinition definition = users("/mcp", Map.of());
		save(definition, "old-one");
		assertThatExceptionOfType(ClientAuthorizationRequiredException.class).isThrownBy(() -> call(definition));
		assertThat(login(definition)).isNull();
		assertThat(forms()).hasSize(1);
		if (seen == null) {
			assertThat(this.deviations).isEmpty();
		}
		else {
			assertThat(this.deviations).singleElement().asString().startsWith("REFRESH ").contains(seen);
		}
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			value = { "401|{\"error\": \"invalid_client\"}", "401|", "400|{\"error\": \"invalid_client\"}",
					"401|{\"error\": \"unauthorized_client\"}", "200|{\"error\": \"incorrect_client_credentials\"}",
					"403|<!DOCTYPE html><title>Just a moment...</title>", "403|{\"message\": \"Forbidden\"}",
					"403|{\"status\": 403, \"error\": \"Forbidden\"}", "400|<html>400 Bad Request</html>",
					"400|<html><a href=\"/?x=1&error=2\">Back</a></html>", "404|{\"error\": \"not_found\"}",
					"405|{\"error\": \"method_not_allowed\"}", "408|", "429|{\"error\": \"x\"}",
					"400|{\"error\": \"temporarily_unavailable\"}",
					"200|{\"ok\": false, \"error\": \"internal_error\"}", "500|{\"error\": \"x\"}", "503|", "302|",
					"200|<html>Please log in</html>", "200|{}" })
	void aRefreshTokenIsKeptWhereSomethingElseIsRefused(int status, String answer) {
		this.server.on("/token", (request) -> new Reply(status, Objects.requireNonNullElse(answer, "")));
		McpServerDefinition definition = users("/mcp", Map.of());
		save(definition, "old-one");
		assertThatExceptionOfType(TransportException.class).isThrownBy(() -> call(definition));
		assertThat(login(definition).getRefreshToken().getTokenValue()).isEqualTo("old-one");
		assertThat(this.deviations).isEmpty();
	}

	@Test
	void aDeviationShowsNoRefreshToken() {
		this.server.on("/token", (request) -> new Reply(400,
				"{\"error\": \"invalid_request\", \"error_description\": \"the\\/refresh+token is unknown\"}"));
		McpServerDefinition definition = users("/mcp", Map.of());
		save(definition, "the/refresh+token");
		assertThatExceptionOfType(ClientAuthorizationRequiredException.class).isThrownBy(() -> call(definition));
		assertThat(this.deviations).singleElement().asString().endsWith("invalid_request (****** is unknown)");
	}

	@Test
	void aLoginThroughTheBrowserIsAskedForAgain() {
		this.server.on("/token", (request) -> request.form().get("grant_type").equals("refresh_token")
				? new Reply(200, "{\"error\": \"bad_refresh_token\"}") : refreshable(""));
		McpServerDefinition definition = interactive(Map.of());
		assertThat(reauthorize(definition, null)).isEqualTo("Bearer token-1");
		this.asked = Map.of();
		assertThat(reauthorize(definition, "token-1")).isEqualTo("Bearer token-2");
		assertThat(this.asked).containsEntry("response_type", "code");
	}

	// tokens and errors of other forms

	@ParameterizedTest
	@CsvSource(delimiter = '|', nullValues = "-", value = {
			"application/x-www-form-urlencoded|access_token=token-1&scope=repo%2Cgist&token_type=bearer|a form instead of JSON",
			"text/plain; charset=utf-8|access_token=token-1&expires_in=3600|a form instead of JSON",
			"text/plain|{\"access_token\": \"token-1\", \"token_type\": \"Bearer\"}|content type text/plain",
			"text/html; charset=UTF-8|{\"access_token\": \"token-1\", \"token_type\": \"Bearer\"}|content type text/html",
			"|{\"access_token\": \"token-1\", \"token_type\": \"Bearer\"}|content type",
			"application/json, application/json|{\"access_token\": \"token-1\", \"token_type\": \"Bearer\"}|content type",
			"application/json|{\"access_token\": \"token-1\"}|token_type null",
			"application/json|{\"access_token\": \"token-1\", \"token_type\": \"\"}|token_type",
			"application/json|{\"access_token\": \"token-1\", \"token_type\": \"bearer\", \"scope\": [\"a\", \"b\"]}|scope as a list",
			"application/json|{\"ok\": true, \"authed_user\": {\"access_token\": \"token-1\", \"token_type\": \"user\", \"scope\": \"a b\"}}|access_token within authed_user",
			"application/json|{\"code\": 0, \"data\": {\"access_token\": \"token-1\", \"token_type\": \"Bearer\"}}|access_token within data",
			"application/json|{\"access_token\": \"token-1\", \"token_type\": \"BEARER\", \"expires_in\": \"3600\", \"error\": null}|-",
			"application/vnd.x+json;charset=utf-8|{\"access_token\": \"token-1\", \"token_type\": \"Bearer\"}|-" })
	void takesATokenInAnotherForm(String type, String answer, String seen) {
		this.server.on("/token",
				(request) -> new Reply(200, answer, Map.of("Content-Type", Objects.requireNonNullElse(type, ""))));
		McpServerDefinition definition = credentials(Map.of());
		assertThat(authorize(definition)).isEqualTo("Bearer token-1");
		if (answer.contains("[")) {
			assertThat(this.authorizer.status(definition).scopes()).containsExactlyInAnyOrder("a", "b");
		}
		if (seen == null) {
			assertThat(this.deviations).isEmpty();
		}
		else {
			assertThat(this.deviations).isNotEmpty()
				.allMatch((deviation) -> deviation.startsWith("TOKEN_RESPONSE "))
				.anyMatch((deviation) -> deviation.contains(seen))
				.noneMatch((deviation) -> deviation.contains("token-1"));
		}
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			value = {
					"{\"a\": {\"access_token\": \"x\"}, \"b\": {\"access_token\": \"y\"}}|its access_token is missing",
					"{\"access_token\": \"x\", \"token_type\": \"mac\"}|its token_type is not Bearer",
					"{\"access_token\": \"x\", \"token_type\": \"DPoP\"}|its token_type is not Bearer",
					"access_token=a+b|its access_token is not a token", "token-1|it is not a JSON object" })
	void doesNotGuessWhatIsAToken(String answer, String wrong) {
		this.server.on("/token", (request) -> new Reply(200, answer));
		assertThatExceptionOfType(TransportException.class).isThrownBy(() -> authorize(credentials(Map.of())))
			.withMessageEndingWith("sent a response that is not a token: " + wrong);
		assertThat(forms()).hasSize(1);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', value = {
			"200|{\"error\": \"bad_verification_code\", \"error_description\": \"The code is incorrect\"}|bad_verification_code (The code is incorrect)",
			"200|error=bad_verification_code&error_description=The+code+is+incorrect|bad_verification_code (The code is incorrect)",
			"200|{\"ok\": false, \"error\": \"invalid_code\"}|invalid_code",
			"200|{\"success\": false, \"message\": \"no such code\"}|200 (no such code)",
			"400|{\"error_code\": \"validation_failed\", \"msg\": \"wrong code\"}|validation_failed (wrong code)",
			"400|{\"errorCode\": \"E0000001\", \"errorSummary\": \"Api validation failed\"}|E0000001 (Api validation failed)",
			"400|{\"error\": {\"code\": 400, \"message\": \"Unknown code\", \"status\": \"INVALID\"}}|400 (Unknown code)",
			"400|no such code|400 (no such code)", "400|error=50%|400 (error=50%)",
			"403|<html>Attention required</html>|403" })
	void keepsTheTextOfAnError(int status, String answer, String text) {
		this.server.on("/token", (request) -> new Reply(status, answer));
		for (McpServerDefinition definition : List.of(credentials(Map.of()), interactive(Map.of()))) {
			assertThatExceptionOfType(TransportException.class).isThrownBy(() -> reauthorize(definition, null))
				.withMessageEndingWith("refuses to issue a token: " + text);
		}
		assertThat(forms()).as("no code is sent twice").hasSize(2);
	}

	// how a client authenticates itself

	@ParameterizedTest
	@CsvSource(delimiter = '|', value = { "none|none", "client_secret_post|none,client_secret_post" })
	void registersWithAnotherMethodWhereOneIsRefused(String accepted, String after) {
		this.server.on("/register", (request) -> request.body().contains("\"" + accepted + "\"") ? registered(accepted)
				: new Reply(400, "{\"error\": \"invalid_client_metadata\", \"error_description\": \"unsupported\"}"));
		assertThat(reauthorize(interactive(Map.of()), null)).isEqualTo("Bearer token-1");
		assertThat(methods()).containsExactly(("client_secret_basic," + after).split(","));
		assertThat(form(0)).containsEntry("client_id", "registered");
		assertThat(this.deviations).singleElement().asString().startsWith("REGISTRATION ").contains("(unsupported)");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			value = { "|client_secret_basic,none,client_secret_post", "client_secret_post|client_secret_post",
					"none,client_secret_basic|none,client_secret_basic", "private_key_jwt|client_secret_basic" })
	void registersWithMethodsThatTheMetadataDoNotExclude(String supported, String tried) {
		if (supported != null) {
			metadata(", \"token_endpoint_auth_methods_supported\": [\"" + supported.replace(",", "\", \"") + "\"]");
		}
		this.server.on("/register", (request) -> new Reply(400,
				"{\"error\": \"invalid_client_metadata\", " + "\"error_description\": \"because\"}"));
		assertThatExceptionOfType(TransportException.class).isThrownBy(() -> reauthorize(interactive(Map.of()), null))
			.withMessage("The authorization server refuses to register this application: HTTP 400: "
					+ "invalid_client_metadata (because)");
		assertThat(methods()).containsExactly(tried.split(","));
		assertThat(this.deviations).isEmpty();
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', value = {
			"400|{\"error\": \"invalid_redirect_uri\", \"error_description\": \"not allowed\"}|HTTP 400: invalid_redirect_uri (not allowed)",
			"401|{\"error\": \"invalid_token\"}|HTTP 401: invalid_token", "403|Forbidden|HTTP 403: 403 (Forbidden)",
			"500||HTTP 500: 500" })
	void registersNotAgainWhereSomethingElseIsRefused(int status, String answer, String text) {
		this.server.on("/register", (request) -> new Reply(status, Objects.requireNonNullElse(answer, "")));
		assertThatExceptionOfType(TransportException.class).isThrownBy(() -> reauthorize(interactive(Map.of()), null))
			.withMessage("The authorization server refuses to register this application: " + text);
		assertThat(methods()).hasSize(1);
	}

	@ParameterizedTest
	@ValueSource(strings = { "none", "client_secret_basic", "client_secret_post" })
	void registersWithTheConfiguredMethodAlone(String method) {
		metadata(", \"token_endpoint_auth_methods_supported\": [\"none\", \"client_secret_basic\"]");
		McpServerDefinition definition = interactive(Map.of("client-authentication-method", method.replace('_', '-')));
		this.server.on("/register", (request) -> new Reply(400, "{\"error\": \"invalid_client_metadata\"}"));
		assertThatExceptionOfType(TransportException.class).isThrownBy(() -> reauthorize(definition, null));
		assertThat(methods()).containsExactly(method);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', value = { "client_secret_post|, \"client_secret\": \"s\"|post",
			"client_secret_basic|, \"client_secret\": \"s\"|basic", "none||none", "none|, \"client_secret\": \"\"|none",
			"none|, \"client_secret\": null|none",
			"none|, \"client_secret\": \"s\", \"token_endpoint_auth_method\": \"client_secret_post\"|post",
			"client_secret_post|, \"client_secret\": \"s\", \"token_endpoint_auth_method\": \"client_secret_basic\"|basic" })
	void usesTheMethodThatWasRegistered(String asked, String answer, String used) {
		metadata(", \"token_endpoint_auth_methods_supported\": [\"" + asked + "\"]");
		this.server.on("/register", "{\"client_id\": \"registered\"" + Objects.requireNonNullElse(answer, "") + "}");
		assertThat(reauthorize(interactive(Map.of()), null)).isEqualTo("Bearer token-1");
		assertThat(used(this.server.requests("/token").get(0))).isEqualTo(used);
		assertThat(this.deviations).isEmpty();
	}

	@Test
	void aClientWithoutASecretIsPublicWhateverItIsCalled() {
		metadata(", \"token_endpoint_auth_methods_supported\": [\"none\"]");
		this.server.on("/register",
				"{\"client_id\": \"registered\", \"token_endpoint_auth_method\": \"client_secret_basic\"}");
		assertThat(reauthorize(interactive(Map.of()), null)).isEqualTo("Bearer token-1");
		assertThat(used(this.server.requests("/token").get(0))).isEqualTo("none");
		assertThat(this.deviations).singleElement()
			.isEqualTo("REGISTRATION token_endpoint_auth_method client_secret_basic without a client_secret");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', value = { "|basic,post", "client_secret_basic,client_secret_post|basic,post" })
	void sendsASecretInTheOtherWayWhereOneIsRefused(String supported, String tried) {
		metadata((supported != null)
				? ", \"token_endpoint_auth_methods_supported\": [\"" + supported.replace(",", "\", \"") + "\"]" : "");
		this.server.on("/token", (request) -> used(request).equals("post") ? refreshable("")
				: new Reply(401, "{\"error\": \"invalid_client\", \"error_description\": \"Missing client_id\"}"));
		McpServerDefinition definition = credentials(Map.of("issuer-uri", this.server.url()));
		assertThat(authorize(definition)).isEqualTo("Bearer token-1");
		assertThat(reauthorize(definition, "token-1")).isEqualTo("Bearer token-2");
		assertThat(used()).as("known by now").containsExactly((tried + ",post").split(","));
		assertThat(this.deviations).singleElement()
			.asString()
			.startsWith("REGISTRATION ")
			.contains("Missing client_id");
		assertThat(this.server.paths().stream().filter((path) -> !path.startsWith("/.well-known"))).as("where it went")
			.containsOnly("/token");
	}

	@Test
	void aCodeIsSentAgainOnlyWhereTheClientWasRefused() {
		this.server.on("/register", (request) -> registered("client_secret_post"));
		metadata(", \"token_endpoint_auth_methods_supported\": [\"client_secret_basic\", \"client_secret_post\"]");
		this.server.on("/token", (request) -> used(request).equals("basic") ? new Reply(200, TOKEN)
				: new Reply(400, "{\"error\": \"invalid_client\"}"));
		assertThat(reauthorize(interactive(Map.of()), null)).isEqualTo("Bearer token-1");
		assertThat(used()).containsExactly("post", "basic");
		assertThat(forms()).extracting((form) -> form.get("code")).containsOnly("the-code");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			value = { "client-authentication-method=client-secret-basic||basic", "|\"client_secret_basic\"|basic",
					"|\"client_secret_post\"|post", "client-secret=||basic", "registration-id=known||basic",
					"|\"client_secret_basic\", \"client_secret_post\"|basic,post" })
	void sendsASecretInNoWayThatIsExcluded(String setting, String supported, String tried) {
		metadata((supported != null) ? ", \"token_endpoint_auth_methods_supported\": [" + supported + "]" : "");
		this.server.on("/token", (request) -> new Reply(401, "{\"error\": \"invalid_client\"}"));
		Map<String, String> settings = new HashMap<>();
		if (setting != null) {
			settings.put(setting.split("=")[0], (setting + " ").split("=")[1].strip());
		}
		if (!settings.containsKey("registration-id")) {
			settings.put("issuer-uri", this.server.url());
		}
		McpServerDefinition definition = settings.containsKey("registration-id") ? definition("/mcp", settings)
				: credentials(settings);
		assertThatExceptionOfType(TransportException.class).isThrownBy(() -> authorize(definition))
			.withMessageEndingWith("does not accept the client's credentials: invalid_client")
			.satisfies((ex) -> assertThat(ex.getNextStep()).contains(settings.containsKey("registration-id")
					? "spring.security.oauth2.client.registration.known.client-authentication-method"
					: "mcp.servers.one.auth.oauth2.client-authentication-method"));
		assertThat(used()).containsExactly(tried.split(","));
		assertThat(this.deviations).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(ints = { 302, 307, 308 })
	void followsNoRedirectOfATokenEndpoint(int status) {
		this.server.on("/token", (request) -> new Reply(status, "", Map.of("Location", this.other.url() + "/token")));
		assertThatExceptionOfType(TransportException.class).isThrownBy(() -> authorize(credentials(Map.of())));
		assertThat(forms()).hasSize(1);
	}

	private Reply registered(String method) {
		return new Reply(201, "{\"client_id\": \"registered\", \"token_endpoint_auth_method\": \"%s\"%s}"
			.formatted(method, method.equals("none") ? "" : ", \"client_secret\": \"s\""));
	}

	private List<String> methods() {
		return this.server.requests("/register")
			.stream()
			.map((request) -> request.body().replaceFirst(".*\"token_endpoint_auth_method\":\"(\\w+)\".*", "$1"))
			.toList();
	}

	private List<String> used() {
		return this.server.requests("/token").stream().map(TokenDeviationsTests::used).toList();
	}

	private static String used(Request request) {
		return (request.authorization() != null) ? "basic"
				: request.form().containsKey("client_secret") ? "post" : "none";
	}

	private List<Map<String, String>> forms() {
		return this.server.requests("/token").stream().map(Request::form).toList();
	}

	private Map<String, String> form(int index) {
		return forms().get(index);
	}

	private Reply refreshable(String more) {
		return new Reply(200, REFRESHABLE.formatted(this.tokens.incrementAndGet(), more));
	}

	private Reply redirect(String parameters) {
		return new Reply(302, "", Map.of("Location",
				this.asked.get("redirect_uri") + "?" + parameters + "&state=" + this.asked.get("state")));
	}

	private void open(URI url) {
		this.asked = Stream.of(url.getRawQuery().split("&"))
			.map((parameter) -> parameter.split("=", 2))
			.collect(Collectors.toMap((parts) -> parts[0],
					(parts) -> URLDecoder.decode(parts[1], StandardCharsets.UTF_8)));
		this.browser.sendAsync(HttpRequest.newBuilder(url).build(), BodyHandlers.discarding());
	}

	private void metadata(String more) {
		this.server.on("/.well-known/oauth-authorization-server", """
				{"issuer": "%1$s", "token_endpoint": "%1$s/token", "authorization_endpoint": "%1$s/authorize",
				"registration_endpoint": "%1$s/register", "code_challenge_methods_supported": ["S256"]%2$s}"""
			.formatted(this.server.url(), more));
	}

	private void resource(String more) {
		this.server.on("/.well-known/oauth-protected-resource/mcp", """
				{"resource": "%1$s/mcp", "authorization_servers": ["%1$s"]%2$s}""".formatted(this.server.url(), more));
	}

	private McpServerDefinition credentials(Map<String, String> settings) {
		Map<String, String> all = new HashMap<>(Map.of("client-id", "client", "client-secret", "the-secret"));
		boolean discovered = settings.isEmpty() || settings.containsKey("issuer-uri");
		if (!discovered) {
			all.put("token-uri", this.server.url() + "/token");
		}
		all.putAll(settings);
		return definition("/mcp", all);
	}

	private McpServerDefinition interactive(Map<String, String> settings) {
		Map<String, String> all = new HashMap<>(settings);
		all.put("interactive", "true");
		return definition("/mcp", all);
	}

	private McpServerDefinition users(String path, Map<String, String> settings) {
		Map<String, String> all = new HashMap<>(Map.of("grant-type", "authorization-code", "client-id", "client",
				"client-secret", "the-secret", "client-authentication-method", "client-secret-basic", "token-uri",
				this.server.url() + "/token", "authorization-uri", this.server.url() + "/authorize"));
		all.putAll(settings);
		return definition(path, all);
	}

	private McpServerDefinition definition(String path, Map<String, String> settings) {
		Map<String, String> all = new HashMap<>(Map.of("type", "oauth2"));
		settings.forEach((name, value) -> all.put("oauth2." + name, value));
		McpServerDefinition definition = McpServerDefinition.http("one", URI.create(this.server.url() + path))
			.auth(AuthSettings.of(all))
			.connectTimeout(LIMIT)
			.build();
		this.authorizer.onDeviation(definition, (kind, detail) -> this.deviations.add(kind + " " + detail));
		return definition;
	}

	private String authorize(McpServerDefinition definition) {
		Map<String, String> headers = this.authorizer.authorize(new McpHeadersRequest(definition, "POST", false))
			.block(LIMIT);
		return (headers != null) ? headers.get("Authorization") : reauthorize(definition, null);
	}

	private String reauthorize(McpServerDefinition definition, String refused) {
		return reauthorize(definition, refused, "Bearer");
	}

	private String reauthorize(McpServerDefinition definition, String refused, String challenge) {
		return this.authorizer
			.reauthorize(new McpHeadersRequest(definition, "POST", false),
					new McpAuthorizationChallenge(401, List.of(challenge),
							(refused != null) ? Map.of("Authorization", "Bearer " + refused) : Map.of(), 1))
			.map((headers) -> headers.get("Authorization"))
			.block(LIMIT);
	}

	private String call(McpServerDefinition definition) {
		return this.authorizer.authorize(new McpHeadersRequest(definition, "POST", true))
			.contextWrite(ReactiveSecurityContextHolder.withAuthentication(ANNE))
			.map((headers) -> headers.get("Authorization"))
			.block(LIMIT);
	}

	private String id(McpServerDefinition definition) {
		this.authorizer.authorize(new McpHeadersRequest(definition, "POST", false)).onErrorComplete().block(LIMIT);
		return new UserLogins(this.authorizer).find("mcp-one").getRegistrationId();
	}

	private OAuth2AuthorizedClient login(McpServerDefinition definition) {
		return this.logins.loadAuthorizedClient(id(definition), "anne");
	}

	private void save(McpServerDefinition definition, String refreshToken) {
		String id = id(definition);
		Instant now = Instant.now();
		this.registration = registration(AuthorizationGrantType.AUTHORIZATION_CODE)
			.scope(definition.auth().oauth2().scopes())
			.build();
		ClientRegistration client = ClientRegistration.withClientRegistration(this.registration)
			.registrationId(id)
			.build();
		this.logins.saveAuthorizedClient(new OAuth2AuthorizedClient(client, "anne",
				new OAuth2AccessToken(TokenType.BEARER, "old", now.minusSeconds(100), now.minusSeconds(1)),
				new OAuth2RefreshToken(refreshToken, null)), ANNE);
	}

}
