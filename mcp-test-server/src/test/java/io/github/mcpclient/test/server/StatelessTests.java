package io.github.mcpclient.test.server;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.WebSocket;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Tests for {@link McpTestServer} in revision 2026-07-28.
 */
@Timeout(60)
class StatelessTests {

	private static final String ID = "io.modelcontextprotocol/subscriptionId";

	private final McpTestServer server = McpTestServer.create()
		.timeout(Duration.ofSeconds(20))
		.protocolVersions("2026-07-28")
		.tools("echo")
		.start();

	private final HttpClient client = HttpClient.newHttpClient();

	private String capabilities = "{}";

	private int ids;

	@AfterEach
	void close() {
		this.server.close();
	}

	@Test
	void discoversListsAndCalls() throws Exception {
		this.server.instructions("Be kind").prompt("greet", "Hello").resource("file:///a", "A");
		HttpResponse<String> discovery = post("server/discover", "");
		assertThat(discovery.headers().firstValue("Mcp-Session-Id")).isEmpty();
		assertThat(result(discovery)).isEqualTo(Json.read("""
				{"resultType": "complete", "supportedVersions": ["2026-07-28"], "instructions": "Be kind",
				"capabilities": {"tools": {"listChanged": true}, "prompts": {"listChanged": true},
				"resources": {"listChanged": true, "subscribe": true}}, "ttlMs": 0, "cacheScope": "private",
				"_meta": {"io.modelcontextprotocol/serverInfo": {"name": "test-server", "version": "1.0"}}}"""));
		this.server.caching(Duration.ofMinutes(1), "public");
		assertThat(post("tools/list", "").body()).contains("\"name\":\"echo\"", "\"ttlMs\":60000",
				"\"cacheScope\":\"public\"");
		assertThat(
				post("tools/call", "\"name\":\"echo\",\"arguments\":{\"message\":\"hi\"}", "Mcp-Name", "echo").body())
			.contains("echo hi", "\"resultType\":\"complete\"")
			.doesNotContain("ttlMs");
		assertThat(post("prompts/get", "\"name\":\"greet\"", "Mcp-Name", "greet").body()).contains("Hello");
		assertThat(post("resources/read", "\"uri\":\"file:///a\"", "Mcp-Name", "file:///a").body()).contains("ttlMs");
		assertThat(error(post("resources/read", "\"uri\":\"b\"", "Mcp-Name", "b"), 200)).isEqualTo(-32602);
		assertThat(this.server.sessions()).isEmpty();
		assertThat(this.server.calls()).hasSize(1);
	}

	@Test
	void writesAResultInJsonAsItIs() throws Exception {
		this.server.onNext("tools/list", McpTestReply.result("{\"tools\":[]}"),
				McpTestReply.result(Map.of("resultType", "unheard-of")));
		assertThat(result(post("tools/list", ""))).isEqualTo(Json.read("{\"tools\":[]}"));
		assertThat(result(post("tools/list", ""))).isEqualTo(Json.read("{\"resultType\":\"unheard-of\"}"));
	}

	@Test
	void refusesWhatIsNotOfTheRevision() throws Exception {
		HttpResponse<String> refused = send(body("initialize", "\"protocolVersion\":\"2025-11-25\""));
		assertThat(error(refused, 400)).isEqualTo(-32022);
		assertThat(Json.read(refused.body()).path("error").path("data"))
			.isEqualTo(Json.read("{\"supported\":[\"2026-07-28\"],\"requested\":\"2025-11-25\"}"));
		assertThat(refused.headers().firstValue("Mcp-Session-Id")).isEmpty();
		for (String method : List.of("ping", "logging/setLevel", "resources/subscribe")) {
			assertThat(error(post(method, ""), 404)).isEqualTo(-32601);
		}
		assertThat(this.client.send(request().GET().build(), BodyHandlers.ofString()).statusCode()).isEqualTo(405);
		assertThat(this.client.send(request().DELETE().build(), BodyHandlers.ofString()).statusCode()).isEqualTo(405);
		assertThat(this.server.sessions()).isEmpty();
	}

