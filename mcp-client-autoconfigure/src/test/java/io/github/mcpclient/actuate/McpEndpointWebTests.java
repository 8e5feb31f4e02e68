package io.github.mcpclient.actuate;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import io.github.mcpclient.McpProtocolException;
import io.github.mcpclient.McpServerState;
import io.github.mcpclient.McpServerStatus;
import io.github.mcpclient.McpServerStatus.StepKind;
import io.github.mcpclient.McpServerUnavailableException;
import io.github.mcpclient.NoSuchMcpServerException;
import io.github.mcpclient.actuate.FakeMcpServerRegistry.FakeTool;
import io.github.mcpclient.definition.InvalidMcpConfigurationException;
import io.github.mcpclient.definition.InvalidMcpConfigurationException.Problem;
import io.github.mcpclient.management.ManagedMcpServer.ExcludedTool;
import io.github.mcpclient.management.ManagedMcpServer.RecentCall;
import io.github.mcpclient.management.McpDiagnosis;
import io.github.mcpclient.management.McpDiagnosis.Outcome;
import io.github.mcpclient.management.McpDiagnosis.Step;
import io.github.mcpclient.management.McpReload;
import io.github.mcpclient.management.McpReloadFailure;
import io.github.mcpclient.management.McpServerReloader;
import io.github.mcpclient.testsupport.TestServerStatus;
import io.modelcontextprotocol.spec.McpSchema.Implementation;
import io.modelcontextprotocol.spec.McpSchema.ToolAnnotations;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;
import org.mockito.Mockito;
import reactor.core.publisher.Mono;

import org.springframework.boot.WebApplicationType;
import org.springframework.http.HttpStatus;
import org.springframework.test.json.JsonCompareMode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

/**
 * Tests for {@link McpEndpoint} and {@link McpEndpointWebExtension} over HTTP.
 */
@ParameterizedClass
@EnumSource(names = { "SERVLET", "REACTIVE" })
class McpEndpointWebTests {

	private static final McpServerStatus EVERYTHING = new TestServerStatus("everything", McpServerState.READY, "stdio",
			"node server.js", false,
			Implementation.builder("mcp-servers/everything", "2.0.0").title("Everything Server").build(), "2025-11-25",
			1, 0, 0, 0, FakeMcpServerRegistry.SINCE, 1, Duration.ofMillis(3), null, null,
			List.of("Starting default (STDIO) server..."));

	private static final McpServerStatus DOWN = FakeMcpServerRegistry.status("down", McpServerState.UNAVAILABLE, true);

	private static final McpServerStatus OFF = new TestServerStatus("off.v1", McpServerState.DISABLED, "stdio", "npx",
			false, null, null, 0, 0, 0, 0, FakeMcpServerRegistry.SINCE, 0, null, null, null, List.of());

	private static final FakeTool ECHO = new FakeTool("everything", "echo", "Echo", "Echoes \"back\"",
			Map.of("type", "object"), Map.of("type", "string"), ToolAnnotations.builder().readOnlyHint(true).build(),
			true, Instant.parse("2026-11-21T11:12:13.456789Z"));

	private static final FakeTool BARE = new FakeTool("everything", "bare", null, null, Map.of(), null, null, false,
			null);

	private static final String DEFAULTS = """
			"protocol": "auto", "timeouts": {"request": "PT1M", "initialization": "PT20S", "firstStart": "PT5M", "connect": "PT10S"},
			 "reconnect": {"enabled": true, "initialDelay": "PT1S", "multiplier": 2.0, "maxDelay": "PT30S", "jitter": 1.0},
			 "limits": {"maxMessageSize": 16777216, "maxResultSize": 5242880, "maxTools": 1000},
			 "tools": {"enabled": true, "filter": [],
			   "policy": {"access": "ALL", "allowDestructive": true, "allowOpenWorld": true},
			   "validateArguments": false, "validateResults": true, "maxText": 50000, "pinning": "OFF"},
			 "prompts": {"enabled": true, "max": 1000}, "resources": {"enabled": true, "max": 1000, "asTools": false},
			 "sampling": {"enabled": true, "timeout": "PT1M", "maxTokens": 4096, "maxRequestsPerMinute": 60,
			   "maxDepth": 1},
			 "elicitation": {"enabled": true, "timeout": "PT5M"}""";

