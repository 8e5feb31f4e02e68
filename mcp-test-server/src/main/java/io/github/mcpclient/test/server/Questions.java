package io.github.mcpclient.test.server;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

import tools.jackson.databind.JsonNode;

/**
 * Requests to clients without a response.
 */
final class Questions {

	private final Map<String, CompletableFuture<Map<String, Object>>> asked = new ConcurrentHashMap<>();

	private final AtomicInteger sequence = new AtomicInteger();

	/**
	 * Send a request to a client.
	 * @param way sends the message
	 */
	CompletableFuture<Map<String, Object>> ask(String method, Map<String, ?> params, Consumer<String> way) {
		String id = "test-server-" + this.sequence.incrementAndGet();
		CompletableFuture<Map<String, Object>> answer = new CompletableFuture<>();
		this.asked.put(id, answer);
		Map<String, Object> message = new LinkedHashMap<>(Json.notification(method, params));
		message.put("id", id);
		way.accept(Json.write(message));
		return answer;
	}

	void answered(JsonNode message) {
		CompletableFuture<Map<String, Object>> answer = this.asked.remove(message.path("id").asString(""));
		if (answer != null && message.has("error")) {
			answer.completeExceptionally(new IllegalStateException(message.path("error").toString()));
		}
		else if (answer != null) {
			answer.complete(Json.map(message.path("result")));
		}
	}

}
