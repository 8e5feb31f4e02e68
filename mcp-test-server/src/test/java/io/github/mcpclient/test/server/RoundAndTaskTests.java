package io.github.mcpclient.test.server;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Iterator;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for an {@link McpTestServer} that asks before it answers, or answers with tasks.
 */
@Timeout(60)
class RoundAndTaskTests {

	private static final Map<String, ?> FORM = Map.of("message", "Sure?", "requestedSchema", Map.of("type", "object"));

	private final McpTestServer server = McpTestServer.create()
		.timeout(Duration.ofSeconds(20))
		.protocolVersions("2025-11-25", "2026-07-28")
		.withoutSessions()
		.withTasks()
		.start();

	private final HttpClient client = HttpClient.newHttpClient();

	private String capabilities = "{\"elicitation\":{},\"extensions\":{\"io.modelcontextprotocol/tasks\":{}}}";

	private int ids;

	@AfterEach
	void close() {
		this.server.close();
	}

	@Test
	void asksBeforeItAnswers() throws Exception {
		this.server.tool("delete", (request) -> {
			if (request.inputResponses().isEmpty()) {
				return McpTestReply.inputRequired()
					.withInputRequest("sure", "elicitation/create", FORM)
					.withState("s/ä 1");
			}
			return McpTestReply.text(request.requestState() + request.inputResponses().get("sure"));
		});
		JsonNode first = stateless("tools/call", "'name':'delete','arguments':{'id':7}").path("result");
		assertThat(first.path("resultType").asString()).isEqualTo("input_required");
		assertThat(first.path("requestState").asString()).isEqualTo("s/ä 1");
		assertThat(first.path("inputRequests").path("sure").path("params").path("message").asString())
			.isEqualTo("Sure?");
		String answer = ",'inputResponses':{'sure':{'action':'accept'}}";
		String again = "'name':'delete','arguments':{'id':7}" + answer;
		assertThat(stateless("tools/call", again + ",'requestState':'s/ä 1'").toString())
			.contains("s/ä 1{action=accept}", "complete");
		for (String wrong : new String[] { again, again + ",'requestState':'s/ä 1 '",
				"'name':'delete','arguments':{'id':8},'requestState':'s/ä 1'" + answer }) {
			assertThat(stateless("tools/call", wrong).path("error").path("code").asInt()).isEqualTo(-32602);
		}
		assertThat(this.server.calls()).hasSize(2);
	}

	@Test
	void refusesAStateThatItHasNotGiven() throws Exception {
		this.server.prompt(Map.of("name", "ask"),
				(request) -> request.inputResponses().isEmpty()
						? McpTestReply.inputRequired().withInputRequest("sure", "elicitation/create", FORM)
						: McpTestReply.result(Map.of()));
		stateless("prompts/get", "'name':'ask'");
		assertThat(stateless("prompts/get", "'name':'ask','inputResponses':{'sure':{}},'requestState':''").has("error"))
			.isTrue();
		assertThat(stateless("prompts/get", "'name':'ask','inputResponses':{'sure':{}}").has("error")).isFalse();
	}

	@Test
	void asksForEver() throws Exception {
		this.server.tool("endless", McpTestReply.inputRequired().withState("more"));
		stateless("tools/call", "'name':'endless'");
		for (int i = 0; i < 3; i++) {
			assertThat(stateless("tools/call", "'name':'endless','requestState':'more'").path("result")
				.path("requestState")
				.asString()).isEqualTo("more");
		}
	}

	@Test
	void asksOnlyWhoCanAnswer() throws Exception {
		this.server
			.tool("visit",
					McpTestReply.inputRequired().withInputRequest("page", "elicitation/create", Map.of("mode", "url")))
			.tool("rude", McpTestReply
				.result("{\"resultType\":\"input_required\",\"inputRequests\":{\"a\":{\"method\":\"roots/list\"}}}"))
			.tool("slow", McpTestReply.task(Duration.ofMillis(1), (task) -> McpTestReply.text("done")));
		JsonNode error = stateless("tools/call", "'name':'visit'").path("error");
		assertThat(error.path("code").asInt()).isEqualTo(-32021);
		assertThat(error.path("data").toString())
			.isEqualTo("{\"requiredCapabilities\":{\"elicitation\":{\"url\":{}}}}");
		assertThat(stateless("tools/call", "'name':'rude'").has("result")).isTrue();
		this.capabilities = "{}";
		for (String method : new String[] { "tools/call", "tasks/get" }) {
			assertThat(stateless(method, "'name':'slow'").path("error").path("data").toString())
				.isEqualTo("{\"requiredCapabilities\":{\"extensions\":{\"io.modelcontextprotocol/tasks\":{}}}}");
		}
	}

