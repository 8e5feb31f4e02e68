package io.github.mcpclient.console;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;

import io.github.mcpclient.McpServerState;
import io.github.mcpclient.console.ConsoleApplication.Answer;
import io.github.mcpclient.console.ConsoleApplication.Connection;
import io.github.mcpclient.console.ConsoleApplication.Event;
import io.github.mcpclient.management.ManagedMcpServer;
import io.github.mcpclient.management.McpServerManager;
import io.github.mcpclient.test.server.McpTestReply;
import io.github.mcpclient.test.server.McpTestServer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import org.springframework.boot.WebApplicationType;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.MutablePropertySources;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the console over HTTP, without Spring Security.
 */
@ParameterizedClass
@EnumSource(names = { "SERVLET", "REACTIVE" })
class ConsoleWebTests {

	private static final String POURED = "x".repeat(1_000_000);

	private static McpTestServer server;

	private static ConsoleApplication application;

	@Parameter
	private WebApplicationType type;

	@BeforeParameterizedClassInvocation
	static void start(WebApplicationType type) {
		server = McpTestServer.create()
			.tools("add", "remove")
			.tool(Map.of("name", "count", "inputSchema",
					Map.of("type", "object", "properties", Map.of("count", Map.of("type", "integer")), "required",
							List.of("count"))),
					(request) -> McpTestReply.result(Map.of("content",
							List.of(Map.of("type", "text", "text", "five"),
									Map.of("type", "image", "data", "AAAA", "mimeType", "image/png"),
									Map.of("type", "resource", "resource",
											Map.of("uri", "file:/a", "mimeType", "text/plain", "text", "a")),
									Map.of("type", "hologram", "depth", 3)),
							"structuredContent", Collections.singletonMap("nothing", null))))
			.tool("wait", McpTestReply.never())
			.tool(Map.of("name", "pour", "inputSchema", Map.of("type", "object")),
					(request) -> McpTestReply.text("poured")
						.precededBy(Collections.nCopies(60,
								Map.of("jsonrpc", "2.0", "method", "notifications/progress", "params",
										Map.of("progressToken", request.meta().get("progressToken"), "progress", 1,
												"message", POURED)))
							.toArray()))
			.prompt("greet", "Hello")
			.resource("file:/notes", "Notes")
			.start();
		application = ConsoleApplication.run(type, new Class<?>[0], "mcp.servers.demo.url=" + server.url(),
				"spring.application.name=shop", "mcp.console.access=unrestricted", "mcp.console.messages=50",
				ConsoleApplication.WITHOUT_SECURITY);
	}

	@AfterParameterizedClassInvocation
	static void stop() throws Exception {
		// a call that runs holds up no shutdown
		try (Connection call = application.call("demo", "{\"kind\":\"tool\",\"name\":\"wait\",\"confirmed\":true}")) {
			assertThat(call.head()).isEqualTo(200);
			call.event();
			application.close();
			assertThat(call.event()).isNull();
		}
		server.close();
	}

	@Test
	void answersWithThePageAndItsFilesAlone() {
		Answer page = application.get("");
		assertThat(page.status()).isEqualTo(200);
		assertThat(page.headers()).containsEntry("content-type", "text/html;charset=UTF-8");
		assertThat(page.headers().get("content-security-policy")).startsWith("default-src 'none'; script-src 'self';");
		assertThat(application.get("", "If-None-Match: " + page.headers().get("etag")).status()).isEqualTo(304);
		assertThat(application.get("/").headers()).containsEntry("location", "../mcp-console");
		for (String path : new String[] { "/McpConsole.class", "/package-info.class", "/..%2fconsole.html", "/none.js",
				"/api", "/api/none", "/api/servers/none", "/console.html/" }) {
			Answer none = application.get(path);
			assertThat(none.status()).as(path).isBetween(400, 404);
		}
		assertThat(application.get("/none.js").headers()).containsEntry("x-content-type-options", "nosniff");
	}

