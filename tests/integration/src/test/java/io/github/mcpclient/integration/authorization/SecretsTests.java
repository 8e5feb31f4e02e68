package io.github.mcpclient.integration.authorization;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.mcpclient.McpServer;
import io.github.mcpclient.McpServerState;
import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.test.server.McpTestReply;
import io.github.mcpclient.test.server.McpTestRequest;
import io.github.mcpclient.test.server.McpTestServer;
import io.github.mcpclient.testsupport.ClientApplication;
import io.github.mcpclient.testsupport.Peers;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.logging.LoggingSystem;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

/**
 * Secrets in every place of the configuration that takes one, and a look at all that
 * comes out: logs at TRACE, exceptions with their causes, Actuator, {@code toString()}.
 * The server repeats what it is sent, headers, URL and body, wherever it can: in the
 * bodies of errors, in messages, in log notifications. The path, or the tool that is
 * called, says how.
 */
@ExtendWith(OutputCaptureExtension.class)
class SecretsTests {

	private static final Duration LIMIT = Duration.ofSeconds(60);

	// what each secret begins with; the rest tells where it was
	private static final Pattern SECRET = Pattern.compile("s3cr3t-[\\w-]+");

	private static final Pattern SERVER = Pattern.compile("mcp\\.servers\\.a\\d+");

	private static final String LOUD_CHILD = "env >&2; echo \"not JSON: $(env)\"; sleep 1; exit 3";

	private static final List<String> TOOLS = List.of("isError", "401", "403", "500", "html", "redirect", "error",
			"garbage", "sse");

	@TempDir
	Path directory;

	private final McpTestServer server = McpTestServer.create().capability("logging", Map.of());

	@BeforeEach
	void repeatWhatIsSent() {
		TOOLS.forEach((tool) -> this.server.tool(tool, (request) -> repeat(tool, request)));
		this.server.on("POST", (request) -> isMcp(request) ? McpTestReply.standard() : repeat(request))
			.on("GET",
					(request) -> isMcp(request) ? McpTestReply.events(log(echo(request))).thenHang() : repeat(request))
			.on("DELETE", (request) -> repeat("500", request))
			.start();
	}

	@AfterEach
	void close() {
		this.server.close();
		LoggingSystem.get(getClass().getClassLoader()).setLogLevel("io.github.mcpclient", null);
	}

	@Test
	void nothingThatRunsTellsThem(CapturedOutput output) throws Exception {
		StringBuilder told = new StringBuilder();
		try (ClientApplication application = start(WebApplicationType.SERVLET, properties())) {
			Awaitility.await().atMost(LIMIT).until(() -> application.state("ready") == McpServerState.READY);
			Awaitility.await()
				.atMost(LIMIT)
				.until(() -> application.registry()
					.servers()
					.stream()
					.map(McpServer::status)
					.filter((status) -> !status.name().equals("ready"))
					.allMatch((status) -> status.lastError() != null));
			TOOLS.forEach((tool) -> {
				append(told, catchThrowable(() -> application.registry().callTool("ready_" + tool, Map.of())));
				append(told, catchThrowable(
						() -> application.tools().get("ready_" + tool).callAsync(Map.of()).block(LIMIT)));
			});
			application.registry().servers().stream().map(McpServer::name).forEach((name) -> {
				append(told, catchThrowable(() -> application.registry().server(name).prompts()));
				append(told, catchThrowable(() -> application.registry().server(name).readResource("x:y")));
			});
			append(told, catchThrowable(() -> application.registry().callTool("down_x", Map.of())));
			append(told, catchThrowable(() -> application.manager().add(definition("two words"))));
			append(told, catchThrowable(() -> application.manager().add(definition("added"))));
			told.append(definition("x"))
				.append(definition("x").http())
				.append(application.registry().servers())
				.append(application.registry().servers().stream().map(McpServer::status).toList());
			told.append(application.registry());
			lookAtActuator(application, told);
		}
		assertThat(told.toString()).contains("MCP server 'ready'", "\"mcp.servers.ready.headers.Authorization\"",
				"{\"name\":\"mcp.servers.ready.headers.Authorization\",\"value\":\"******\"", "\"state\":\"READY\"");
		assertThat(secretsOf(told)).as("told").isEmpty();
		assertThat(output.toString()).contains("is READY", "MCP server 'status401'", "MCP server 'loud'",
				"MCP tool 'ready_isError' returned an error: No: ");
		assertThat(secretsOf(output)).as("logged").isEmpty();
	}

