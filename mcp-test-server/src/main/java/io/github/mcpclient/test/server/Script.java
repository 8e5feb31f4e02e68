package io.github.mcpclient.test.server;

import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;

import org.jspecify.annotations.Nullable;

/**
 * What the test wants done, by method: the next times, and always.
 */
final class Script {

	private final Map<String, McpTestHandler> standing = new ConcurrentHashMap<>();

	private final Map<String, Queue<McpTestHandler>> next = new ConcurrentHashMap<>();

	void on(String method, McpTestHandler handler) {
		this.standing.put(method, handler);
	}

	void onNext(String method, List<? extends McpTestHandler> handlers) {
		this.next.computeIfAbsent(method, (name) -> new ConcurrentLinkedQueue<>()).addAll(handlers);
	}

	Script copy() {
		Script copy = new Script();
		copy.standing.putAll(this.standing);
		this.next.forEach((method, handlers) -> copy.onNext(method, List.copyOf(handlers)));
		return copy;
	}

	@Nullable McpTestHandler find(String method) {
		Queue<McpTestHandler> queue = this.next.get(method);
		McpTestHandler handler = (queue != null) ? queue.poll() : null;
		return (handler != null) ? handler : this.standing.get(method);
	}

	/**
	 * A reply that needs no thread.
	 *
	 * @param reply the reply
	 */
	record Fixed(McpTestReply reply) implements McpTestHandler {

		@Override
		public McpTestReply reply(McpTestRequest request) {
			return this.reply;
		}

	}

}
