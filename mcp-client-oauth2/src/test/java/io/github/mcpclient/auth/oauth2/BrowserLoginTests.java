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
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.mcpclient.McpServerStatus.StepKind;
import io.github.mcpclient.auth.oauth2.AuthorizationServerStub.Reply;
import io.github.mcpclient.authorization.McpAuthorizationChallenge;
import io.github.mcpclient.authorization.McpAuthorizer;
import io.github.mcpclient.authorization.McpHeadersRequest;
import io.github.mcpclient.authorization.McpLoginBrowser;
import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.internal.support.ClientThreads;
import io.github.mcpclient.internal.transport.http.McpHttpClients;
import io.github.mcpclient.management.McpDiagnosis.Step;
import io.github.mcpclient.spi.McpHttpClientFactory;
import io.github.mcpclient.spi.TransportException;
import io.github.mcpclient.testsupport.AuthSettings;
import io.github.mcpclient.testsupport.CapturedLog;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static io.github.mcpclient.testsupport.TestDefaults.LIMIT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link OAuth2Authorizer} with a login through the browser.
 */
class BrowserLoginTests {

	private final ClientThreads threads = new ClientThreads();

	private final AtomicInteger tokens = new AtomicInteger();

	private final HttpClient http = HttpClient.newBuilder().followRedirects(Redirect.ALWAYS).build();

	private AuthorizationServerStub server;

	private volatile Map<String, String> asked = Map.of();

	private boolean assumePkce;

	@TempDir
	private Path directory;

	@BeforeEach
	void start() throws IOException {
		this.server = new AuthorizationServerStub();
		metadata("\"code_challenge_methods_supported\": [\"S256\"]");
		this.server.on("/.well-known/oauth-protected-resource/mcp", """
				{"resource": "%1$s/mcp", "authorization_servers": ["%1$s"]}""".formatted(this.server.url()));
		this.server.on("/register", (request) -> new Reply(201,
				"{\"client_id\": \"registered\", \"token_endpoint_auth_method\": \"none\"}"));
		this.server.on("/authorize", (request) -> redirect(""));
		this.server.on("/token", (request) -> token());
	}

	@Test
	void registersItselfAndLogsIn() throws Exception {
		assertThat(login(authorizer())).isEqualTo("Bearer token-1");
		assertThat(this.server.requests("/register").get(0).body()).contains("\"application_type\":\"native\"",
				"http://127.0.0.1:", "\"refresh_token\"");
		assertThat(this.asked).containsEntry("client_id", "registered")
			.containsEntry("response_type", "code")
			.containsEntry("resource", this.server.url() + "/mcp")
			.containsEntry("code_challenge_method", "S256");
		Map<String, String> form = this.server.requests("/token").get(0).form();
		assertThat(form).containsEntry("resource", this.server.url() + "/mcp")
			.containsEntry("code", "the-code")
			.containsEntry("client_id", "registered")
			.containsEntry("redirect_uri", this.asked.get("redirect_uri"));
		byte[] hash = MessageDigest.getInstance("SHA-256")
			.digest(form.get("code_verifier").getBytes(StandardCharsets.US_ASCII));
		assertThat(this.asked).containsEntry("code_challenge",
				Base64.getUrlEncoder().withoutPadding().encodeToString(hash));
	}