	@Test
	void checksTheMetadataOfEachRequest() throws Exception {
		assertThat(error(send("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}", "MCP-Protocol-Version",
				"2026-07-28", "Mcp-Method", "tools/list"), 400))
			.isEqualTo(-32602);
		String unknown = body("tools/list", "").replace("2026-07-28", "2030-01-01");
		assertThat(error(send(unknown, "MCP-Protocol-Version", "2030-01-01", "Mcp-Method", "tools/list"), 400))
			.isEqualTo(-32022);
		String level = body("tools/list", "").replace("\"_meta\":{",
				"\"_meta\":{\"io.modelcontextprotocol/logLevel\":\"loud\",");
		assertThat(error(send(level, "MCP-Protocol-Version", "2026-07-28", "Mcp-Method", "tools/list"), 400))
			.isEqualTo(-32602);
	}

	@Test
	void comparesHeadersWithTheBody() throws Exception {
		this.server.tool(Map.of("name", "größe", "inputSchema", Json
			.read("""
					{"type": "object", "properties": {"region": {"type": "string", "x-mcp-header": "Region"},
					"where": {"type": "object", "properties": {"floor": {"type": "integer", "x-mcp-header": "Floor"}}}}}""")),
				(request) -> McpTestReply.text("large"));
		String name = "=?base64?Z3LDtsOfZQ==?=";
		String params = "\"name\":\"größe\",\"arguments\":{\"region\":\"eu\",\"where\":{\"floor\":7}}";
		assertThat(post("tools/call", params, "Mcp-Name", name, "mcp-param-region", "eu", "Mcp-Param-Floor", "7.0")
			.statusCode()).isEqualTo(200);
		assertThat(
				post("tools/call", "\"name\":\"größe\",\"arguments\":{\"region\":null}", "Mcp-Name", name).statusCode())
			.isEqualTo(200);
		for (List<String> headers : List.of(List.of("Mcp-Name", name, "Mcp-Param-Region", "eu"),
				List.of("Mcp-Name", name, "Mcp-Param-Region", "us", "Mcp-Param-Floor", "7"),
				List.of("Mcp-Name", name, "Mcp-Param-Region", "eu", "Mcp-Param-Floor", "8"),
				List.of("Mcp-Name", "=?base64?%?=", "Mcp-Param-Region", "eu", "Mcp-Param-Floor", "7"),
				List.of("Mcp-Name", "echo", "Mcp-Param-Region", "eu", "Mcp-Param-Floor", "7"),
				List.of("Mcp-Param-Region", "eu", "Mcp-Param-Floor", "7"))) {
			assertThat(error(post("tools/call", params, headers.toArray(String[]::new)), 400)).isEqualTo(-32020);
		}
		assertThat(error(send(body("tools/list", ""), "MCP-Protocol-Version", "2025-11-25", "Mcp-Method", "tools/list"),
				400))
			.isEqualTo(-32020);
		assertThat(error(send(body("tools/list", ""), "MCP-Protocol-Version", "2026-07-28"), 400)).isEqualTo(-32020);
		assertThat(error(send(body("tools/list", "")), 400)).isEqualTo(-32020);
		assertThat(this.server.calls()).hasSize(2);
	}

	@Test
	void losesHeadersAsSomeProxiesDo() throws Exception {
		this.server.loseHeaders("mcp-");
		assertThat(error(post("tools/list", ""), 400)).isEqualTo(-32020);
		assertThat(this.server.awaitRequest("tools/list")).satisfies((request) -> {
			assertThat(request).doesNotHaveHeader("Mcp-Method");
			assertThat(request.meta()).containsEntry("io.modelcontextprotocol/protocolVersion", "2026-07-28");
		});
	}

