package io.github.mcpclient.test.docs;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Map;

import io.github.mcpclient.test.server.McpTestReply;
import io.github.mcpclient.test.server.McpTestServer;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ServerByItselfTests {

	@Test
	void isReachedByAnyClient() throws Exception {
		try (McpTestServer server = McpTestServer.create()
			.tool("find", McpTestReply.text("Everything"))
			.prompt("summarize", "Summarize this book")
			.resource("library://hours", "9 to 5")
			.start()) {
			server.onNext("POST", McpTestReply.status(503).retryAfter(Duration.ofSeconds(1)));
			connect(server.url());
			assertThat(server).hasReceived("initialize").hasHeader("Authorization", "Bearer t0ken");
		}
	}

	@Test
	void asksAndRunsTasks() throws Exception {
		Map<String, ?> question = Map.of("message", "Sure?", "requestedSchema", Map.of("type", "object"));
		try (McpTestServer server = McpTestServer.create().protocolVersions("2026-07-28").start()) {
			server.tool("remove",
					(request) -> request.inputResponses().isEmpty() ? McpTestReply.inputRequired()
						.withInputRequest("sure", "elicitation/create", question)
						.withState("round 1") : McpTestReply.text("Removed"));
			server.withTasks().tool("count", McpTestReply.task(Duration.ofMillis(10), (task) -> {
				task.message("Counting the books");
				task.request("elicitation/create", question).join();
				return McpTestReply.text("Many");
			}));
			assertThat(call(server, "remove")).contains("input_required", "round 1", "Sure?");
			assertThat(call(server, "count")).contains("\"resultType\":\"task\"");
		}
	}

	private static String call(McpTestServer server, String tool) throws Exception {
		HttpRequest request = HttpRequest.newBuilder(URI.create(server.url()))
			.headers("MCP-Protocol-Version", "2026-07-28", "Mcp-Method", "tools/call", "Mcp-Name", tool)
			.POST(HttpRequest.BodyPublishers.ofString("""
					{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "%s", "_meta": {
					"io.modelcontextprotocol/protocolVersion": "2026-07-28",
					"io.modelcontextprotocol/clientCapabilities": {"elicitation": {},
					"extensions": {"io.modelcontextprotocol/tasks": {}}}}}}""".formatted(tool)))
			.build();
		return HttpClient.newHttpClient().send(request, BodyHandlers.ofString()).body();
	}

	private static void connect(String url) throws Exception {
		HttpRequest request = HttpRequest.newBuilder(URI.create(url))
			.header("Authorization", "Bearer t0ken")
			.POST(HttpRequest.BodyPublishers.ofString("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\"}"))
			.build();
		assertThat(HttpClient.newHttpClient().send(request, BodyHandlers.discarding()).statusCode()).isEqualTo(503);
	}

}