	@Test
	void logsNeitherTheCodeNorTheState() {
		List<String> lines = new CopyOnWriteArrayList<>();
		Handler handler = new Handler() {

			@Override
			public void publish(LogRecord line) {
				lines.add(line.getMessage() + Arrays.toString(line.getParameters()));
			}

			@Override
			public void flush() {
				// written at once
			}

			@Override
			public void close() {
				// nothing to close
			}

		};
		// what the JDK logs, Spring Boot has in the application's log
		Logger jdk = Logger.getLogger("");
		Logger httpServer = Logger.getLogger("com.sun.net.httpserver");
		jdk.addHandler(handler);
		httpServer.setLevel(Level.ALL);
		handler.setLevel(Level.ALL);
		try (CapturedLog reactor = new CapturedLog("reactor").open();
				CapturedLog netty = new CapturedLog("io.netty").open()) {
			reactor.level(ch.qos.logback.classic.Level.TRACE);
			netty.level(ch.qos.logback.classic.Level.TRACE);
			login(authorizer());
			lines.addAll(reactor.lines());
			lines.addAll(netty.lines());
		}
		finally {
			jdk.removeHandler(handler);
			httpServer.setLevel(null);
		}
		// the authorization server of the test logs, too
		assertThat(lines).isNotEmpty().noneMatch((line) -> line.contains("/callback") && line.contains("the-code"));
	}