	@Test
	void sendsProgressAndLogsBeforeTheAnswer() throws Exception {
		this.server.tool("slow", (request) -> {
			request.progress(1, 2);
			request.log("debug", "unwanted");
			request.log("error", "wanted");
			assertThatThrownBy(() -> request.request("roots/list", Map.of())).isInstanceOf(IllegalStateException.class);
			return McpTestReply.text("done");
		});
		String call = body("tools/call", "\"name\":\"slow\"").replace("\"_meta\":{",
				"\"_meta\":{\"progressToken\":3,\"io.modelcontextprotocol/logLevel\":\"info\",");
		HttpResponse<String> response = send(call, "MCP-Protocol-Version", "2026-07-28", "Mcp-Method", "tools/call",
				"Mcp-Name", "slow");
		assertThat(response.body()).contains("notifications/progress", "\"progressToken\":3", "wanted", "done")
			.doesNotContain("unwanted");
		assertThat(post("tools/call", "\"name\":\"slow\"", "Mcp-Name", "slow").body()).doesNotContain("wanted");
	}

	@Test
	void notifiesOfWhatWasSubscribedTo() throws Exception {
		this.server.resource("file:///a", "A");
		try (Listener listener = listen("{\"toolsListChanged\":true,\"promptsListChanged\":true,"
				+ "\"resourceSubscriptions\":[\"file:///a\"]}")) {
			JsonNode acknowledged = listener.next();
			assertThat(acknowledged.path("method").asString()).isEqualTo("notifications/subscriptions/acknowledged");
			assertThat(acknowledged.path("params").path("notifications"))
				.isEqualTo(Json.read("{\"toolsListChanged\":true,\"resourceSubscriptions\":[\"file:///a\"]}"));
			this.server.awaitListeners(1)
				.notifyPromptsListChanged()
				.notifyResourcesListChanged()
				.notifyClients("notifications/resources/updated", Map.of("uri", "file:///b"))
				.notifyClients("notifications/resources/updated", Map.of("uri", "file:///a"))
				.notifyToolsListChanged();
			JsonNode updated = listener.next();
			assertThat(updated.path("params").path("uri").asString()).isEqualTo("file:///a");
			assertThat(updated.path("params").path("_meta").path(ID).asInt()).isEqualTo(listener.id);
			assertThat(listener.next().path("method").asString()).isEqualTo("notifications/tools/list_changed");
			this.server.sendToClients("{}").closeStreams();
			assertThat(listener.next().isEmpty()).isTrue();
			JsonNode end = listener.next();
			assertThat(end.path("id").asInt()).isEqualTo(listener.id);
			assertThat(end.path("result").path("_meta").path(ID).asInt()).isEqualTo(listener.id);
			assertThat(listener.lines.hasNext()).isFalse();
			this.server.awaitListeners(0).awaitPending("subscriptions/listen", 0);
		}
	}

	@Test
	void endsSubscriptionsAbruptly() throws Exception {
		try (Listener cut = listen("{\"toolsListChanged\":true}")) {
			cut.next();
			this.server.cutSubscriptions();
			assertThatThrownBy(cut::next).hasRootCauseInstanceOf(IOException.class);
		}
		this.server.awaitListeners(0).on("subscriptions/listen", McpTestReply.never());
		CompletableFuture<HttpResponse<String>> silent = this.client.sendAsync(
				modern(body("subscriptions/listen", "\"notifications\":{}"), "subscriptions/listen"),
				BodyHandlers.ofString());
		this.server.awaitPending("subscriptions/listen", 1);
		assertThat(silent).isNotDone();
		silent.cancel(true);
		this.server.awaitPending("subscriptions/listen", 0);
	}

	@Test
	void endsASubscriptionThatTheClientDoesNotReadAnyMore() throws Exception {
		try (Listener listener = listen("{\"toolsListChanged\":true}")) {
			listener.next();
			this.server.awaitListeners(1);
		}
		this.server.awaitListeners(0).awaitPending("subscriptions/listen", 0);
	}

	@Test
	void opensAStreamThatNeverSaysAnything() throws Exception {
		this.server.on("subscriptions/listen", McpTestReply.never().asEvents());
		listen("{}").close();
		this.server.awaitPending("subscriptions/listen", 0);
	}

