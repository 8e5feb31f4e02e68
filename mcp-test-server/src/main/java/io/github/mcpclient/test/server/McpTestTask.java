package io.github.mcpclient.test.server;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A tool call that runs as a task: in 2025-11-25 at the client's request, in 2026-07-28
 * with the extension {@code io.modelcontextprotocol/tasks}. Thread-safe.
 */
public final class McpTestTask {

	private static final McpTestReply ACCEPTED = McpTestReply.result(Map.of());

	private final String id = UUID.randomUUID().toString();

	private final McpTestRequest call;

	private final Duration pollInterval;

	private final Instant created = Instant.now();

	// input requests without a response
	private final Map<String, Question> questions = new LinkedHashMap<>();

	private final CompletableFuture<McpTestReply> outcome = new CompletableFuture<>();

	private Instant updated = this.created;

	private String status = "working";

	private @Nullable String message;

	private int inputs;

	// whose stream carries input requests in the legacy protocol
	private @Nullable McpTestRequest carrier;

	McpTestTask(McpTestRequest call, Duration pollInterval) {
		this.call = call;
		this.pollInterval = pollInterval;
	}

	/**
	 * Return the task ID.
	 * @return the task ID
	 */
	public String id() {
		return this.id;
	}

	/**
	 * Return the call.
	 * @return the call that created the task
	 */
	public McpTestRequest call() {
		return this.call;
	}

	/**
	 * Set the status message, which the client receives when it polls.
	 * @param message the status message
	 * @return this task
	 */
	public synchronized McpTestTask message(String message) {
		this.message = message;
		this.updated = Instant.now();
		return this;
	}

	/**
	 * Send an input request to the client, which receives it when it polls the task.
	 * @param method the method, such as {@code elicitation/create}
	 * @param params the parameters
	 * @return a future with the result, with an {@link IllegalStateException} that has
	 * the client's JSON-RPC error as message, or with a {@link CancellationException} if
	 * the client cancels the task
	 */
	public synchronized CompletableFuture<Map<String, @Nullable Object>> request(String method, Map<String, ?> params) {
		Question question = new Question(method, params, new CompletableFuture<>());
		String key = "input-" + ++this.inputs;
		this.questions.put(key, question);
		change("input_required");
		carry(key, question);
		return question.answer();
	}

	/**
	 * Whether the client has cancelled the task.
	 * @return whether it has
	 */
	public synchronized boolean isCancelled() {
		return this.status.equals("cancelled");
	}

	private void change(String status) {
		this.status = status;
		this.updated = Instant.now();
	}

	/**
	 * Send input requests on the stream of a request.
	 */
	synchronized void carriedBy(McpTestRequest carrier) {
		this.carrier = carrier;
		Map.copyOf(this.questions).forEach(this::carry);
	}

	private void carry(String key, Question question) {
		if (this.carrier == null) {
			return;
		}
		Map<String, Object> params = new LinkedHashMap<>(question.params());
		params.put("_meta", related());
		try {
			this.carrier.request(question.method(), params)
				.whenComplete((answer, failure) -> answered(key, answer, failure));
		}
		catch (IllegalStateException ex) {
			// the client has disconnected, and requests the result again
			this.carrier = null;
		}
	}

	private Map<String, Object> related() {
		return Map.of(McpTestRequest.META + "related-task", Map.of("taskId", this.id));
	}

	private synchronized void answered(String key, @Nullable Map<String, Object> answer, @Nullable Throwable failure) {
		Question question = this.questions.remove(key);
		if (question == null) {
			return;
		}
		if (this.questions.isEmpty() && !isTerminal()) {
			change("working");
		}
		if (failure != null) {
			question.answer().completeExceptionally(failure);
		}
		else {
			question.answer().complete(answer);
		}
	}

	/**
	 * Do the work, and block until it has a result.
	 */
	McpTestReply run(Work work) {
		McpTestReply reply;
		try {
			reply = work.run(this);
			reply.gate().block();
		}
		catch (Exception ex) {
			reply = McpTestReply.error(-32603, String.valueOf(ex.getMessage()));
		}
		if (reply.isMessage()) {
			end(reply);
		}
		return reply;
	}

	private synchronized void end(McpTestReply reply) {
		if (isTerminal()) {
			return;
		}
		JsonNode result = reply.json();
		boolean failed = result == null || (!this.call.isStateless() && result.path("isError").asBoolean(false));
		change(failed ? "failed" : "completed");
		this.outcome.complete(reply);
	}

	private boolean isTerminal() {
		return this.outcome.isDone();
	}

	synchronized McpTestReply cancel() {
		if (isTerminal()) {
			return this.call.isStateless() ? ACCEPTED : McpTestReply.error(-32602, "The task has ended");
		}
		change("cancelled");
		this.outcome.complete(McpTestReply.error(-32000, "The task was cancelled"));
		this.questions.values()
			.forEach((question) -> question.answer().completeExceptionally(new CancellationException()));
		this.questions.clear();
		return this.call.isStateless() ? ACCEPTED : McpTestReply.result(json());
	}

	McpTestReply update(McpTestRequest request) {
		JsonNode answers = request.message().path("params").path("inputResponses");
		answers.properties().forEach((answer) -> answered(answer.getKey(), Json.map(answer.getValue()), null));
		return ACCEPTED;
	}

	/**
	 * Return the future result of the call. Until then, input requests are sent on the
	 * stream of a request.
	 */
	CompletableFuture<McpTestReply> result(McpTestRequest carrier) {
		carriedBy(carrier);
		return this.outcome.thenApply((reply) -> reply.withMeta(related()));
	}

	/**
	 * Return the current state of the task.
	 */
	synchronized Map<String, Object> json() {
		boolean stateless = this.call.isStateless();
		Map<String, @Nullable Object> json = new LinkedHashMap<>();
		json.put("taskId", this.id);
		json.put("status", this.status);
		if (this.message != null) {
			json.put("statusMessage", this.message);
		}
		json.put("createdAt", this.created.toString());
		json.put("lastUpdatedAt", this.updated.toString());
		json.put(stateless ? "ttlMs" : "ttl", null);
		json.put(stateless ? "pollIntervalMs" : "pollInterval", this.pollInterval.toMillis());
		if (stateless && !this.questions.isEmpty()) {
			Map<String, Object> requests = new LinkedHashMap<>();
			this.questions
				.forEach((key, question) -> requests.put(key, Json.notification(question.method(), question.params())));
			json.put("inputRequests", requests);
		}
		McpTestReply reply = this.outcome.getNow(null);
		if (stateless && reply != null && !isCancelled()) {
			json.put((reply.json() != null) ? "result" : "error",
					(reply.json() != null) ? reply.json() : reply.error());
		}
		return json;
	}

	/**
	 * The work of a task. It runs on a thread of the server and may block.
	 */
	@FunctionalInterface
	public interface Work {

		/**
		 * Run the task.
		 * @param task the task
		 * @return the reply to the call; the task continues until the
		 * {@linkplain McpTestReply#after stage} of the reply completes, or
		 * {@linkplain McpTestReply#never() forever}
		 * @throws Exception if the work fails: the task fails with code -32603 and the
		 * exception's message
		 */
		McpTestReply run(McpTestTask task) throws Exception;

	}

	private record Question(String method, Map<String, ?> params, CompletableFuture<Map<String, Object>> answer) {
	}

}