	@Test
	void showsSessionServersAndDetails() {
		JsonNode session = application.get("/api/session").json();
		assertThat(session.path("application").asString()).isEqualTo("shop");
		assertThat(session.path("access").asString()).isEqualTo("unrestricted");
		assertThat(session.path("metrics").asBoolean()).isTrue();
		Answer servers = application.get("/api/servers");
		assertThat(servers.headers()).containsEntry("content-type", "application/json;charset=UTF-8")
			.containsEntry("cache-control", "no-store");
		assertThat(servers.json().at("/servers/0/name").asString()).isEqualTo("demo");
		assertThat(servers.json().at("/servers/0/state").asString()).isEqualTo(McpServerState.READY.name());
		assertThat(servers.json().at("/servers/0/position").asInt(-1)).isZero();
		assertThat(application.get("/api/servers/demo").json().at("/tools/0/originalName").asString()).isEqualTo("add");
	}

	@Test
	void writesDeclaredClients() {
		assertThat(application.get("/api/session").json().path("declared").asBoolean()).isTrue();
		JsonNode all = application.get("/api/servers/demo/java").json();
		assertThat(all.path("typeName").asString()).isEqualTo("Demo");
		assertThat(all.path("source").asString()).contains("@McpToolClient(\"demo\")\npublic interface Demo {",
				"String count(int count);", "String add(");
		assertThat(application.get("/api/servers/demo/java?tool=count").json().path("source").asString())
			.contains("String count(int count);")
			.doesNotContain("String add(");
		assertThat(application.get("/api/servers/demo/java?tool=none").status()).isEqualTo(404);
		assertThat(application.get("/api/servers/none/java").status()).isEqualTo(404);
		assertThat(application.post("/api/servers/demo/java", "{}").status()).isEqualTo(405);
	}

	@Test
	void tellsOfChanges() throws Exception {
		try (Connection events = application.open("GET", "/api/events", null)) {
			assertThat(events.head()).isEqualTo(200);
			Event all = events.event();
			assertThat(all.name()).isEqualTo("servers");
			assertThat(all.data().path("full").asBoolean()).isTrue();
			int tools = all.data().at("/servers/0/tools").asInt();
			assertThat(tools).isPositive();
			server.tool("another", McpTestReply.text("")).notifyToolsListChanged();
			Event change;
			do {
				// figures change, too
				change = events.event();
				assertThat(change.data().has("full")).isFalse();
			}
			while (change.data().at("/servers/0/tools").asInt() <= tools);
		}
		finally {
			server.removeTools("another").notifyToolsListChanged();
		}
	}

	@Test
	void callsTools() throws Exception {
		String body = "{\"kind\":\"tool\",\"name\":\"count\",\"arguments\":{\"count\":5}";
		assertThat(application.post("/api/servers/demo/calls", body + "}").status()).isEqualTo(428);
		try (Connection call = application.call("demo", body + ",\"confirmed\":true}")) {
			assertThat(call.head()).isEqualTo(200);
			assertThat(call.event().name()).isEqualTo("started");
			Event result = call.event();
			assertThat(result.name()).isEqualTo("result");
			assertThat(result.data().path("durationMs").isNumber()).isTrue();
			((ObjectNode) result.data()).remove("durationMs");
			assertThat(result.data()).isEqualTo(ConsoleJson.MAPPER.readTree("""
					{"isError":false,"content":[{"type":"text","text":"five"},
					{"type":"image","data":"AAAA","mimeType":"image/png"},
					{"type":"resource","resource":{"uri":"file:/a","mimeType":"text/plain","text":"a"}},
					{"type":"hologram","depth":3}],"structuredContent":{"nothing":null}}"""));
			assertThat(call.event()).isNull();
		}
	}

	@Test
	void saysWhichArgumentsDoNotFit() throws Exception {
		int calls = server.calls().size();
		try (Connection call = application.call("demo",
				"{\"kind\":\"tool\",\"name\":\"count\",\"arguments\":{\"count\":\"x\"},\"confirmed\":true}")) {
			call.head();
			call.event();
			Event failure = call.event();
			assertThat(failure.name()).isEqualTo("failure");
			assertThat(failure.data().path("type").asString()).isEqualTo("McpSchemaViolationException");
			assertThat(failure.data().at("/invalid/0/path").asString()).isEqualTo("/count");
			assertThat(failure.data().at("/invalid/0/message").asString()).contains("integer");
		}
		assertThat(server.calls()).hasSize(calls);
	}

