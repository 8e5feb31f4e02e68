package io.github.mcpclient.test.server;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;

import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import tools.jackson.databind.JsonNode;

/**
 * The calls that run as tasks, and what clients ask about them.
 */
final class Tasks {

	static final String EXTENSION = StatelessProtocol.META + "tasks";

	private final Map<String, McpTestTask> tasks = new ConcurrentHashMap<>();

	private final Executor threads;

	Tasks(Executor threads) {
		this.threads = threads;
	}

	void clear() {
		this.tasks.clear();
	}

	/**
	 * Do the work of a task, whose outcome answers the call itself.
	 */
	Mono<McpTestReply> call(McpTestReply.TaskWork work, McpTestRequest call, boolean refused) {
		if (refused) {
			return Mono.just(McpTestReply.error(-32601, "The tool " + call.name() + " has to be called as a task"));
		}
		McpTestTask task = new McpTestTask(call, work.pollInterval());
		task.carriedBy(call);
		return Mono.create((sink) -> this.threads.execute(() -> sink.success(task.run(work.work()))));
	}

	McpTestReply begin(McpTestReply.TaskWork work, McpTestRequest call) {
		McpTestTask task = new McpTestTask(call, work.pollInterval());
		this.tasks.put(task.id(), task);
		Map<String, Object> json = task.json();
		this.threads.execute(() -> task.run(work.work()));
		if (!call.isStateless()) {
			return McpTestReply.result(Map.of("task", json));
		}
		Map<String, Object> result = new LinkedHashMap<>(Map.of("resultType", "task"));
		result.putAll(json);
		return McpTestReply.result(result);
	}

	/**
	 * Answer a request about a task, {@code null} if it is none.
	 */
	@Nullable Mono<McpTestReply> reply(McpTestRequest request) {
		boolean known = switch (request.method()) {
			case "tasks/get", "tasks/cancel" -> true;
			case "tasks/result" -> !request.isStateless();
			case "tasks/update" -> request.isStateless();
			default -> false;
		};
		if (!known) {
			return null;
		}
		McpTestTask task = this.tasks.get(request.name());
		return (task != null) ? reply(task, request)
				: Mono.just(McpTestReply.error(-32602, "Unknown task: " + request.name()));
	}

	private static Mono<McpTestReply> reply(McpTestTask task, McpTestRequest request) {
		McpTestReply empty = McpTestReply.result(Map.of());
		switch (request.method()) {
			case "tasks/result" -> {
				task.carriedBy(request);
				return Mono.fromFuture(task.outcome());
			}
			case "tasks/update" -> {
				JsonNode answers = request.message().path("params").path("inputResponses");
				answers.properties()
					.forEach((answer) -> task.answered(answer.getKey(), Json.map(answer.getValue()), null));
				return Mono.just(empty);
			}
			case "tasks/cancel" -> {
				boolean cancelled = task.cancel();
				if (request.isStateless()) {
					return Mono.just(empty);
				}
				return Mono.just(cancelled ? McpTestReply.result(task.json())
						: McpTestReply.error(-32602, "The task has ended"));
			}
			default -> {
				return Mono.just(McpTestReply.result(task.json()));
			}
		}
	}

}
