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
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.github.mcpclient.McpToolRequest;
import io.github.mcpclient.authorization.McpLoginBrowser;
import io.github.mcpclient.definition.McpServerAuth;
import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.handler.McpElicitationHandler;
import io.github.mcpclient.handler.McpHandlerContext;
import io.modelcontextprotocol.spec.McpSchema.ElicitRequest;
import io.modelcontextprotocol.spec.McpSchema.ElicitResult;
import org.jspecify.annotations.Nullable;
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

/**
 * The client under test of the official conformance suite: for each scenario an
 * application of its own, one after the other, in this JVM. The command that the suite
 * runs as its client forwards to it.
 */
public final class ConformanceClient implements AutoCloseable {

	private static final String SERVER = "mcp.servers.suite.";

	/**
	 * Those of a few logins, each of which has three.
	 */
	private static final int MAX_REDIRECTS = 20;

	private final Map<String, Throwable> failures = new ConcurrentHashMap<>();

	private final Set<String> logins = ConcurrentHashMap.newKeySet();

	/**
	 * One thread: a scenario that measures time is not to be disturbed by the others.
	 */
	private final ExecutorService executor = Executors.newSingleThreadExecutor();

	private final HttpServer server;

	/**
	 * Where users log in, in scenarios that are run so.
	 */
	private @Nullable ClientApplication loginPages;

	public ConformanceClient() throws IOException {
		this.server = HttpServer.create(new InetSocketAddress("localhost", 0), 0);
		this.server.setExecutor(this.executor);
		this.server.createContext("/", this::run);
		this.server.start();
	}

	/**
	 * The command that the suite runs.
	 * @param node the executable of the suite's Node
	 * @param way {@code alone}, or {@code users}: only those scenarios in which users log
	 * in, in a servlet application that lists tools for each
	 */
	public String command(Path node, String way) {
		Path script = Path.of("src/test/resources/conformance/forward.mjs").toAbsolutePath();
		return "'" + node + "' '" + script + "' " + this.server.getAddress().getPort() + " " + way;
	}

	/**
	 * What made the client fail, by way and scenario.
	 */
	public Map<String, Throwable> failures() {
		return this.failures;
	}

	private void run(HttpExchange exchange) throws IOException {
		try (exchange) {
			JsonNode run = JsonMapper.shared().readTree(exchange.getRequestBody());
			String scenario = run.path("scenario").asString();
			String way = run.path("way").asString();
			try {
				if (way.equals("alone")) {
					run(scenario, run.path("url").asString(), run.path("context"));
				}
				else if (isLogin(scenario, run.path("context"))) {
					this.logins.add(scenario);
					runForUser(scenario, run.path("url").asString(), run.path("context"));
				}
				exchange.sendResponseHeaders(200, -1);
			}
			catch (Throwable ex) {
				this.failures.put(way + " " + scenario, ex);
				byte[] message = ex.toString().getBytes();
				exchange.sendResponseHeaders(500, message.length);
				exchange.getResponseBody().write(message);
			}
		}
	}

	private void run(String scenario, String url, JsonNode context) {
		List<String> properties = new ArrayList<>(List.of(SERVER + "url=" + url));
		properties.addAll(authorization(scenario, context));
		try (ClientApplication application = ClientApplication.start(WebApplicationType.NONE,
				new Class<?>[] { Browser.class, Defaults.class, Registrations.class },
				properties.toArray(String[]::new))) {
			context.optional("idp_id_token").ifPresent((token) -> signIn(token.asString()));
			switch (scenario) {
				case "initialize" -> application.registry().server("suite").status();
				case "tools_call" -> application.text("suite_add_numbers", Map.of("a", 5, "b", 3));
				case "sse-retry" -> application.tools()
					.get("suite_test_reconnection")
					.call(McpToolRequest.of(Map.of()).withTimeout(Duration.ofSeconds(60)))
					.orThrow();
				case "json-schema-2020-12-preservation" -> application.text("suite_json_schema_echo",
						Map.of("schema", application.tools().get("suite_json_schema_2020_12_tool").inputSchema()));
				case "elicitation-sep1034-client-defaults" ->
					application.text("suite_test_client_elicitation_defaults", Map.of());
				default -> application.text("suite_test-tool", Map.of());
			}
		}
		finally {
			SecurityContextHolder.clearContext();
		}
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
	private void runForUser(String scenario, String url, JsonNode context) throws Exception {
		ClientApplication application = this.loginPages;
		if (application == null) {
			application = ClientApplication.start(WebApplicationType.SERVLET, new Class<?>[] { LoginPages.class },
					"mcp.servers.any.enabled=false", "mcp.servers.any.url=http://localhost",
					"mcp.servers.any.auth.oauth2.grant-type=authorization-code");
			this.loginPages = application;
		}
		String name = scenario.replaceAll("\\W", "-");
		String origin = "http://localhost:"
				+ application.context().getEnvironment().getRequiredProperty("local.server.port");
		Map<String, String> settings = new HashMap<>(Map.of("oauth2.grant-type", "authorization-code",
				"oauth2.redirect-uri", origin + "/authorize/oauth2/code/mcp-" + name));
		authorization(scenario, context).stream()
			.filter((setting) -> !setting.contains("interactive"))
			.map((setting) -> setting.substring((SERVER + "auth.").length()).split("=", 2))
			.forEach((setting) -> settings.put(setting[0], setting[1]));
		application.registrar()
			.add(McpServerDefinition.http(name, URI.create(url)).auth(McpServerAuth.of(settings)).build())
			.block();
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
			application.registrar().remove(name).block();
		}
	}

	private static List<String> authorization(String scenario, JsonNode context) {
		if (!scenario.startsWith("auth/")) {
			return List.of();
		}
		List<String> settings = new ArrayList<>();
		context.optional("client_id").ifPresent((id) -> settings.add("client-id=" + id.asString()));
		context.optional("client_secret").ifPresent((secret) -> settings.add("client-secret=" + secret.asString()));
		context.optional("private_key_pem").ifPresent((key) -> settings.add("private-key=" + key.asString()));
		context.optional("signing_algorithm")
			.ifPresent((algorithm) -> settings.add("signing-algorithm=" + algorithm.asString()));
		context.optional("valid_jwt").ifPresent((assertion) -> {
			settings.add("grant-type=jwt-bearer");
			settings.add("assertion-file=" + file(assertion.asString()));
		});
		context.optional("idp_client_id").ifPresent((id) -> {
			settings.add("grant-type=jwt-bearer");
			settings.add("identity-provider=company");
			Registrations.company = ClientRegistration.withRegistrationId("company")
				.clientId(id.asString())
				.clientAuthenticationMethod(ClientAuthenticationMethod.NONE)
				.authorizationGrantType(AuthorizationGrantType.AUTHORIZATION_CODE)
				.redirectUri("{baseUrl}/login/oauth2/code/{registrationId}")
				.authorizationUri(context.path("idp_issuer").asString() + "/authorize")
				.tokenUri(context.path("idp_token_endpoint").asString())
				.build();
		});
		if (isLogin(scenario, context)) {
			settings.add("interactive=true");
			settings.add("client-metadata-uri=https://conformance-test.local/client-metadata.json");
		}
		return settings.stream().map((setting) -> SERVER + "auth.oauth2." + setting).toList();
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
		if (this.loginPages != null) {
			this.loginPages.close();
		}
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
