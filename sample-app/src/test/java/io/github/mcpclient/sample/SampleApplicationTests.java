package io.github.mcpclient.sample;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import com.google.protobuf.ByteString;
import io.github.mcpclient.McpServer;
import io.github.mcpclient.McpServerRegistry;
import io.github.mcpclient.McpServerState;
import io.github.mcpclient.management.McpServerManager;
import io.opentelemetry.proto.trace.v1.Span;
import io.opentelemetry.proto.trace.v1.Status;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.awaitility.core.ConditionTimeoutException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;
import org.springframework.test.json.JsonCompareMode;
import org.springframework.test.util.TestSocketUtils;
import org.springframework.test.web.servlet.client.RestTestClient;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * Tests for {@link SampleApplication} with its own configuration and real servers.
 */
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT)
@Timeout(180)
class SampleApplicationTests {

	@LocalServerPort
	private int port;

	@Autowired
	private McpServerRegistry registry;

	@Autowired
	private McpServerManager manager;

	@Autowired
	private DemoMcpServer demoServer;

	private static final TraceReceiver traces = TraceReceiver.start();

	@DynamicPropertySource
	static void ports(DynamicPropertyRegistry properties) {
		int demoPort = TestSocketUtils.findAvailableTcpPort();
		properties.add("sample.demo-server.port", () -> demoPort);
		properties.add("management.opentelemetry.tracing.export.otlp.endpoint", traces::url);
		properties.add("management.opentelemetry.tracing.export.schedule-delay", () -> "100ms");
	}

	@AfterAll
	static void stopReceiver() {
		traces.close();
	}

	@BeforeEach
	void awaitServers() {
		await().atMost(Duration.ofSeconds(60)).until(() -> state("demo"), McpServerState.READY::equals);
		await().atMost(Duration.ofSeconds(60)).until(() -> this.registry.server("down").status().lastError() != null);
	}

	@Test
	void listsTools() {
		get("/tools").expectStatus()
			.isOk()
			.expectBody()
			.jsonPath("$[?(@.server == 'demo')].name")
			.value((names) -> assertThat(names).asInstanceOf(InstanceOfAssertFactories.LIST)
				.containsExactly("demo_dice_roll", "demo_time_now"))
			.jsonPath("$[0]")
			.isEqualTo(Map.of("name", "demo_dice_roll", "server", "demo", "description", "Rolls dice and adds them up.",
					"available", true));
	}

	@Test
	void saysWhatItConsistsOf() {
		boolean required = Boolean.parseBoolean(System.getenv("CI"));
		assumeTrue(required || getClass().getResource("/META-INF/sbom/application.cdx.json") != null,
				"Maven is offline");
		get("/actuator/sbom/application").expectStatus()
			.isOk()
			.expectBody()
			.jsonPath("$.components[*].name")
			.value((names) -> assertThat(names).asInstanceOf(InstanceOfAssertFactories.LIST)
				.contains("mcp-client-autoconfigure", "mcp-core", "reactor-netty-http"));
	}

	@Test
	void showsATool() {
		get("/tools/demo_time_now").expectStatus().isOk().expectBody().json("""
				{"name": "demo_time_now", "server": "demo", "originalName": "time_now", "title": "Current time",
				 "description": "Tells the current time in a time zone.", "available": true,
				 "annotations": {"readOnlyHint": true, "openWorldHint": false},
				 "inputSchema": {"type": "object", "properties": {"zone": {"type": "string"}}},
				 "outputSchema": {"type": "object", "required": ["zone", "time"]}}
				""", JsonCompareMode.LENIENT);
		get("/tools/nobody").expectStatus().isNotFound();
	}

	@Test
	void callsATool() {
		call("demo_dice_roll", "{\"sides\": 2, \"count\": 3}").expectStatus()
			.isOk()
			.expectBody()
			.jsonPath("$.isError")
			.isEqualTo(false)
			.jsonPath("$.structuredContent.rolls.length()")
			.isEqualTo(3)
			.jsonPath("$.text")
			.value((text) -> assertThat(text).asString().startsWith("Rolled ["));
		call("demo_time_now", "{}").expectStatus()
			.isOk()
			.expectBody()
			.jsonPath("$.structuredContent.zone")
			.isEqualTo("UTC");
	}

	@Test
	void callsAToolOverAWebSocket() {
		await().atMost(Duration.ofSeconds(60)).until(() -> state("socket"), McpServerState.READY::equals);
		call("socket_dice_roll", "{\"sides\": 2}").expectStatus()
			.isOk()
			.expectBody()
			.jsonPath("$.isError")
			.isEqualTo(false);
	}

	@Test
	void answersWithTheErrorOfATool() {
		call("demo_time_now", "{\"zone\": \"Mars/Olympus\"}").expectStatus().isOk().expectBody().json("""
				{"text": "There is no time zone 'Mars/Olympus'.", "isError": true}
				""", JsonCompareMode.STRICT);
	}