	private static final FakeMcpServerRegistry registry = new FakeMcpServerRegistry();

	private static final McpServerReloader reloader = mock(McpServerReloader.class);

	private static ActuatorApplication application;

	@Parameter
	private WebApplicationType type;

	@BeforeParameterizedClassInvocation
	static void start(WebApplicationType type) {
		application = ActuatorApplication.run(type, registry, reloader, "management.endpoint.mcp.access=unrestricted");
	}

	@AfterParameterizedClassInvocation
	static void stop() {
		application.close();
	}

	@BeforeEach
	void reset() {
		registry.reset(EVERYTHING, DOWN, OFF);
		Mockito.reset(reloader);
		given(reloader.failure()).willReturn(Optional.empty());
	}

	@Test
	void countsTheToolsThatTheApplicationGetsAndThoseThatItDoesNot() {
		registry.set(EVERYTHING).tools(ECHO, BARE).excludedTools(new ExcludedTool("bad name", "not a valid tool name"));
		application.get("/mcp")
			.expectBody()
			.jsonPath("$.servers.everything.tools")
			.isEqualTo(2)
			.jsonPath("$.servers.everything.excluded")
			.isEqualTo(1);
	}

	@Test
	void listsAllServersInTheOrderOfTheirConfiguration() {
		String body = application.get("/mcp").expectStatus().isOk().returnResult(String.class).getResponseBody();
		// order counts, which a comparison of JSON does not see
		assertThat(body).isEqualTo("""
				{"servers":{\
				"everything":{"state":"READY","type":"stdio","target":"node server.js","required":false,\
				"server":{"name":"mcp-servers/everything","title":"Everything Server","version":"2.0.0"},\
				"protocolVersion":"2025-11-25","tools":1,"since":"2026-11-21T10:00:00Z","attempts":1,"latencyMs":3},\
				"down":{"state":"UNAVAILABLE","type":"streamable-http","target":"http://localhost:9999/mcp",\
				"required":true,"tools":0,"since":"2026-11-21T10:00:00Z","attempts":4,\
				"lastError":"Connection refused: localhost:9999","nextRetry":"2026-11-21T10:00:08.123Z"},\
				"off.v1":{"state":"DISABLED","type":"stdio","target":"npx","required":false,"tools":0,\
				"since":"2026-11-21T10:00:00Z","attempts":0}}}""");
	}