	@ParameterizedTest
	@MethodSource("mistakes")
	void noStartThatFailsTellsThem(List<String> mistake, CapturedOutput output) throws Exception {
		List<String> properties = new ArrayList<>();
		for (String property : mistake) {
			properties.add(property.replace("{port}", String.valueOf(this.server.port()))
				.replace("{dir}", this.directory.toString()));
		}
		Files.writeString(this.directory.resolve("broken.env"), "TOKEN='s3cr3t-env-file\nOTHER=1\n");
		Files.writeString(this.directory.resolve("broken.json"),
				"""
						{"mcpServers": {"a": {"url": "http://localhost/mcp", "headers": {"X": "s3cr3t-broken-json" "Y": 1}}}}""");
		Files.writeString(this.directory.resolve("kinds.json"), """
				{"mcpServers": {"a": {"url": "http://localhost/mcp", "headers": ["s3cr3t-headers-list"]},
				"b": {"command": "b", "env": "s3cr3t-env-text", "args": {"token": "s3cr3t-args-object"}}}}""");
		StringBuilder told = new StringBuilder();
		Throwable failure = catchThrowable(
				() -> start(WebApplicationType.NONE, properties.toArray(String[]::new)).close());
		assertThat(failure).isNotNull();
		append(told, failure);
		assertThat(output.toString()).contains("APPLICATION FAILED TO START");
		mistake.stream()
			.flatMap((property) -> SERVER.matcher(property).results())
			.forEach((server) -> assertThat(output.toString()).contains(server.group()));
		assertThat(secretsOf(told)).as("told").isEmpty();
		assertThat(secretsOf(output)).as("logged").isEmpty();
	}