	@Test
	void answersWithTheNearestNamesWhenAToolIsNotKnown() {
		call("demo_dice_rol", "{}").expectStatus()
			.isNotFound()
			.expectBody()
			.jsonPath("$.detail")
			.value((detail) -> assertThat(detail).asString()
				.startsWith("No MCP tool 'demo_dice_rol'. Did you mean demo_dice_roll"));
	}

	@Test
	void tellsTheServersApart() {
		get("/actuator/mcp").expectStatus()
			.isOk()
			.expectBody()
			.jsonPath("$.servers.demo.state")
			.isEqualTo("READY")
			.jsonPath("$.servers.demo.server.name")
			.isEqualTo("demo")
			.jsonPath("$.servers.demo.tools")
			.isEqualTo(2)
			.jsonPath("$.servers.socket.type")
			.isEqualTo("websocket")
			.jsonPath("$.servers.everything.type")
			.isEqualTo("stdio")
			.jsonPath("$.servers.down.lastError")
			.exists();
		assertThat(this.registry.servers()).extracting(McpServer::name)
			.containsExactly("demo", "socket", "everything", "down");
		get("/actuator/health").expectStatus()
			.isOk()
			.expectBody()
			.jsonPath("$.status")
			.isEqualTo("UP")
			.jsonPath("$.components.mcp.components.demo.status")
			.isEqualTo("UP");
		get("/actuator/info").expectStatus().isOk().expectBody().jsonPath("$.mcp.servers.demo.tools").isEqualTo(2);
	}

	@Test
	void answersAreThoseOfTheDocumentation() throws IOException {
		List<JsonNode> documented = Pattern.compile("(?ms)^```json\\n(.*?)^```$")
			.matcher(Files.readString(Path.of("../docs/actuator.md")))
			.results()
			.map((snippet) -> JsonMapper.shared().readTree(snippet.group(1)))
			.toList();
		JsonNode shown = documented.get(0).at("/servers/demo");
		JsonNode actual = json("/actuator/mcp").at("/servers/demo");
		assertThat(actual.path("type")).isEqualTo(shown.path("type"));
		assertThat(actual.path("tools")).isEqualTo(shown.path("tools"));
		assertSameMembers(documented.get(0).at("/servers/demo"), json("/actuator/mcp").at("/servers/demo"));
		JsonNode demo = json("/actuator/mcp/demo");
		assertThat(demo.at("/origin/kind").asString()).isEqualTo("CONFIGURED");
		assertThat(demo.at("/definition/http").isMissingNode()).isFalse();
		assertSameMembers(documented.get(1),
				((ObjectNode) demo).remove(List.of("origin", "definition", "calls", "states")));
		assertThat(demo.at("/settings/0/name")).isEqualTo(documented.get(1).at("/settings/0/name"));
		assertThat(demo.at("/settings/0/value")).isEqualTo(documented.get(1).at("/settings/0/value"));
		assertThat(json("/actuator/mcp/demo").path("tools").get(0)).isEqualTo(documented.get(1).path("tools").get(0));
		assertSameMembers(documented.get(3).at("/components/demo"),
				json("/actuator/health/mcp").at("/components/demo"));
	}

	private JsonNode json(String path) {
		return JsonMapper.shared().readTree(get(path).expectBody(String.class).returnResult().getResponseBody());
	}

	private static void assertSameMembers(JsonNode documented, JsonNode actual) {
		assertThat(actual.propertyNames()).containsExactlyInAnyOrderElementsOf(documented.propertyNames());
	}

	@Test
	void callsAToolOfTheReferenceServer() {
		boolean required = Boolean.parseBoolean(System.getenv("CI"));
		assumeTrue(required || hasNpx(), "npx is not installed");
		try {
			// the first run downloads the server
			await().atMost(Duration.ofSeconds(120)).until(() -> state("everything"), McpServerState.READY::equals);
		}
		catch (ConditionTimeoutException ex) {
			assumeTrue(required,
					() -> "npx cannot start it: " + this.registry.server("everything").status().lastError());
			throw ex;
		}
		call("everything_echo", "{\"message\": \"hello\"}").expectStatus()
			.isOk()
			.expectBody()
			.jsonPath("$.text")
			.isEqualTo("Echo: hello");
	}

