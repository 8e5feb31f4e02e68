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
 * A call of a tool that runs as a task: in revision 2025-11-25 as the client says, in
 * 2026-07-28 with the extension {@code io.modelcontextprotocol/tasks}. Safe for use by
 * many threads.
 */
public final class McpTestTask {

	private static final McpTestReply ACCEPTED = McpTestReply.result(Map.of());

	private final String id = UUID.randomUUID().toString();

	private final McpTestRequest call;

	private final Duration pollInterval;

	private final Instant created = Instant.now();

	// what the client was asked, and has not answered yet
	private final Map<String, Question> questions = new LinkedHashMap<>();

	private final CompletableFuture<McpTestReply> outcome = new CompletableFuture<>();

	private Instant updated = this.created;

	private String status = "working";

	private @Nullable String message;

	private int asked;

	// on whose stream the client is asked in older revisions
	private @Nullable McpTestRequest carrier;

	McpTestTask(McpTestRequest call, Duration pollInterval) {
		this.call = call;
		this.pollInterval = pollInterval;
	}

	/**
	 * Return the id of the task.
	 * @return the id
	 */
	public String id() {
		return this.id;
	}

	/**
	 * Return the call.
	 * @return the call that the task answers
	 */
	public McpTestRequest call() {
		return this.call;
	}

	/**
	 * Say what the task is doing, which the client learns when it polls next.
	 * @param message what it is doing
	 * @return this task
	 */
	public synchronized McpTestTask message(String message) {
		this.message = message;
		this.updated = Instant.now();
		return this;
	}

	/**
	 * Ask the client something, which it learns when it next asks for the state of the
	 * task.
	 * @param method the method, such as {@code elicitation/create}
	 * @param params the parameters
	 * @return completes with the result, with an {@link IllegalStateException} that has
	 * the client's JSON-RPC error as message, or with a {@link CancellationException} if
	 * the client cancels the task
	 */
	public synchronized CompletableFuture<Map<String, @Nullable Object>> request(String method, Map<String, ?> params) {
		Question question = new Question(method, params, new CompletableFuture<>());
		String key = "question-" + ++this.asked;
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
	 * Ask what is to be asked on the stream of a request.
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
			// the client has gone, and asks for the result again
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
	 * Do the work, and block until it has an outcome.
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
	 * Return what will be the answer to the call, and ask until then on the stream of a
	 * request.
	 */
	CompletableFuture<McpTestReply> result(McpTestRequest carrier) {
		carriedBy(carrier);
		return this.outcome.thenApply((reply) -> reply.withMeta(related()));
	}

	/**
	 * Return the task as it is now.
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
	 * What a task does. Runs on a thread of the server, where it may block.
	 */
	@FunctionalInterface
	public interface Work {

		/**
		 * Do it.
		 * @param task the task
		 * @return the answer to the call; the task goes on until the
		 * {@linkplain McpTestReply#after stage} of that answer completes, or
		 * {@linkplain McpTestReply#never() for ever}
		 * @throws Exception where the test goes wrong: the task fails with code -32603
		 * and the exception's message
		 */
		McpTestReply run(McpTestTask task) throws Exception;

	}

	private record Question(String method, Map<String, ?> params, CompletableFuture<Map<String, Object>> answer) {
	}

}