	@Test
	void cutsTheStreamOfACall() throws Exception {
		this.server.tool("lost", (request) -> {
			request.notify("notifications/progress", Map.of());
			return McpTestReply.cut();
		}).tool("silent", (request) -> {
			request.notify("notifications/progress", Map.of());
			return McpTestReply.never();
		});
		assertThatIOException().isThrownBy(() -> post("tools/call", "\"name\":\"lost\"", "Mcp-Name", "lost"));
		CompletableFuture<HttpResponse<Stream<String>>> silent = this.client.sendAsync(
				modern(body("tools/call", "\"name\":\"silent\""), "tools/call", "Mcp-Name", "silent"),
				BodyHandlers.ofLines());
		try (Stream<String> lines = silent.join().body()) {
			assertThat(lines.filter((line) -> line.startsWith("data: ")).findFirst()).isPresent();
			assertThat(this.server.pending("tools/call")).hasSize(1);
		}
		this.server.awaitPending("tools/call", 0);
	}

	@Test
	void refusesDiscoveryAsTheScriptSays() throws Exception {
		this.server.protocolVersions("2025-11-25");
		assertThat(post("server/discover", "").statusCode()).isEqualTo(404);
		this.server.on("server/discover", McpTestReply.status(500));
		assertThat(post("server/discover", "").statusCode()).isEqualTo(500);
	}

	@Test
	void servesBothErasAtOnce() throws Exception {
		this.server.protocolVersions("2025-11-25", "2026-07-28");
		HttpResponse<String> initialized = send(body("initialize", "\"protocolVersion\":\"2026-07-28\""));
		String session = initialized.headers().firstValue("Mcp-Session-Id").orElseThrow();
		assertThat(initialized.body()).contains("\"protocolVersion\":\"2025-11-25\"");
		assertThat(send("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}", "Mcp-Session-Id", session).body())
			.doesNotContain("resultType");
		assertThat(send("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}").statusCode()).isEqualTo(404);
		assertThat(post("tools/list", "", "Mcp-Session-Id", session).body()).contains("resultType");
		assertThat(this.server.awaitRequests("tools/list", 3)).extracting(McpTestRequest::sessionId)
			.containsExactly(session, null, null);
		assertThat(result(post("server/discover", "")).path("supportedVersions")).hasSize(2);
	}

	@Test
	void isReplacedByOneOfTheOtherEra() throws Exception {
		this.server.stop().protocolVersions("2025-11-25").start();
		assertThat(post("server/discover", "").statusCode()).isEqualTo(404);
		assertThat(
				send(body("initialize", "\"protocolVersion\":\"2025-11-25\"")).headers().firstValue("Mcp-Session-Id"))
			.isPresent();
		this.server.stop().protocolVersions("2026-07-28").start();
		assertThat(post("server/discover", "").statusCode()).isEqualTo(200);
	}

	@Test
	void worksOverStdio() throws Exception {
		Process child = new ProcessBuilder(this.server.stdioCommand()).start();
		BufferedReader stdout = child.inputReader();
		List<String> requests = List.of(body("server/discover", ""), body("ping", ""),
				body("initialize", "\"protocolVersion\":\"2025-11-25\""),
				"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}",
				body("subscriptions/listen", "\"notifications\":{\"toolsListChanged\":true}"));
		for (String expected : List.of("supportedVersions", "-32601", "-32022", "-32602", "acknowledged")) {
			String request = requests
				.get(List.of("supportedVersions", "-32601", "-32022", "-32602", "acknowledged").indexOf(expected));
			child.outputWriter().write(request + "\n");
			child.outputWriter().flush();
			assertThat(stdout.readLine()).contains(expected);
		}
		this.server.awaitListeners(1).notifyPromptsListChanged().notifyToolsListChanged();
		assertThat(stdout.readLine()).contains("tools/list_changed", "\"" + ID + "\":" + this.ids);
		this.server.cutSubscriptions();
		assertThat(stdout.readLine()).contains("notifications/cancelled", "\"requestId\":" + this.ids);
		child.outputWriter()
			.write(requests.get(4)
					+ "\n{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":"
					+ this.ids + "}}\n");
		child.outputWriter().flush();
		assertThat(stdout.readLine()).contains("acknowledged");
		this.server.awaitRequests("notifications/cancelled", 1);
		this.server.awaitListeners(0);
		child.outputWriter().close();
		assertThat(child.waitFor()).isZero();
	}