	@Test
	void usesTheMetadataDocumentWhereThatIsSupported() {
		metadata("\"code_challenge_methods_supported\": [\"S256\"], \"client_id_metadata_document_supported\": true, "
				+ "\"scopes_supported\": [\"offline_access\"]");
		login(authorizer());
		assertThat(this.asked).containsEntry("client_id", "https://app.example/client.json")
			.containsEntry("scope", "offline_access");
		assertThat(this.server.requests("/register")).isEmpty();
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`', value = { "``", ", \"code_challenge_methods_supported\": []",
			", \"code_challenge_methods_supported\": null" })
	void refusesAnAuthorizationServerWithoutPkceUnlessItIsAssumed(String methods) throws Exception {
		metadata("\"x\": 1" + methods);
		assertThatExceptionOfType(TransportException.class).isThrownBy(() -> login(authorizer()))
			.withMessage("The authorization server does not announce PKCE with S256")
			.satisfies((ex) -> assertThat(ex.getNextStep()).contains("mcp.servers.one.auth.oauth2.assume-pkce=true"));
		assertThat(this.asked).isEmpty();
		assertThat(this.server.requests("/register")).isEmpty();
		this.assumePkce = true;
		List<String> deviations = new CopyOnWriteArrayList<>();
		OAuth2Authorizer authorizer = authorizer();
		authorizer.onDeviation(request(LIMIT).server(), (kind, detail) -> deviations.add(kind + " " + detail));
		assertThat(login(authorizer)).isEqualTo("Bearer token-1");
		assertThat(this.asked).containsEntry("code_challenge_method", "S256");
		byte[] hash = MessageDigest.getInstance("SHA-256")
			.digest(this.server.requests("/token")
				.get(0)
				.form()
				.get("code_verifier")
				.getBytes(StandardCharsets.US_ASCII));
		assertThat(this.asked).containsEntry("code_challenge",
				Base64.getUrlEncoder().withoutPadding().encodeToString(hash));
		assertThat(deviations).containsExactly("PKCE " + this.server.url());
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void refusesAnAuthorizationServerThatAnnouncesOtherMethodsAlone(boolean assumed) {
		this.assumePkce = assumed;
		metadata("\"code_challenge_methods_supported\": [\"plain\"]");
		assertFails("The authorization server does not support PKCE with S256: [plain]");
		assertThat(this.asked).isEmpty();
	}

	@Test
	void anAuthorizationServerThatAnnouncesPkceIsNoDeviation() {
		this.assumePkce = true;
		List<String> deviations = new CopyOnWriteArrayList<>();
		OAuth2Authorizer authorizer = authorizer();
		authorizer.onDeviation(request(LIMIT).server(), (kind, detail) -> deviations.add(kind + " " + detail));
		assertThat(login(authorizer)).isEqualTo("Bearer token-1");
		assertThat(deviations).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(strings = { "https://other.example", "", "{url}/", "{url}/t", "{url}/?", "{url}.evil.example" })
	void refusesTheAnswerOfAnotherIssuer(String issuer) {
		this.server.on("/authorize", (request) -> redirect("&iss=" + issuer.replace("{url}", this.server.url())));
		assertFails("The response to a login is not from the authorization server of the request");
		assertThat(this.server.requests("/token")).isEmpty();
	}

	@ParameterizedTest
	@CsvSource({ "/, ''", "'', /" })
	void comparesTheIssuerInAnAnswerWithThatOfTheMetadata(String named, String own) {
		this.server.on("/.well-known/oauth-protected-resource/mcp", """
				{"resource": "%1$s/mcp", "authorization_servers": ["%1$s%2$s"]}""".formatted(this.server.url(), named));
		metadata("\"code_challenge_methods_supported\": [\"S256\"]", own);
		this.server.on("/authorize", (request) -> redirect("&iss=" + this.server.url() + named));
		assertFails("The response to a login is not from the authorization server of the request");
		assertThat(this.server.requests("/token")).isEmpty();
		this.server.on("/authorize", (request) -> redirect("&iss=" + this.server.url() + own));
		assertThat(login(authorizer())).isEqualTo("Bearer token-1");
	}

	@ParameterizedTest
	@ValueSource(strings = { "kept", "from-elsewhere" })
	void anIssuerInTwoSpellingsHasOneClientAndOneLogin(String file) throws IOException {
		login(authorizer());
		this.asked = Map.of();
		if (file.equals("kept")) {
			this.server.on("/.well-known/oauth-protected-resource/mcp", """
					{"resource": "%1$s/mcp", "authorization_servers": ["%1$s/"]}""".formatted(this.server.url()));
			metadata("\"code_challenge_methods_supported\": [\"S256\"]", "/");
		}
		else {
			Path kept = this.directory.resolve("tokens.json");
			String url = "\"" + this.server.url();
			Files.writeString(kept, Files.readString(kept).replace(url + "\"", url + "/\""));
		}
		assertThat(login(authorizer())).isEqualTo("Bearer token-2");
		assertThat(this.asked).isEmpty();
		assertThat(this.server.requests("/register")).hasSize(1);
		assertThat(this.server.requests("/token").get(1).form()).containsEntry("refresh_token", "refresh-1");
	}

	@Test
	void missesAnIssuerThatWasAnnounced() {
		metadata("\"code_challenge_methods_supported\": [\"S256\"], "
				+ "\"authorization_response_iss_parameter_supported\": true");
		assertFails("The response to a login is not from the authorization server of the request");
		this.server.on("/authorize", (request) -> redirect("&iss=" + this.server.url()));
		assertThat(login(authorizer())).isEqualTo("Bearer token-1");
	}

	@Test
	void aCheckLogsNobodyInAndRegistersNothing() {
		OAuth2Authorizer authorizer = authorizer();
		List<Step> steps = new CopyOnWriteArrayList<>();
		assertThatExceptionOfType(TransportException.class)
			.isThrownBy(() -> login(authorizer.forCheck(steps::add), LIMIT))
			.withMessage("The server needs a login");
		assertThat(steps).singleElement().satisfies((step) -> {
			assertThat(step.kind()).isEqualTo(StepKind.AUTHORIZATION_METADATA);
			assertThat(step.detail()).isEqualTo("The server trusts " + this.server.url() + ", which has metadata");
		});
		assertThat(this.asked).isEmpty();
		assertThat(this.server.requests("/register")).isEmpty();
		// the login that there is, is used
		login(authorizer);
		assertThat(authorizer.forCheck(steps::add).authorize(request(LIMIT)).block(LIMIT))
			.containsEntry("Authorization", "Bearer token-1");
	}

	@Test
	void saysThatALoginIsNeededWhereNobodyLogsIn() {
		OAuth2Authorizer authorizer = authorizer((name, url) -> {
		});
		assertThatExceptionOfType(TransportException.class).isThrownBy(() -> login(authorizer, Duration.ofSeconds(1)))
			.withMessage("The server needs a login");
	}

	@Test
	void keepsTheLoginInAFileThatOnlyTheUserCanRead() throws IOException {
		login(authorizer());
		Path file = this.directory.resolve("tokens.json");
		assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file))).isEqualTo("rw-------");
		String redirectUri = this.asked.get("redirect_uri");
		this.asked = Map.of();
		assertThat(login(authorizer())).isEqualTo("Bearer token-2");
		assertThat(this.asked).isEmpty();
		assertThat(this.server.requests("/register")).hasSize(1);
		assertThat(this.server.requests("/token").get(1).form()).containsEntry("grant_type", "refresh_token")
			.containsEntry("refresh_token", "refresh-1")
			.containsEntry("resource", this.server.url() + "/mcp");
		this.server.on("/token", (request) -> new Reply(503, ""));
		assertFails("The authorization server at " + this.server.url() + "/token refuses to issue a token: 503");
		assertThat(this.asked).as("down, not revoked").isEmpty();
		this.server.on("/token", (request) -> request.form().get("grant_type").equals("refresh_token")
				? new Reply(400, "{\"error\": \"invalid_grant\"}") : token());
		assertThat(login(authorizer())).as("grant revoked").isEqualTo("Bearer token-3");
		assertThat(this.asked).containsEntry("redirect_uri", redirectUri);
	}

	@Test
	void registersOnceMoreWhereItsClientWasForgotten() {
		AtomicInteger clients = new AtomicInteger();
		this.server.on("/register", (request) -> new Reply(201, """
				{"client_id": "client-%1$d", "client_secret": "registered-secret-%1$d",
				"token_endpoint_auth_method": "client_secret_post"}""".formatted(clients.incrementAndGet())));
		login(authorizer());
		this.server.on("/token", (request) -> request.form().get("client_id").equals("client-2") ? token()
				: new Reply(401, "{\"error\": \"invalid_client\"}"));
		assertThat(login(authorizer())).isEqualTo("Bearer token-2");
		assertThat(this.asked).containsEntry("client_id", "client-2");
		this.server.on("/token", (request) -> new Reply(401, "{\"error\": \"invalid_client\", "
				+ "\"error_description\": \"registered-secret-2 or registered-secret-3\"}"));
		OAuth2Authorizer authorizer = authorizer();
		for (int i = 0; i < 5; i++) {
			assertThatExceptionOfType(TransportException.class).isThrownBy(() -> login(authorizer))
				.withMessageContaining("invalid_client")
				.withMessageNotContaining("secret-" + clients.get());
		}
		assertThat(this.server.requests("/register")).hasSize(3);
	}

	@Test
	void opensFewTabsForLoginsThatAreOfNoUse() {
		this.server.on("/token", (request) -> new Reply(400, "{\"error\": \"invalid_grant\"}"));
		OAuth2Authorizer authorizer = authorizer();
		for (int i = 0; i < 5; i++) {
			assertThatExceptionOfType(TransportException.class).isThrownBy(() -> login(authorizer))
				.withMessage("The authorization server at " + this.server.url()
						+ "/token refuses to issue a token: invalid_grant");
		}
		assertThat(this.server.requests("/authorize")).hasSize(2);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`', value = { "[]|it is not a JSON object", "{}|it has no client_id",
			"{\"client_id\": \" \"}|it has no client_id",
			"{\"client_id\": \"x\", \"token_endpoint_auth_method\": \"tls_client_auth\"}|"
					+ "its token_endpoint_auth_method is not one of [none, client_secret_basic, client_secret_post]",
			"{\"client_id\": \"x\", \"token_endpoint_auth_method\": \"client_secret_post\"}|"
					+ "it has no client_secret" })
	void saysWhatIsWrongWithARegistration(String answer, String wrong) {
		metadata("\"code_challenge_methods_supported\": [\"S256\"], "
				+ "\"token_endpoint_auth_methods_supported\": [\"client_secret_post\"]");
		this.server.on("/register", (request) -> new Reply(201, answer));
		assertFails(
				"The authorization server's response to the registration of this application is not usable: " + wrong);
	}

	@Test
	void usesNoUrlThatWouldFillTheLog() {
		this.server.on("/.well-known/oauth-authorization-server", """
				{"issuer": "%1$s", "token_endpoint": "%1$s/token", "authorization_endpoint": "%1$s/%2$s",
				"registration_endpoint": "%1$s/register", "code_challenge_methods_supported": ["S256"]}"""
			.formatted(this.server.url(), "a".repeat(500_000)));
		assertThatExceptionOfType(TransportException.class).isThrownBy(() -> login(authorizer()))
			.withMessageStartingWith("A URL of the authorization server is not used, since it is longer than 4096")
			.satisfies((ex) -> assertThat(ex.getMessage()).hasSizeLessThan(500));
		assertThat(this.asked).isEmpty();
	}

	private void metadata(String more) {
		metadata(more, "");
	}

	private void metadata(String more, String slash) {
		this.server.on("/.well-known/oauth-authorization-server", """
				{"issuer": "%1$s%3$s", "token_endpoint": "%1$s/token", "authorization_endpoint": "%1$s/authorize",
				"registration_endpoint": "%1$s/register", "token_endpoint_auth_methods_supported": ["none"], %2$s}"""
			.formatted(this.server.url(), more, slash));
	}

	private Reply redirect(String more) {
		return new Reply(302, "", Map.of("Location",
				this.asked.get("redirect_uri") + "?code=the-code&state=" + this.asked.get("state") + more));
	}

	private Reply token() {
		int number = this.tokens.incrementAndGet();
		return new Reply(200,
				"{\"access_token\": \"token-%1$d\", \"token_type\": \"Bearer\", \"expires_in\": 60, \"refresh_token\": \"refresh-%1$d\"}"
					.formatted(number));
	}

	private OAuth2Authorizer authorizer() {
		return authorizer((name, url) -> {
			this.asked = Stream.of(url.getRawQuery().split("&"))
				.map((parameter) -> parameter.split("=", 2))
				.collect(Collectors.toMap((parts) -> parts[0],
						(parts) -> URLDecoder.decode(parts[1], StandardCharsets.UTF_8)));
			this.http.sendAsync(HttpRequest.newBuilder(url).build(), BodyHandlers.discarding());
		});
	}

	private OAuth2Authorizer authorizer(McpLoginBrowser browser) {
		McpHttpClients clients = new McpHttpClients(McpHttpClientFactory.simple(), List.of());
		return new OAuth2Authorizer(
				new ApplicationBeans(new AuthorizationClients(clients, null), (id) -> null, () -> null, null, browser,
						(name) -> McpServerDefinition.http(name, URI.create("http://localhost")).build()),
				this.threads);
	}

	private void assertFails(String message) {
		assertThatExceptionOfType(TransportException.class).isThrownBy(() -> login(authorizer())).withMessage(message);
	}

	private String login(OAuth2Authorizer authorizer) {
		return login(authorizer, LIMIT);
	}

	private String login(McpAuthorizer authorizer, Duration timeout) {
		McpHeadersRequest request = request(timeout);
		assertThat(authorizer.authorize(request).block(LIMIT)).isNull();
		return authorizer.reauthorize(request, new McpAuthorizationChallenge(401, List.of("Bearer"), Map.of(), 1))
			.map((headers) -> headers.get("Authorization"))
			.block(LIMIT);
	}

	private McpHeadersRequest request(Duration timeout) {
		McpServerDefinition definition = McpServerDefinition.http("one", URI.create(this.server.url() + "/mcp"))
			.auth(AuthSettings.of(Map.of("oauth2.interactive", "true", "oauth2.client-metadata-uri",
					"https://app.example/client.json", "oauth2.token-file",
					this.directory.resolve("tokens.json").toString(), "oauth2.assume-pkce",
					String.valueOf(this.assumePkce))))
			.connectTimeout(timeout)
			.build();
		return new McpHeadersRequest(definition, "POST", false);
	}

}
