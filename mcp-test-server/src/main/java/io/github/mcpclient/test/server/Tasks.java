package io.github.mcpclient.test.server;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;

import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * The calls that run as tasks, and requests for their state.
 */
final class Tasks {

	static final String EXTENSION = McpTestRequest.META + "tasks";

	private static final Set<String> METHODS = Set.of("tasks/get", "tasks/result", "tasks/update", "tasks/cancel");

	private final Map<String, McpTestTask> tasks = new ConcurrentHashMap<>();

	private final Executor threads;

	Tasks(Executor threads) {
		this.threads = threads;
	}

	void clear() {
		this.tasks.clear();
	}

	/**
	 * Run a task whose result is the result of the call.
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
	 * Return the reply to a request about a task, {@code null} for other requests.
	 */
	@Nullable Mono<McpTestReply> reply(McpTestRequest request) {
		String method = request.method();
		if (!METHODS.contains(method) || method.equals(request.isStateless() ? "tasks/result" : "tasks/update")) {
			return null;
		}
		McpTestTask task = this.tasks.get(request.name());
		if (task == null) {
			return Mono.just(McpTestReply.error(-32602, "Unknown task: " + request.name()));
		}
		return switch (method) {
			case "tasks/result" -> Mono.fromFuture(task.result(request));
			case "tasks/update" -> Mono.just(task.update(request));
			case "tasks/cancel" -> Mono.just(task.cancel());
			default -> Mono.just(McpTestReply.result(task.json()));
		};
	}

}