	@Test
	void spanOfTheServerIsAChildOfTheClients() {
		call("demo_time_now", "{\"zone\": \"Mars/Olympus\"}").expectStatus().isOk();
		Span client = traces.await((span) -> span.getKind() == Span.SpanKind.SPAN_KIND_CLIENT
				&& span.getName().equals("tools/call time_now")
				&& span.getStatus().getCode() == Status.StatusCode.STATUS_CODE_ERROR);
		Span server = traces.await((span) -> span.getParentSpanId().equals(client.getSpanId()));
		assertThat(server.getName()).isEqualTo("tools/call time_now");
		assertThat(server.getKind()).isEqualTo(Span.SpanKind.SPAN_KIND_SERVER);
		assertThat(client.getTraceId()).isEqualTo(server.getTraceId());
		assertThat(TraceReceiver.attributes(client)).containsEntry("mcp.server", "demo")
			.containsEntry("mcp.method.name", "tools/call")
			.containsEntry("gen_ai.tool.name", "time_now")
			.containsEntry("gen_ai.operation.name", "execute_tool")
			.containsEntry("error.type", "tool_error")
			.containsEntry("network.transport", "tcp")
			.containsEntry("network.protocol.name", "http")
			.containsEntry("server.address", "localhost")
			.containsKeys("server.port", "mcp.protocol.version", "jsonrpc.request.id")
			.doesNotContainKeys("mcp.session.id", "gen_ai.tool.call.arguments", "gen_ai.tool.call.result");
		Span request = traces.await((span) -> span.getSpanId().equals(client.getParentSpanId()));
		assertThat(request.getName()).isEqualTo("http post /tools/{name}");
		assertThat(request.getParentSpanId()).isEqualTo(ByteString.EMPTY);
	}

	@Test
	void metricsOfTheDashboardAreScraped() throws IOException {
		call("demo_dice_roll", "{}").expectStatus().isOk();
		call("demo_time_now", "{\"zone\": \"Mars/Olympus\"}").expectStatus().isOk();
		this.demoServer.stop();
		await().atMost(Duration.ofSeconds(30)).until(() -> state("demo"), (state) -> state != McpServerState.READY);
		this.demoServer.start();
		this.manager.server("demo").reconnect();
		String scrape = get("/actuator/prometheus").expectBody(String.class).returnResult().getResponseBody();
		JsonNode dashboard = JsonMapper.shared()
			.readTree(Files.readString(Path.of("observability/grafana/dashboards/mcp-client.json")));
		Set<String> metrics = dashboard.findValuesAsString("expr")
			.stream()
			.flatMap((query) -> Pattern.compile("mcp_client_\\w+").matcher(query).results())
			.map(MatchResult::group)
			.collect(Collectors.toSet());
		assertThat(metrics).hasSizeGreaterThan(8)
			.allSatisfy((metric) -> assertThat(scrape).contains("\n" + metric + "{"));
		assertThat(scrape)
			.containsPattern("mcp_client_operation_duration_seconds_bucket\\{error=\"none\",gen_ai_operation_name="
					+ "\"execute_tool\",gen_ai_tool_name=\"dice_roll\",mcp_method_name=\"tools/call\",mcp_protocol_version="
					+ "\"2025-11-25\",mcp_server=\"demo\",network_protocol_name=\"http\",network_protocol_version=\"1.1\",network_transport=\"tcp\","
					+ "server_address=\"localhost\",server_port=\"\\d+\",le=\"0.01\"} \\d");
		assertThat(scrape).containsPattern("mcp_client_servers\\{mcp_server=\"down\",state=\"READY\"} 0");
	}

	@Test
	void answersThatAServerIsUnavailableAndUsesItAgainAfterwards() {
		this.demoServer.stop();
		try {
			await().atMost(Duration.ofSeconds(30))
				.until(() -> call("demo_dice_roll", "{}").returnResult(String.class).getStatus(),
						HttpStatus.SERVICE_UNAVAILABLE::equals);
			get("/tools/demo_dice_roll").expectStatus().isOk().expectBody().jsonPath("$.available").isEqualTo(false);
			get("/actuator/health").expectStatus().isOk();
		}
		finally {
			this.demoServer.start();
		}
		client().post()
			.uri("/actuator/mcp/demo")
			.contentType(MediaType.APPLICATION_JSON)
			.body("{\"action\": \"reconnect\"}")
			.exchange()
			.expectStatus()
			.isOk()
			.expectBody()
			.jsonPath("$.state")
			.isEqualTo("READY");
		call("demo_dice_roll", "{}").expectStatus().isOk();
	}

	private McpServerState state(String server) {
		return this.registry.server(server).status().state();
	}

	private static boolean hasNpx() {
		return Stream.of(System.getenv("PATH").split(Pattern.quote(File.pathSeparator)))
			.anyMatch((directory) -> new File(directory, "npx").canExecute());
	}

	private RestTestClient client() {
		return RestTestClient.bindToServer().baseUrl("http://localhost:" + this.port).build();
	}

	private RestTestClient.ResponseSpec get(String path) {
		return client().get().uri(path).exchange();
	}

	private RestTestClient.ResponseSpec call(String tool, String arguments) {
		return client().post().uri("/tools/" + tool).contentType(MediaType.APPLICATION_JSON).body(arguments).exchange();
	}

}