	@Test
	void runsTasksOfTheExtension() throws Exception {
		assertThat(stateless("server/discover", "").path("result").path("capabilities").toString())
			.contains("\"io.modelcontextprotocol/tasks\":{}")
			.doesNotContain("\"tasks\":");
		CompletableFuture<Void> gate = new CompletableFuture<>();
		this.server.tool("slow", McpTestReply.task(Duration.ofMillis(5), (task) -> {
			task.message("Asking");
			Object answer = task.request("elicitation/create", FORM).join().get("action");
			task.message("Deleting");
			return McpTestReply.text("It is " + answer).after(gate);
		}));
		JsonNode created = stateless("tools/call", "'name':'slow'").path("result");
		assertThat(created.path("resultType").asString()).isEqualTo("task");
		assertThat(created.path("pollIntervalMs").asInt()).isEqualTo(5);
		assertThat(created.path("ttlMs").isNull()).isTrue();
		String id = "'taskId':'" + created.path("taskId").asString() + "'";
		JsonNode asking = awaitStatus(id, "input_required");
		assertThat(asking.path("statusMessage").asString()).isEqualTo("Asking");
		assertThat(asking.path("resultType").asString()).isEqualTo("complete");
		String key = asking.path("inputRequests").propertyNames().iterator().next();
		assertThat(asking.path("inputRequests").path(key).path("method").asString()).isEqualTo("elicitation/create");
		assertThat(stateless("tasks/update", id + ",'inputResponses':{'other':{},'" + key + "':{'action':'accept'}}")
			.path("result")
			.toString()).isEqualTo("{\"resultType\":\"complete\"}");
		assertThat(awaitStatus(id, "working").has("inputRequests")).isFalse();
		gate.complete(null);
		assertThat(awaitStatus(id, "completed").path("result").toString()).contains("It is accept");
		assertThat(stateless("tasks/result", id).path("error").path("code").asInt()).isEqualTo(-32601);
		assertThat(this.server).hasReceived("tasks/get").hasHeader("Mcp-Name", created.path("taskId").asString());
	}

	@Test
	void failsAndCancelsTasksOfTheExtension() throws Exception {
		CompletableFuture<McpTestTask> started = new CompletableFuture<>();
		this.server.tool("fails", McpTestReply.task(Duration.ofMillis(5), (task) -> McpTestReply.error(-32000, "no")))
			.tool("waits", McpTestReply.task(Duration.ofMillis(5), (task) -> {
				started.complete(task);
				return McpTestReply.never();
			}));
		String failing = "'taskId':'"
				+ stateless("tools/call", "'name':'fails'").path("result").path("taskId").asString() + "'";
		assertThat(awaitStatus(failing, "failed").path("error").path("message").asString()).isEqualTo("no");
		stateless("tools/call", "'name':'waits'");
		String waiting = "'taskId':'" + started.join().id() + "'";
		assertThat(stateless("tasks/cancel", waiting).has("result")).isTrue();
		assertThat(awaitStatus(waiting, "cancelled").has("error")).isFalse();
		assertThat(started.join().isCancelled()).isTrue();
		assertThat(stateless("tasks/get", "'taskId':'other'").path("error").path("code").asInt()).isEqualTo(-32602);
	}

