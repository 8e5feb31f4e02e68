package io.github.mcpclient.smoke;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;

import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;
import reactor.netty.DisposableServer;
import reactor.netty.http.server.HttpServer;
import reactor.netty.http.server.HttpServerRequest;
import reactor.netty.http.server.HttpServerResponse;
import reactor.netty.resources.LoopResources;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A model behind an endpoint that is compatible with OpenAI's chat completions, which
 * says what a test tells it to say, and keeps what it was sent.
 */
final class PlayedModel implements AutoCloseable {

	private static final JsonMapper JSON = JsonMapper.builder().build();

	private final Queue<Map<String, Object>> answers = new ConcurrentLinkedQueue<>();

	private final List<JsonNode> requests = new CopyOnWriteArrayList<>();

	private final LoopResources loops = LoopResources.create("played-model", 1, true);

	private final DisposableServer server = HttpServer.create()
		.host("localhost")
		.port(0)
		.runOn(this.loops)
		.route((routes) -> routes.post("/v1/chat/completions", this::complete))
		.bindNow();

	String url() {
		return "http://localhost:" + this.server.port() + "/v1";
	}

	/**
	 * Forget what was asked, and what to say.
	 */
	void reset() {
		this.requests.clear();
		this.answers.clear();
	}

	/**
	 * Call a tool next, with arguments that need not be JSON.
	 */
	PlayedModel calls(String tool, String arguments) {
		this.answers.add(Map.of("role", "assistant", "tool_calls",
				List.of(Map.of("index", 0, "id", "call-" + this.answers.size(), "type", "function", "function",
						Map.of("name", tool, "arguments", arguments)))));
		return this;
	}

	/**
	 * Say something next.
	 */
	PlayedModel says(String text) {
		this.answers.add(Map.of("role", "assistant", "content", text));
		return this;
	}

	/**
	 * The names of the tools that the model was told of in a request.
	 */
	List<String> tools(int request) {
		List<String> names = new ArrayList<>();
		this.requests.get(request).path("tools").forEach((tool) -> names.add(function(tool).path("name").asString()));
		return names;
	}

	/**
	 * What the model was told of a tool in a request.
	 */
	JsonNode tool(int request, String name) {
		for (JsonNode tool : this.requests.get(request).path("tools")) {
			if (function(tool).path("name").asString().equals(name)) {
				return function(tool);
			}
		}
		throw new AssertionError("No tool " + name + " in " + tools(request));
	}

	/**
	 * The answer of a tool that the model was sent last.
	 */
	String toolAnswer() {
		Queue<JsonNode> messages = new ArrayDeque<>();
		this.requests.get(this.requests.size() - 1).path("messages").forEach(messages::add);
		return messages.stream()
			.filter((message) -> message.path("role").asString().equals("tool"))
			.reduce((first, second) -> second)
			.map((message) -> text(message.path("content")))
			.orElseThrow(() -> new AssertionError("No answer of a tool in " + messages));
	}

	/**
	 * The system message of the first request.
	 */
	String systemText() {
		return text(this.requests.get(0).path("messages").get(0).path("content"));
	}

	private static String text(JsonNode content) {
		return content.isArray() ? content.get(0).path("text").asString() : content.asString();
	}

	private static JsonNode function(JsonNode tool) {
		return tool.path("function");
	}

	private Publisher<Void> complete(HttpServerRequest request, HttpServerResponse response) {
		return request.receive().aggregate().asString().flatMap((body) -> {
			JsonNode asked = JSON.readTree(body);
			this.requests.add(asked);
			Map<String, Object> message = this.answers.remove();
			if (asked.path("stream").asBoolean(false)) {
				String event = "data: " + JSON.writeValueAsString(completion("chat.completion.chunk", "delta", message))
						+ "\n\ndata: [DONE]\n\n";
				return response.sse().sendString(Mono.just(event)).then();
			}
			return response.header("Content-Type", "application/json")
				.sendString(Mono.just(JSON.writeValueAsString(completion("chat.completion", "message", message))))
				.then();
		});
	}

	private static Map<String, Object> completion(String object, String kind, Map<String, Object> message) {
		String reason = message.containsKey("tool_calls") ? "tool_calls" : "stop";
		return Map.of("id", "completion", "object", object, "created", 1, "model", "played", "choices",
				List.of(Map.of("index", 0, kind, message, "finish_reason", reason)), "usage",
				Map.of("prompt_tokens", 1, "completion_tokens", 1, "total_tokens", 2));
	}

	@Override
	public void close() {
		this.server.disposeNow(Duration.ofSeconds(30));
		this.loops.dispose();
	}

}
