package io.github.mcpclient.internal.session;

import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

import io.github.mcpclient.internal.support.Printable;
import io.modelcontextprotocol.spec.McpTransport;
import org.jspecify.annotations.Nullable;

/**
 * The task as which a server runs a call, if it does: it outlasts the connection. Safe
 * for use by many threads.
 */
final class CallTask {

	static final Duration SHORTEST_PAUSE = Duration.ofMillis(50);

	private static final Duration PAUSE = Duration.ofSeconds(1);

	private static final int MAX_RESUMPTIONS = 100;

	private static final int LONGEST_ID = 1024;

	private static final int LONGEST_MESSAGE = 2000;

	private static final Set<String> OVER = Set.of("completed", "failed", "cancelled");

	private static final Set<String> PENDING = Set.of("working", "input_required");

	private final Map<String, Object> answers = new ConcurrentHashMap<>();

	private final AtomicInteger resumptions = new AtomicInteger();

	private volatile @Nullable State state;

	boolean isRunning() {
		return this.state != null;
	}

	/**
	 * Return whether the task is running and can be requested over another connection.
	 */
	boolean mayResume() {
		return isRunning() && this.resumptions.incrementAndGet() <= MAX_RESUMPTIONS;
	}

	State state() {
		State state = this.state;
		if (state == null) {
			throw new IllegalStateException("There is no task");
		}
		return state;
	}

	/**
	 * Update the state of the task.
	 * @return the message of the server if it is a new one, or {@code null}
	 */
	@Nullable String update(State next) {
		State previous = this.state;
		this.state = next;
		boolean known = next.message().isEmpty() || (previous != null && next.message().equals(previous.message()));
		return known ? null : next.message();
	}

	void end() {
		this.state = null;
	}

	/**
	 * Return the responses to the input requests of the task, by the server's key of
	 * each.
	 */
	Map<String, Object> answers() {
		return this.answers;
	}

	/**
	 * The latest state of a task that the server sent.
	 *
	 * @param message the server's message, or an empty text
	 * @param pause how long to wait before the next request
	 * @param values all members
	 */
	record State(String id, String status, String message, Duration pause, Map<String, Object> values) {

		static State created(McpTransport transport, Object result, Call<?> call) {
			Map<String, Object> values = Json.object(transport, result, "The server's response to " + call.name());
			Map<String, Object> task = Json.objectOrNull(values.get("task"));
			return of((task != null) ? task : values, PAUSE, call);
		}

		/**
		 * Read a task.
		 * @param pause how long to wait if the task does not name an interval
		 * @throws SessionProtocolException if it is malformed
		 */
		static State of(Map<String, Object> task, Duration pause, Call<?> call) {
			if (!(task.get("taskId") instanceof String id) || id.isEmpty() || id.length() > LONGEST_ID) {
				throw new SessionProtocolException(
						"The server runs " + call.name() + " as a task whose ID is missing or too long");
			}
			String status = (task.get("status") instanceof String text) ? text : "";
			if (!PENDING.contains(status) && !OVER.contains(status)) {
				throw new SessionProtocolException("The server runs " + call.name() + " as a task of status '"
						+ Printable.line(status, LONGEST_ID) + "', which this client does not know");
			}
			Object asked = task.getOrDefault("pollIntervalMs", task.get("pollInterval"));
			long millis = (asked instanceof Number number) ? number.longValue() : pause.toMillis();
			return new State(id, status,
					(task.get("statusMessage") instanceof String text) ? Printable.line(text, LONGEST_MESSAGE) : "",
					Duration.ofMillis(
							Math.max(SHORTEST_PAUSE.toMillis(), Math.min(millis, call.options().longest().toMillis()))),
					task);
		}

		boolean isOver() {
			return OVER.contains(this.status);
		}

	}

}