	@Test
	void runsTasksOfTheOlderRevision() throws Exception {
		this.server.tool(
				Map.of("name", "slow", "inputSchema", Map.of("type", "object"), "execution",
						Map.of("taskSupport", "required")),
				(request) -> McpTestReply.task(Duration.ofMillis(5), (task) -> McpTestReply
					.text("It is " + task.request("elicitation/create", FORM).join().get("action"))));
		assertThat(stateful("tools/call", "'name':'slow'").path("error").path("code").asInt()).isEqualTo(-32601);
		JsonNode task = stateful("tools/call", "'name':'slow','task':{}").path("result").path("task");
		String id = "'taskId':'" + task.path("taskId").asString() + "'";
		assertThat(task.path("status").asString()).isIn("working", "input_required");
		assertThat(task.path("pollInterval").asInt()).isEqualTo(5);
		this.server.awaitRequests("tools/call", 2);
		HttpResponse<Stream<String>> lost = this.client.send(request(message("tasks/result", id)).build(),
				BodyHandlers.ofLines());
		lost.body().close();
		HttpResponse<Stream<String>> response = this.client.send(request(message("tasks/result", id)).build(),
				BodyHandlers.ofLines());
		Iterator<String> events = response.body().filter((line) -> line.startsWith("data: ")).iterator();
		JsonNode question = Json.read(events.next().substring(6));
		assertThat(question.path("method").asString()).isEqualTo("elicitation/create");
		assertThat(question.path("params").path("_meta").toString()).contains("related-task",
				task.path("taskId").asString());
		assertThat(stateful("tasks/get", id).path("result").path("status").asString()).isEqualTo("input_required");
		this.client.send(
				request("{\"jsonrpc\":\"2.0\",\"id\":" + question.path("id") + ",\"result\":{\"action\":\"decline\"}}")
					.build(),
				BodyHandlers.discarding());
		assertThat(events.next()).contains("It is decline", "related-task");
		assertThat(stateful("tasks/get", id).path("result").path("status").asString()).isEqualTo("completed");
		assertThat(stateful("tasks/cancel", id).path("error").path("code").asInt()).isEqualTo(-32602);
	}

	@Test
	void answersItselfWithoutATaskInTheOlderRevision() throws Exception {
		this.server.tool("slow", McpTestReply.task(Duration.ofMillis(5), (task) -> McpTestReply.text("done")))
			.tool("waits", McpTestReply.task(Duration.ofMillis(5), (task) -> McpTestReply.never()));
		assertThat(stateful("tools/call", "'name':'slow'").toString()).contains("done");
		JsonNode task = stateful("tools/call", "'name':'waits','task':{}").path("result").path("task");
		JsonNode cancelled = stateful("tasks/cancel", "'taskId':" + task.path("taskId"));
		assertThat(cancelled.path("result").path("status").asString()).isEqualTo("cancelled");
		assertThat(stateful("tasks/result", "'taskId':" + task.path("taskId")).path("error").path("message").asString())
			.contains("cancelled");
	}

	private JsonNode awaitStatus(String id, String status) throws Exception {
		JsonNode task = stateless("tasks/get", id).path("result");
		while (!task.path("status").asString().equals(status)) {
			task = stateless("tasks/get", id).path("result");
		}
		return task;
	}

	private JsonNode stateless(String method, String params) throws Exception {
		String meta = "'_meta':{'io.modelcontextprotocol/protocolVersion':'2026-07-28',"
				+ "'io.modelcontextprotocol/clientCapabilities':" + this.capabilities + "}";
		String message = message(method, params.isEmpty() ? meta : params + "," + meta);
		JsonNode values = Json.read(message).path("params");
		String name = values.path("name").asString(values.path("taskId").asString(""));
		HttpRequest request = request(message)
			.headers("MCP-Protocol-Version", "2026-07-28", "Mcp-Method", method, "Mcp-Name", name)
			.build();
		return Json.read(this.client.send(request, BodyHandlers.ofString()).body());
	}

	private JsonNode stateful(String method, String params) throws Exception {
		return Json.read(this.client.send(request(message(method, params)).build(), BodyHandlers.ofString()).body());
	}

	private String message(String method, String params) {
		return "{\"jsonrpc\":\"2.0\",\"id\":" + ++this.ids + ",\"method\":\"" + method + "\",\"params\":{"
				+ params.replace('\'', '"') + "}}";
	}

	private HttpRequest.Builder request(String body) {
		return HttpRequest.newBuilder(URI.create(this.server.url())).POST(HttpRequest.BodyPublishers.ofString(body));
	}

}