	static Stream<List<String>> mistakes() {
		String secretUrl = "https://user:s3cr3t-userinfo@a.example/mcp?key=s3cr3t-query";
		List<String> together = List.of("mcp.servers.a0.url=" + secretUrl,
				"mcp.servers.a0.command=run --token s3cr3t-command",
				"mcp.servers.a1.url=https://user:s3cr3t-userinfo@a.example/m cp?key=s3cr3t-query",
				"mcp.servers.a2.url=ftp://user:s3cr3t-userinfo@a.example/mcp?key=s3cr3t-query",
				"mcp.servers.a3.url=https://user:s3cr3t-userinfo@a_b/mcp?key=s3cr3t-query",
				"mcp.servers.a4.url=" + secretUrl + "#fragment", "mcp.servers.a5.url=" + secretUrl,
				"mcp.servers.a5.type=carrier-pigeon", "mcp.servers.a6.url=" + secretUrl,
				"mcp.servers.a6.headers.X-Key=s3cr3t-header\u0007", "mcp.servers.a7.url=" + secretUrl,
				"mcp.servers.a7.headers[X Key]=s3cr3t-header", "mcp.servers.a8.url=" + secretUrl,
				"mcp.servers.a8.headers=s3cr3t-header", "mcp.servers.a9.url=" + secretUrl,
				"mcp.servers.a9.headers[0]=s3cr3t-header", "mcp.servers.a10.url=" + secretUrl,
				"mcp.servers.a10.headers.X-Key=s3cr3t-header ${NO_SUCH_VARIABLE}", "mcp.servers.a11.url=" + secretUrl,
				"mcp.servers.a11.headers.X-Key=${mine}", "mine=s3cr3t-indirect ${NO_SUCH_VARIABLE}",
				"mcp.servers.a12.url=" + secretUrl + "${NO_SUCH_VARIABLE}", "mcp.servers.a13.url=" + secretUrl,
				"mcp.servers.a13.config=s3cr3t-config", "mcp.servers.a14.url=" + secretUrl,
				"mcp.servers.a14.env.TOKEN=s3cr3t-env", "mcp.servers.a15.command=a", "mcp.servers.a15.env=s3cr3t-env",
				"mcp.servers.a16.command=a\u0000b s3cr3t-command", "mcp.servers.a17.command=a",
				"mcp.servers.a17.env.TOKEN=s3cr3t-env\u0000", "mcp.servers.a18.command=a",
				"mcp.servers.a18.args[0]=--token=s3cr3t-arg", "mcp.servers.a18.args[1]=a\u0000b",
				"mcp.servers.a19.command=a", "mcp.servers.a19.env-file={dir}/broken.env", "mcp.servers.a20.command=a",
				"mcp.servers.a20.env.TOKEN=s3cr3t-env", "mcp.servers.a20.env-file={dir}/missing.env",
				"mcp.servers.a21.url=http://a.example/mcp", "mcp.servers.a21.auth.bearer.token=s3cr3t-token",
				"mcp.servers.a22.url=https://a.example/mcp", "mcp.servers.a22.auth.bearer.token=s3cr3t-token\u0007",
				"mcp.servers.a23.url=https://a.example/mcp", "mcp.servers.a23.auth.type=baerer",
				"mcp.servers.a23.auth.basic.password=s3cr3t-password", "mcp.servers.a24.url=https://a.example/mcp",
				"mcp.servers.a24.auth.oauth2.registration-id=x",
				"mcp.servers.a24.auth.oauth2.client-secret=s3cr3t-client");
		return Stream.of(together, List.of("spring.config.import=mcp:{dir}/broken.json"),
				List.of("spring.config.import=mcp:{dir}/kinds.json", "mcp.defaults.required=true"),
				List.of("mcp.servers.a.url=http://user:s3cr3t-userinfo@localhost:{port}/500?key=s3cr3t-query",
						"mcp.servers.a.headers.Authorization=Bearer s3cr3t-header", "mcp.servers.a.required=true",
						"mcp.startup.wait=2s", "mcp.servers.a.initialization-timeout=2s"),
				List.of("mcp.servers.a.command=sh", "mcp.servers.a.args[0]=-c", "mcp.servers.a.args[1]=" + LOUD_CHILD,
						"mcp.servers.a.env.TOKEN=s3cr3t-env", "mcp.servers.a.required=true", "mcp.startup.wait=2s",
						"mcp.servers.a.initialization-timeout=2s"));
	}