	@Test
	void showsAServerWithItsToolsAndNoValuesThatAreAbsent() {
		Instant started = Instant.parse("2026-11-21T12:00:00.123456Z");
		registry.set(EVERYTHING)
			.tools(ECHO, BARE)
			.excludedTools(new ExcludedTool("bad name", "not a valid tool name"))
			.recentCalls(
					new RecentCall("everything_echo", started, Duration.ofMillis(60_001), true,
							"McpRequestTimeoutException", "It timed out"),
					new RecentCall("everything_echo", started, Duration.ofNanos(3_700_000), false, "success", null));
		application.get("/mcp/everything").expectStatus().isOk().expectBody().json("""
				{"state": "READY", "type": "stdio", "target": "node server.js", "required": false,
				 "server": {"name": "mcp-servers/everything", "title": "Everything Server", "version": "2.0.0"},
				 "protocolVersion": "2025-11-25", "since": "2026-11-21T10:00:00Z", "attempts": 1, "latencyMs": 3,
				 "tools": [
				   {"name": "everything_echo", "originalName": "echo", "title": "Echo",
				    "description": "Echoes \\"back\\"", "inputSchema": {"type": "object"},
				    "outputSchema": {"type": "string"}, "annotations": {"readOnlyHint": true}, "available": true,
				    "changedAt": "2026-11-21T11:12:13.456Z"},
				   {"name": "everything_bare", "originalName": "bare", "inputSchema": {}, "available": false}],
				 "excluded": [{"originalName": "bad name", "reason": "not a valid tool name"}],
				 "calls": [
				   {"tool": "everything_echo", "started": "2026-11-21T12:00:00.123Z", "durationMs": 60001,
				    "outcome": "McpRequestTimeoutException", "error": "It timed out", "repeated": true},
				   {"tool": "everything_echo", "started": "2026-11-21T12:00:00.123Z", "durationMs": 3,
				    "outcome": "success"}],
				 "states": [{"state": "READY", "since": "2026-11-21T10:00:00Z"}],
				 "stderr": ["Starting default (STDIO) server..."],
				 "origin": {"kind": "IMPORTED", "location": "mcp.json:3:5"},
				 "definition": {"enabled": true, "auth": "none", "roots": [],
				   "stdio": {"env": ["KEY"], "inheritEnvironment": false, "encoding": "UTF-8"}, %s}}
				""".formatted(DEFAULTS), JsonCompareMode.STRICT);
		application.get("/mcp/down").expectStatus().isOk().expectBody().json("""
				{"state": "UNAVAILABLE", "type": "streamable-http", "target": "http://localhost:9999/mcp",
				 "required": true, "since": "2026-11-21T10:00:00Z", "attempts": 4,
				 "lastError": "Connection refused: localhost:9999", "nextRetry": "2026-11-21T10:00:08.123Z",
				 "tools": [], "excluded": [],
				 "origin": {"kind": "IMPORTED", "location": "mcp.json:3:5"},
				 "definition": {"enabled": true, "auth": "bearer", "roots": ["/data/******"],
				   "http": {"headers": ["X-Key"], "proxy": "proxy:3128", "terminateOnClose": true}, %s}}
				""".formatted(DEFAULTS), JsonCompareMode.STRICT);
		application.get("/mcp/off.v1")
			.expectStatus()
			.isOk()
			.expectBody()
			.jsonPath("$.stderr")
			.isEmpty()
			.jsonPath("$.state")
			.isEqualTo("DISABLED");
		assertThat(registry.contacts).isEmpty();
	}

	@Test
	void doesNotKnowAnUnknownServer() {
		application.get("/mcp/dawn").expectStatus().isNotFound().expectBody().json("""
				{"error": "No MCP server 'dawn'. Did you mean down?"}
				""", JsonCompareMode.STRICT);
	}

	@Test
	void refusesAllWithoutAccess() {
		try (ActuatorApplication closed = ActuatorApplication.run(this.type, registry,
				"management.endpoint.mcp.access=none")) {
			closed.get("/mcp/down").expectStatus().isNotFound();
			closed.get("/mcp/down/diagnosis").expectStatus().isNotFound();
		}
	}

	@Test
	void refusesActionsByDefault() {
		registry.set(DOWN)
			.diagnosis(new McpDiagnosis("down", Instant.parse("2026-11-21T10:00:00Z"), Duration.ZERO, List.of()));
		try (ActuatorApplication restricted = ActuatorApplication.run(this.type, registry)) {
			restricted.act("down", action("reconnect")).expectStatus().isEqualTo(HttpStatus.METHOD_NOT_ALLOWED);
			restricted.get("/mcp/down").expectStatus().isOk();
			restricted.get("/mcp/down/diagnosis").expectStatus().isOk();
		}
		assertThat(registry.contacts).isEmpty();
	}

