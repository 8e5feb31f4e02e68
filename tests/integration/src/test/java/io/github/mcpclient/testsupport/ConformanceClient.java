package io.github.mcpclient.testsupport;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.CookieManager;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.github.mcpclient.McpServer;
import io.github.mcpclient.McpServerState;
import io.github.mcpclient.McpToolCatalog;
import io.github.mcpclient.McpToolRequest;
import io.github.mcpclient.authorization.McpLoginBrowser;
import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.handler.McpElicitationHandler;
import io.github.mcpclient.handler.McpHandlerContext;
import io.modelcontextprotocol.spec.McpSchema.ElicitRequest;
import io.modelcontextprotocol.spec.McpSchema.ElicitResult;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.boot.WebApplicationType;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.security.oauth2.client.authentication.OAuth2AuthenticationToken;
import org.springframework.security.oauth2.client.registration.ClientRegistration;
import org.springframework.security.oauth2.client.registration.ClientRegistrationRepository;
import org.springframework.security.oauth2.core.AuthorizationGrantType;
import org.springframework.security.oauth2.core.ClientAuthenticationMethod;
import org.springframework.security.oauth2.core.oidc.OidcIdToken;
import org.springframework.security.oauth2.core.oidc.user.DefaultOidcUser;
import org.springframework.security.oauth2.core.oidc.user.OidcUser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

/**
 * The client under test of the official conformance suite: scenarios one after the other,
 * in this JVM, each as a server of its own of an application. The command that the suite
 * runs as its client forwards to it.
 */
public final class ConformanceClient implements AutoCloseable {

	// those of a few logins, each of which has three
	private static final int MAX_REDIRECTS = 20;

	private final Map<String, Throwable> failures = new ConcurrentHashMap<>();

	private final Set<String> logins = ConcurrentHashMap.newKeySet();

	// one thread: a scenario that measures time is not to be disturbed by the others
	private final ExecutorService executor = Executors.newSingleThreadExecutor();

	private final HttpServer server;

	// an application without users
	private final ClientApplication application = ClientApplication.start(WebApplicationType.NONE,
			new Class<?>[] { Browser.class, Defaults.class, Registrations.class });

	// where users log in, in scenarios that are run so
	private final ClientApplication loginPages = ClientApplication.start(WebApplicationType.SERVLET,
			new Class<?>[] { LoginPages.class }, "mcp.servers.any.enabled=false",
			"mcp.servers.any.url=http://localhost", "mcp.servers.any.auth.oauth2.grant-type=authorization-code");

	public ConformanceClient() throws IOException {
		this.server = HttpServer.create(new InetSocketAddress("localhost", 0), 0);
		this.server.setExecutor(this.executor);
		this.server.createContext("/", this::run);
		this.server.start();
	}

	/**
	 * The command that the suite runs.
	 * @param node the executable of the suite's Node
	 * @param run identifies this run. If it ends with {@code users}: only those scenarios
	 * in which users log in, in a servlet application that lists tools for each
	 */
	public String command(Path node, String run) {
		Path script = Path.of("src/test/resources/conformance/forward.mjs").toAbsolutePath();
		return "'" + node + "' '" + script + "' " + this.server.getAddress().getPort() + " " + run;
	}

	/**
	 * What made the client fail, by run and scenario.
	 */
	public Map<String, Throwable> failures() {
		return this.failures;
	}

	private void run(HttpExchange exchange) throws IOException {
		try (exchange) {
			JsonNode request = JsonMapper.shared().readTree(exchange.getRequestBody());
			String scenario = request.path("scenario").asString();
			String run = request.path("run").asString();
			URI url = URI.create(request.path("url").asString());
			try {
				if (!run.endsWith("users")) {
					run(scenario, url, request.path("context"));
				}
				else if (isLogin(scenario, request.path("context"))) {
					this.logins.add(scenario);
					runForUser(scenario, url, request.path("context"));
				}
				exchange.sendResponseHeaders(200, -1);
			}
			catch (Throwable ex) {
				this.failures.put(run + " " + scenario, ex);
				byte[] message = ex.toString().getBytes();
				exchange.sendResponseHeaders(500, message.length);
				exchange.getResponseBody().write(message);
			}
		}
	}