	private String[] properties() throws IOException {
		Path envFile = Files.writeString(this.directory.resolve("some.env"), "FROM_FILE=s3cr3t-env-file\n");
		Path imported = Files.writeString(this.directory.resolve("mcp.json"), """
				{"inputs": [{"id": "key", "type": "promptString", "password": true}],
				"servers": {
				"imported": {"url": "http://localhost:%d/500?key=s3cr3t-json-query",
				"headers": {"Authorization": "Bearer s3cr3t-json-header", "X-Input": "${input:key}"}},
				"imported-child": {"command": "sh", "args": ["-c", "env >&2; exit 1"],
				"env": {"TOKEN": "s3cr3t-json-env", "INPUT": "${input:key}"}}}}""".formatted(this.server.port()));
		List<String> properties = new ArrayList<>(List.of("spring.config.import=mcp:" + imported,
				"mcp.inputs.key=s3cr3t-input", "mcp.defaults.headers.X-Default=s3cr3t-default-header",
				"mcp.defaults.env.DEFAULT=s3cr3t-default-env",
				"mcp.defaults.config.default.token=s3cr3t-default-config", "mcp.defaults.reconnect.initial-delay=100ms",
				"mcp.defaults.reconnect.max-delay=500ms", "mcp.defaults.request-timeout=2s", "mcp.startup.wait=1s",
				"spring.ssl.bundle.jks.locked.keystore.location=classpath:nothing.p12",
				"spring.ssl.bundle.jks.locked.keystore.password=s3cr3t-keystore",
				"mcp.servers.locked.url=https://localhost:1/mcp", "mcp.servers.locked.ssl.bundle=locked",
				"management.endpoints.web.exposure.include=*", "management.endpoint.mcp.access=unrestricted",
				"management.endpoint.health.show-details=always", "management.info.env.enabled=false"));
		http(properties, "ready", this.server.port(), "/mcp");
		http(properties, "down", Peers.freePort(), "/mcp");
		for (String path : List.of("401", "404", "500", "html", "redirect", "error", "garbage", "sse")) {
			http(properties, (Character.isDigit(path.charAt(0)) ? "status" : "") + path, this.server.port(),
					"/" + path);
		}
		http(properties, "older", this.server.port(), "/500");
		properties.add("mcp.servers.older.type=sse");
		for (String credentials : List.of("bearer.token=s3cr3t-token", "basic.username=user",
				"basic.password=s3cr3t-password")) {
			String name = credentials.substring(0, credentials.indexOf('.'));
			properties.add("mcp.servers." + name + ".url=http://localhost:" + this.server.port() + "/401");
			properties.add("mcp.servers." + name + ".auth." + credentials);
		}
		properties.addAll(List.of("mcp.servers.oauth.url=http://localhost:" + this.server.port() + "/401",
				"mcp.servers.oauth.auth.oauth2.token-uri=http://localhost:" + this.server.port() + "/500",
				"mcp.servers.oauth.auth.oauth2.client-id=client",
				"mcp.servers.oauth.auth.oauth2.client-secret=s3cr3t-client"));
		String loud = "mcp.servers.loud.";
		properties.addAll(List.of(loud + "command=sh", loud + "args[0]=-c", loud + "args[1]=" + LOUD_CHILD,
				loud + "args[2]=--api-key", loud + "args[3]=s3cr3t-arg", loud + "args[4]=--token=s3cr3t-token-arg",
				loud + "args[5]=https://user:s3cr3t-arg-userinfo@a.example/?key=s3cr3t-arg-query",
				loud + "env.TOKEN=s3cr3t-env", loud + "env-file=" + envFile,
				loud + "config.vendor.token=s3cr3t-config"));
		return properties.toArray(String[]::new);
	}

	private static void http(List<String> properties, String name, int port, String path) {
		String prefix = "mcp.servers." + name + ".";
		properties.add(prefix + "url=http://user:s3cr3t-userinfo@localhost:" + port + path + "?key=s3cr3t-query");
		properties.add(prefix + "headers.Authorization=Bearer s3cr3t-header");
		properties.add(prefix + "headers.X-Api-Key=s3cr3t-api-key");
		properties.add(prefix + "config.vendor.token=s3cr3t-config");
	}

	private McpServerDefinition definition(String name) {
		return McpServerDefinition
			.http(name,
					URI.create("http://user:s3cr3t-code-userinfo@localhost:" + this.server.port()
							+ "/500?key=s3cr3t-code-query"))
			.headers(Map.of("Authorization", "Bearer s3cr3t-code-header"))
			.build();
	}

	private static ClientApplication start(WebApplicationType type, String... properties) {
		return ClientApplication.start(type, new Class<?>[0], Stream
			.concat(Stream.of(properties), Stream.of("logging.level.io.github.mcpclient=TRACE",
					// which loads each bundle at the start
					"spring.autoconfigure.exclude=org.springframework.boot.micrometer.metrics.autoconfigure.ssl"
							+ ".SslMetricsAutoConfiguration",
					"spring.reactor.netty.shutdown-quiet-period=0"))
			.toArray(String[]::new));
	}