	@Test
	void reconnects() {
		McpServerStatus ready = FakeMcpServerRegistry.status("down", McpServerState.READY, true);
		registry.set(DOWN).onAction(() -> {
			registry.set(ready);
			return Mono.just(ready).delayElement(Duration.ofMillis(50));
		});
		application.act("down", action("reconnect")).expectStatus().isOk().expectBody().json("""
				{"state": "READY", "type": "streamable-http", "target": "http://localhost:9999/mcp", "required": true,
				 "tools": 0, "since": "2026-11-21T10:00:00Z", "attempts": 4}
				""", JsonCompareMode.STRICT);
		assertThat(registry.contacts).containsExactly("reconnect down");
	}

	@Test
	void diagnoses() {
		registry.set(DOWN)
			.diagnosis(
					new McpDiagnosis("down", Instant.parse("2026-11-21T10:00:00.123456Z"), Duration.ofMillis(17),
							List.of(Step.passed(StepKind.DNS, Duration.ofMillis(3), "localhost is 127.0.0.1"),
									new Step(StepKind.TCP, Outcome.FAILED, Duration.ofMillis(1), "Connection refused",
											"Start it."))));
		application.get("/mcp/down/diagnosis").expectStatus().isOk().expectBody().json("""
				{"server": "down", "started": "2026-11-21T10:00:00.123Z", "durationMs": 17, "steps": [
				 {"step": "DNS", "outcome": "PASSED", "durationMs": 3, "detail": "localhost is 127.0.0.1"},
				 {"step": "TCP", "outcome": "FAILED", "durationMs": 1, "detail": "Connection refused",
				  "advice": "Start it."}]}
				""", JsonCompareMode.STRICT);
		application.get("/mcp/dawn/diagnosis").expectStatus().isNotFound().expectBody().json("""
				{"error": "No MCP server 'dawn'. Did you mean down?"}
				""", JsonCompareMode.STRICT);
		application.get("/mcp/down/diagnose").expectStatus().isNotFound().expectBody().json("""
				{"error": "Of a server, there is only 'diagnosis' to read"}
				""", JsonCompareMode.STRICT);
		application.act("down", action("diagnose")).expectStatus().isBadRequest();
		assertThat(registry.contacts).isEmpty();
	}

	@Test
	void enablesAndDisables() {
		McpServerStatus off = FakeMcpServerRegistry.status("down", McpServerState.DISABLED, true);
		registry.set(DOWN).onAction(() -> Mono.just(off));
		application.act("down", action("disable")).expectStatus().isOk().expectBody().json("""
				{"state": "DISABLED", "required": true}
				""", JsonCompareMode.LENIENT);
		registry.set(off).onAction(() -> {
			throw new IllegalArgumentException("Invalid definition");
		});
		application.act("down", action("enable"))
			.expectStatus()
			.isEqualTo(HttpStatus.CONFLICT)
			.expectBody()
			.json("{\"error\": \"Invalid definition\"}", JsonCompareMode.STRICT);
		application.act("dawn", action("enable")).expectStatus().isNotFound();
		// removed at this moment
		registry.set(off).onAction(() -> Mono.error(new NoSuchMcpServerException("down", List.of("everything"))));
		application.act("down", action("enable")).expectStatus().isNotFound();
		assertThat(registry.contacts).containsExactly("disable down", "enable down", "enable down");
	}

	@Test
	void tellsWhyARefreshFailed() {
		registry.set(EVERYTHING)
			.onAction(() -> Mono
				.error(new McpProtocolException("everything", "tools/list", -32603, "out of tools", null)));
		registry.set(DOWN).onAction(() -> Mono.error(new McpServerUnavailableException(DOWN)));
		application.act("everything", action("refresh")).expectStatus().isOk().expectBody().json("""
				{"state": "READY", "tools": 1,
				 "error": "MCP server 'everything' returned error -32603 for tools/list: out of tools"}
				""", JsonCompareMode.LENIENT);
		application.act("down", action("refresh")).expectStatus().isOk().expectBody().json("""
				{"state": "UNAVAILABLE", "error": "MCP server 'down' (http://localhost:9999/mcp) is UNAVAILABLE:\
				 Connection refused: localhost:9999 Next attempt at 2026-11-21T10:00:08Z."}
				""", JsonCompareMode.LENIENT);
		assertThat(registry.contacts).containsExactly("refresh everything", "refresh down");
	}