	@Test
	void worksOverWebSocket() throws Exception {
		BlockingQueue<String> received = new LinkedBlockingQueue<>();
		WebSocket socket = this.client.newWebSocketBuilder()
			.subprotocols("mcp")
			.buildAsync(URI.create(this.server.webSocketUrl()), new WebSocket.Listener() {

				@Override
				public @Nullable CompletionStage<?> onText(WebSocket client, CharSequence text, boolean last) {
					received.add(text.toString());
					client.request(1);
					return null;
				}

			})
			.join();
		socket.sendText(body("tools/call", "\"name\":\"echo\",\"arguments\":{\"message\":\"hi\"}"), true).join();
		assertThat(received.poll(20, TimeUnit.SECONDS)).contains("echo hi", "resultType");
		socket.sendText(body("subscriptions/listen", "\"notifications\":{\"toolsListChanged\":true}"), true).join();
		assertThat(received.poll(20, TimeUnit.SECONDS)).contains("acknowledged");
		this.server.awaitListeners(1).notifyToolsListChanged().closeStreams();
		assertThat(received.poll(20, TimeUnit.SECONDS)).contains("tools/list_changed");
		assertThat(received.poll(20, TimeUnit.SECONDS)).contains("\"result\"");
		this.server.awaitListeners(0).awaitSessions(1);
		socket.abort();
		this.server.awaitSessions(0);
	}

	private JsonNode result(HttpResponse<String> response) {
		return Json.read(response.body()).path("result");
	}

	private int error(HttpResponse<String> response, int status) {
		assertThat(response.statusCode()).as(response.body()).isEqualTo(status);
		return Json.read(response.body()).path("error").path("code").asInt();
	}

	private String body(String method, String params) {
		String meta = "\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","
				+ "\"io.modelcontextprotocol/clientCapabilities\":" + this.capabilities + "}";
		return "{\"jsonrpc\":\"2.0\",\"id\":" + (++this.ids) + ",\"method\":\"" + method + "\",\"params\":{" + meta
				+ (params.isEmpty() ? "" : "," + params) + "}}";
	}

	private HttpResponse<String> post(String method, String params, String... headers) throws Exception {
		return this.client.send(modern(body(method, params), method, headers), BodyHandlers.ofString());
	}

	private HttpResponse<String> send(String body, String... headers) throws Exception {
		HttpRequest.Builder request = request().POST(HttpRequest.BodyPublishers.ofString(body));
		return this.client.send(((headers.length > 0) ? request.headers(headers) : request).build(),
				BodyHandlers.ofString());
	}

	private HttpRequest modern(String body, String method, String... headers) {
		HttpRequest.Builder request = request().POST(HttpRequest.BodyPublishers.ofString(body))
			.headers("MCP-Protocol-Version", "2026-07-28", "Mcp-Method", method);
		return ((headers.length > 0) ? request.headers(headers) : request).build();
	}

	private HttpRequest.Builder request() {
		return HttpRequest.newBuilder(URI.create(this.server.url()));
	}

	private Listener listen(String notifications) throws Exception {
		HttpRequest request = modern(body("subscriptions/listen", "\"notifications\":" + notifications),
				"subscriptions/listen");
		HttpResponse<Stream<String>> response = this.client.send(request, BodyHandlers.ofLines());
		assertThat(response.headers().firstValue("Content-Type")).hasValue("text/event-stream");
		return new Listener(this.ids, response.body());
	}

	/**
	 * Reads the events of a subscription.
	 */
	private static final class Listener implements AutoCloseable {

		private final int id;

		private final Stream<String> stream;

		private final Iterator<String> lines;

		Listener(int id, Stream<String> stream) {
			this.id = id;
			this.stream = stream;
			this.lines = stream.filter((line) -> line.startsWith("data: ")).iterator();
		}

		JsonNode next() {
			return Json.read(this.lines.next().substring("data: ".length()));
		}

		@Override
		public void close() {
			this.stream.close();
		}

	}

}