	private static void lookAtActuator(ClientApplication application, StringBuilder told) throws Exception {
		JsonNode links = application.get("/actuator").path("_links");
		List<String> paths = new ArrayList<>();
		links.propertyStream().forEach((link) -> {
			String path = URI.create(link.getValue().path("href").asString().replaceAll("[{].*", "")).getPath();
			// a dump of the memory has all there is
			if (!path.contains("heapdump")) {
				paths.add(path);
			}
		});
		paths.add("/actuator/configprops/mcp");
		for (String property : List.of("mcp.servers.ready.url", "mcp.servers.ready.headers.Authorization",
				"mcp.inputs.key", "mcp.servers.imported.headers.Authorization")) {
			paths.add("/actuator/env/" + property);
		}
		application.registry().servers().forEach((server) -> paths.add("/actuator/mcp/" + server.name()));
		for (String path : paths) {
			HttpResponse<String> response = application.exchange(path);
			told.append(path).append(' ').append(response.headers().map()).append(response.body()).append('\n');
		}
		String port = application.context().getEnvironment().getRequiredProperty("local.server.port");
		for (String server : List.of("ready", "status500", "loud")) {
			for (String action : List.of("reconnect", "refresh", "s0mething")) {
				HttpRequest request = HttpRequest
					.newBuilder(URI.create("http://localhost:" + port + "/actuator/mcp/" + server))
					.header("Content-Type", "application/json")
					.POST(HttpRequest.BodyPublishers
						.ofString(JsonMapper.shared().writeValueAsString(Map.of("action", action))))
					.build();
				told.append(HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString()).body());
			}
		}
	}

	private static void append(StringBuilder told, Throwable failure) {
		if (failure == null) {
			return;
		}
		StringWriter trace = new StringWriter();
		failure.printStackTrace(new PrintWriter(trace, true));
		told.append(trace).append('\n');
	}

	private static List<String> secretsOf(CharSequence text) {
		return SECRET.matcher(text)
			.results()
			.map((MatchResult match) -> match.group() + " in: "
					+ text.subSequence(Math.max(0, match.start() - 300), Math.min(text.length(), match.end() + 60)))
			.collect(Collectors.toCollection(TreeSet::new))
			.stream()
			.toList();
	}

	private static boolean isMcp(McpTestRequest request) {
		return request.path().equals("/mcp");
	}

	private static McpTestReply repeat(McpTestRequest request) {
		return repeat(request.path().substring(1), request);
	}

	private static McpTestReply repeat(String how, McpTestRequest request) {
		String echo = echo(request);
		return switch (how) {
			case "html" -> McpTestReply.status(200).body("text/html", "<p>" + echo);
			case "redirect" -> McpTestReply.status(302)
				.withHeader("Location", "http://user:" + "s3cr3t-location@elsewhere.example/?token=s3cr3t-location");
			case "error" -> McpTestReply.error(-32000, "No: " + echo, echo);
			case "garbage" -> McpTestReply.raw("{" + echo);
			case "sse" -> McpTestReply.events(log(echo), "data: {" + echo + "\n\n");
			case "isError" -> McpTestReply.toolError("No: " + echo);
			default -> McpTestReply.status(Integer.parseInt(how))
				.withHeader("WWW-Authenticate", "Bearer realm=\"" + echo.replaceAll("[^\\w .:/?=&-]", "") + "\"")
				.body("text/plain", echo);
		};
	}

	private static String echo(McpTestRequest request) {
		return request.path() + "?" + request.query() + " " + request.headers() + " " + request.body();
	}

	private static String log(String echo) {
		return "data: " + McpTestReply.notification("notifications/message",
				Map.of("level", "error", "logger", "echo", "data", "You sent: " + echo)) + "\n\n";
	}

}