	private void run(String scenario, URI url, JsonNode context) {
		Map<String, String> settings = authorization(scenario, context);
		if (isLogin(scenario, context)) {
			settings.put("oauth2.interactive", "true");
		}
		try {
			this.application.manager()
				.add(McpServerDefinition.http("suite", url).auth(AuthSettings.of(settings)).build());
			context.optional("idp_id_token").ifPresent((token) -> signIn(token.asString()));
			use(scenario, context);
		}
		finally {
			SecurityContextHolder.clearContext();
			this.application.manager().remove("suite");
		}
	}

	private void use(String scenario, JsonNode context) {
		McpToolCatalog tools = this.application.tools();
		McpServer server = this.application.registry().server("suite");
		switch (scenario) {
			case "initialize", "request-metadata" ->
				assertThat(server.status().state()).isEqualTo(McpServerState.READY);
			case "tools_call" -> call("add_numbers", Map.of("a", 5, "b", 3));
			case "sse-retry" -> tools.get("suite_test_reconnection")
				.call(McpToolRequest.of(Map.of()).withTimeout(Duration.ofSeconds(60)))
				.orThrow();
			case "json-schema-2020-12-preservation" ->
				call("json_schema_echo", Map.of("schema", tools.get("suite_json_schema_2020_12_tool").inputSchema()));
			case "elicitation-sep1034-client-defaults" -> call("test_client_elicitation_defaults", Map.of());
			// the scenario's server has the list alone
			case "json-schema-ref-no-deref" ->
				assertThatException().isThrownBy(() -> call("lookup_user", Map.of("id", "a", "profile", Map.of())));
			case "http-standard-headers" -> {
				server.tools().forEach((tool) -> tool.call(Map.of()).orThrow());
				server.resources().forEach((resource) -> server.readResource(resource.uri()));
				server.prompts().forEach((prompt) -> server.getPrompt(prompt.name(), Map.of()));
			}
			case "http-custom-headers" -> context.path("toolCalls")
				.forEach((call) -> call(call.path("name").asString(),
						JsonMapper.shared().convertValue(call.path("arguments"), new TypeReference<>() {
						})));
			case "http-invalid-tool-headers", "sep-2322-client-request-state" ->
				server.tools().forEach((tool) -> tool.call(Map.of()).orThrow());
			default -> call("test-tool", Map.of());
		}
	}

	private void call(String tool, Map<String, Object> arguments) {
		this.application.text("suite_" + tool, arguments);
	}

	/**
	 * Whether users logged in, in a servlet application.
	 */
	public boolean isLogin(String scenario) {
		return this.logins.contains(scenario);
	}

	private static boolean isLogin(String scenario, JsonNode context) {
		return scenario.startsWith("auth/") && !scenario.startsWith("auth/client-credentials-")
				&& !context.has("valid_jwt") && !context.has("idp_client_id");
	}

	/**
	 * Each scenario has a server of its own name: a user's login is for one server.
	 */
	private void runForUser(String scenario, URI url, JsonNode context) throws Exception {
		String name = scenario.replaceAll("\\W", "-");
		String origin = "http://localhost:"
				+ this.loginPages.context().getEnvironment().getRequiredProperty("local.server.port");
		Map<String, String> settings = authorization(scenario, context);
		settings.put("oauth2.grant-type", "authorization-code");
		settings.put("oauth2.redirect-uri", origin + "/authorize/oauth2/code/mcp-" + name);
		this.loginPages.manager().add(McpServerDefinition.http(name, url).auth(AuthSettings.of(settings)).build());
		try {
			HttpClient browser = HttpClient.newBuilder().cookieHandler(new CookieManager()).build();
			URI uri = URI.create(origin + "/call?tool=" + name + "_test-tool");
			HttpResponse<String> page;
			int redirects = 0;
			do {
				page = browser.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
				uri = uri.resolve(page.headers().firstValue("Location").orElse(""));
			}
			while (page.statusCode() / 100 == 3 && redirects++ < MAX_REDIRECTS);
			assertThat(page.statusCode()).as("%s %s", page.uri(), page.body()).isEqualTo(200);
		}
		finally {
			this.loginPages.manager().remove(name);
		}
	}