	@Test
	void reloadsTheConfiguration() {
		given(reloader.reloadAsync()).willReturn(
				Mono.just(new McpReload(List.of("a"), List.of(), List.of(), List.of("b"), 3, List.of("mcp.tools")))
					.delayElement(Duration.ofMillis(50)));
		application.post(action("reload")).expectStatus().isOk().expectBody().json("""
				{"added": ["a"], "replaced": [], "updated": [], "removed": ["b"], "unchanged": 3,
				 "restart": ["mcp.tools"]}
				""", JsonCompareMode.STRICT);
		application.get("/mcp").expectBody().jsonPath("$.reloadFailure").doesNotExist();
	}

	@Test
	void tellsOfMistakesUntilTheyAreMended() {
		McpReloadFailure failure = new McpReloadFailure(Instant.parse("2026-11-21T10:00:00.123456Z"), "2 mistakes",
				List.of(new Problem("mcp.servers.a.url", "No url.", "application.yml - 3:5"),
						new Problem("McpServerDefinition 'b'", "No.", null)));
		given(reloader.failure()).willReturn(Optional.of(failure));
		given(reloader.reloadAsync()).willReturn(Mono.error(new InvalidMcpConfigurationException(failure.problems())));
		String expected = """
				{"since": "2026-11-21T10:00:00.123Z", "error": "2 mistakes", "problems": [
				 {"property": "mcp.servers.a.url", "origin": "application.yml - 3:5", "reason": "No url."},
				 {"property": "McpServerDefinition 'b'", "reason": "No."}]}
				""";
		application.post(action("reload")).expectStatus().isOk().expectBody().json(expected, JsonCompareMode.STRICT);
		application.get("/mcp").expectBody().json("{\"reloadFailure\": " + expected + "}", JsonCompareMode.LENIENT);
	}

	@Test
	void refusesToReloadWhatItCannot() {
		given(reloader.reloadAsync()).willReturn(Mono.error(new IllegalStateException("disabled")));
		application.post(action("reload"))
			.expectStatus()
			.isEqualTo(HttpStatus.CONFLICT)
			.expectBody()
			.json("{\"error\": \"disabled\"}", JsonCompareMode.STRICT);
		application.post(action("refresh")).expectStatus().isBadRequest().expectBody().json("""
				{"error": "Unknown 'action': must be \\"reload\\"."}
				""", JsonCompareMode.STRICT);
		application.post("{}").expectStatus().isBadRequest();
	}

	@Test
	void refusesWhatItDoesNotKnow() {
		application.act("down", action("explode")).expectStatus().isBadRequest().expectBody().json("""
				{"error": "Unknown 'action': must be \\"reconnect\\", \\"refresh\\", \\"enable\\", \\"disable\\"\
				 or \\"approve\\"."}
				""", JsonCompareMode.STRICT);
		application.act("down", "{}").expectStatus().isBadRequest().expectBody().json("""
				{"error": "Missing 'action': must be \\"reconnect\\", \\"refresh\\", \\"enable\\", \\"disable\\"\
				 or \\"approve\\"."}
				""", JsonCompareMode.STRICT);
		application.act("dawn", action("reconnect")).expectStatus().isNotFound().expectBody().json("""
				{"error": "No MCP server 'dawn'. Did you mean down?"}
				""", JsonCompareMode.STRICT);
		application.act("down", "{\"action\": {\"a\": []}}").expectStatus().isBadRequest();
		assertThat(registry.contacts).isEmpty();
	}

	private static String action(String action) {
		return "{\"action\": \"" + action + "\"}";
	}

}