	@Test
	void getsPromptsAndReadsResources() throws Exception {
		try (Connection call = application.call("demo", "{\"kind\":\"prompt\",\"name\":\"greet\"}")) {
			call.head();
			call.event();
			assertThat(call.event().data().at("/messages/0/content/text").asString()).isEqualTo("Hello");
		}
		try (Connection call = application.call("demo", "{\"kind\":\"resource\",\"uri\":\"file:/notes\"}")) {
			call.head();
			call.event();
			assertThat(call.event().data().at("/contents/0/text").asString()).isEqualTo("Notes");
		}
	}

	@Test
	void cancelsCalls() throws Exception {
		String wait = "{\"kind\":\"tool\",\"name\":\"wait\",\"confirmed\":true}";
		try (Connection call = application.call("demo", wait)) {
			call.head();
			String id = call.event().data().path("id").asString();
			server.awaitCall("wait");
			assertThat(application.delete("/api/calls/" + id).status()).isEqualTo(204);
			assertThat(call.event().data().path("type").asString()).isEqualTo("CancellationException");
			assertThat(application.delete("/api/calls/" + id).status()).isEqualTo(404);
		}
		server.awaitRequest("notifications/cancelled");
	}

	@Test
	void keepsNoProgressForAPageThatDoesNotTakeIt() throws Exception {
		ManagedMcpServer demo = application.context().getBean(McpServerManager.class).server("demo");
		try (Connection call = application.call("demo", "{\"kind\":\"tool\",\"name\":\"pour\",\"confirmed\":true}")) {
			Awaitility.await()
				.until(() -> demo.recentCalls().stream().anyMatch((ended) -> ended.tool().contains("pour")));
			call.head();
			int taken = 0;
			Event event = call.event();
			while (!event.name().equals("result")) {
				taken += event.name().equals("progress") ? POURED.length() : 0;
				event = call.event();
			}
			// what is on its way through sockets
			assertThat(taken).isLessThan(20_000_000);
		}
	}

	@Test
	void actsOnServers() {
		Answer done = application.post("/api/servers/demo/actions", "{\"action\":\"refresh\"}");
		assertThat(done.status()).isEqualTo(200);
		assertThat(done.json().at("/server/state").asString()).isEqualTo("READY");
		assertThat(application.post("/api/servers/demo/actions", "{\"action\":\"explode\"}").status()).isEqualTo(400);
		assertThat(application.post("/api/servers/demo/actions", "[1").status()).isEqualTo(400);
		assertThat(application.post("/api/servers/none/actions", "{\"action\":\"refresh\"}").status()).isEqualTo(404);
		assertThat(application
			.post("/api/servers/demo/actions",
					"{\"action\":\"approve\",\"tools\":{\"add\":\"sha256:" + "0".repeat(64) + "\"}}")
			.status()).isEqualTo(409);
	}

	@Test
	void reloads() {
		assertThat(application.post("/api/reload", "{}").json().path("text").asString()).isEqualTo("unchanged: 1");
		MutablePropertySources sources = application.context().getEnvironment().getPropertySources();
		sources.addFirst(new MapPropertySource("mistaken", Map.of("mcp.servers.demo.request-timeout", "-1s")));
		try {
			Answer failed = application.post("/api/reload", "{}");
			assertThat(failed.status()).isEqualTo(200);
			assertThat(failed.json().path("text").asString()).isEqualTo("Invalid MCP server configuration (1 error):");
		}
		finally {
			sources.remove("mistaken");
		}
		assertThat(application.post("/api/reload", "{}").json().path("text").asString()).isEqualTo("unchanged: 1");
		assertThat(application.get("/api/reload").status()).isEqualTo(405);
	}

	@Test
	void showsMessages() {
		JsonNode all = application.get("/api/servers/demo/messages").json();
		assertThat(all.at("/messages/0/seq").asInt()).isPositive();
		assertThat(all.at("/messages/0/direction").asString()).isIn("sent", "received");
		assertThat(all.at("/messages/0/kind").asString()).isIn("request", "response", "error", "notification");
		int latest = all.path("latest").asInt();
		assertThat(latest).isPositive();
		assertThat(application.get("/api/servers/demo/messages?after=" + (latest - 1))
			.json()
			.at("/messages/0/seq")
			.asInt()).isEqualTo(latest);
		JsonNode none = application.get("/api/servers/demo/messages?after=" + latest).json();
		assertThat(none.path("latest").asInt()).isEqualTo(latest);
		assertThat(none.path("messages")).isEmpty();
		// a page that was open while the application was started anew
		JsonNode anew = application.get("/api/servers/demo/messages?after=1000000").json();
		assertThat(anew.path("latest").asInt()).isEqualTo(latest);
		assertThat(anew.path("messages")).isEqualTo(all.path("messages"));
		assertThat(application.get("/api/servers/demo/messages?after=x").status()).isEqualTo(400);
	}