	private static Map<String, String> authorization(String scenario, JsonNode context) {
		Map<String, String> settings = new HashMap<>();
		if (!scenario.startsWith("auth/")) {
			return settings;
		}
		Map.of("client_id", "client-id", "client_secret", "client-secret", "private_key_pem", "private-key",
				"signing_algorithm", "signing-algorithm")
			.forEach((given, setting) -> context.optional(given)
				.ifPresent((value) -> settings.put("oauth2." + setting, value.asString())));
		context.optional("valid_jwt").ifPresent((assertion) -> {
			settings.put("oauth2.grant-type", "jwt-bearer");
			settings.put("oauth2.assertion-file", file(assertion.asString()).toString());
		});
		context.optional("idp_client_id").ifPresent((id) -> {
			settings.put("oauth2.grant-type", "jwt-bearer");
			settings.put("oauth2.identity-provider", "company");
			Registrations.company = ClientRegistration.withRegistrationId("company")
				.clientId(id.asString())
				.clientAuthenticationMethod(ClientAuthenticationMethod.NONE)
				.authorizationGrantType(AuthorizationGrantType.AUTHORIZATION_CODE)
				.redirectUri("{baseUrl}/login/oauth2/code/{registrationId}")
				.authorizationUri(context.path("idp_issuer").asString() + "/authorize")
				.tokenUri(context.path("idp_token_endpoint").asString())
				.build();
		});
		if (scenario.startsWith("auth/dpop")) {
			settings.put("oauth2.dpop", "true");
		}
		if (isLogin(scenario, context)) {
			settings.put("oauth2.client-metadata-uri", "https://conformance-test.local/client-metadata.json");
		}
		return settings;
	}

	private static void signIn(String idToken) {
		OidcUser user = new DefaultOidcUser(List.of(),
				new OidcIdToken(idToken, Instant.now(), Instant.now().plusSeconds(60), Map.of("sub", "user")));
		SecurityContextHolder.getContext().setAuthentication(new OAuth2AuthenticationToken(user, List.of(), "company"));
	}

	private static Path file(String assertion) {
		try {
			Path file = Files.createTempFile("assertion", ".jwt");
			file.toFile().deleteOnExit();
			return Files.writeString(file, assertion);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	@Override
	public void close() {
		this.server.stop(0);
		this.executor.shutdownNow();
		this.application.close();
		this.loginPages.close();
	}

	/**
	 * A user who accepts each form as it is.
	 */
	static class Defaults implements McpElicitationHandler {

		@Override
		public ElicitResult elicit(ElicitRequest request, McpHandlerContext context) {
			return ElicitResult.builder(ElicitResult.Action.ACCEPT).build();
		}

	}

	/**
	 * What the application lets its users sign in with.
	 */
	static class Registrations implements ClientRegistrationRepository {

		private static ClientRegistration company;

		@Override
		public ClientRegistration findByRegistrationId(String registrationId) {
			return company;
		}

	}

	/**
	 * Follows the redirects of the authorization server, which asks no questions.
	 */
	static class Browser implements McpLoginBrowser {

		private final HttpClient client = HttpClient.newBuilder().followRedirects(HttpClient.Redirect.ALWAYS).build();

		@Override
		public void open(String serverName, URI url) {
			this.client.sendAsync(HttpRequest.newBuilder(url).build(), HttpResponse.BodyHandlers.discarding());
		}

	}

}