	@Test
	void diagnosesAServer() {
		JsonNode diagnosis = application.post("/api/servers/demo/diagnosis", "{}").json();
		assertThat(diagnosis.path("server").asString()).isEqualTo("demo");
		assertThat(diagnosis.at("/steps/0/step").asString()).isEqualTo("CONFIGURATION");
		assertThat(diagnosis.path("steps")).extracting((step) -> step.path("outcome").asString())
			.doesNotContain("FAILED");
	}

	@Test
	void refusesWhatIsNoRequest() {
		assertThat(application
			.post("/api/servers/demo/actions", "action=refresh", "Content-Type: application/x-www-form-urlencoded")
			.status()).isEqualTo(415);
		assertThat(application.post("/api/servers/demo/actions", "\"" + "x".repeat(1024 * 1024) + "\"").status())
			.isEqualTo(413);
		assertThat(application.post("/api/servers", "{}").status()).isEqualTo(405);
		Answer preflight = ConsoleApplication.send(application.port(), "OPTIONS", "/mcp-console/api/servers", null,
				"Origin: http://evil.example", "Access-Control-Request-Method: POST",
				"Access-Control-Request-Headers: x-mcp-console");
		assertThat(preflight.status()).isEqualTo(403);
		assertThat(preflight.headers().keySet()).noneMatch((name) -> name.startsWith("access-control"));
		assertThat(application.get("", "Host: evil.example").status()).isEqualTo(403);
		assertThat(application.get("", "X-Forwarded-For: 127.0.0.1").status()).isEqualTo(403);
		assertThat(application.get("/api/events", "Origin: http://localhost:1").status()).isEqualTo(403);
	}

	@ParameterizedTest
	@ValueSource(strings = { "/%6dcp-console", "//mcp-console", "/mcp-console;a=b", "/a/../mcp-console",
			"/mcp-console/;a=b", "/mcp-console/." })
	void checksPathsThatAreWrittenInAnotherWay(String path) {
		for (String below : new String[] { "", "/api/servers" }) {
			Answer answer = ConsoleApplication.send(application.port(), "GET", path + below, null,
					"Host: evil.example");
			assertThat(answer.status()).isIn(403, 404);
		}
	}

	@Test
	void letsNobodyHaveAllOfTheViewsAndCalls() throws Exception {
		String wait = "{\"kind\":\"tool\",\"name\":\"wait\",\"confirmed\":true}";
		String refresh = "{\"action\":\"refresh\"}";
		List<Connection> open = new ArrayList<>();
		List<String> calls = new ArrayList<>();
		try {
			for (int i = 0; i < 4; i++) {
				Connection silent = application.open("GET", "/api/events", null);
				open.add(silent);
				assertThat(silent.head()).isEqualTo(200);
			}
			// another one ends the first
			Connection another = application.open("GET", "/api/events", null);
			open.add(another);
			assertThat(another.head()).isEqualTo(200);
			while (open.get(0).event() != null) {
				assertThat(open).hasSize(5);
			}
			for (int i = 0; i < 8; i++) {
				Connection call = application.call("demo", wait);
				open.add(call);
				assertThat(call.head()).isEqualTo(200);
				calls.add(call.event().data().path("id").asString());
			}
			assertThat(application.post("/api/servers/demo/actions", refresh).status()).isEqualTo(429);
			assertThat(application.get("/api/servers").status()).isEqualTo(200);
		}
		finally {
			for (Connection connection : open) {
				connection.close();
			}
		}
		calls.forEach((id) -> application.delete("/api/calls/" + id));
		Awaitility.await()
			.untilAsserted(
					() -> assertThat(application.post("/api/servers/demo/actions", refresh).status()).isEqualTo(200));
		// those who have gone give way
		try (Connection events = application.open("GET", "/api/events", null)) {
			assertThat(events.head()).isEqualTo(200);
		}
	}

}
