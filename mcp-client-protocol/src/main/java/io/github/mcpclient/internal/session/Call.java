package io.github.mcpclient.internal.session;

import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Consumer;

import io.github.mcpclient.internal.support.Deadline;
import io.modelcontextprotocol.spec.McpSchema;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.CompleteRequest;
import io.modelcontextprotocol.spec.McpSchema.CompleteResult;
import io.modelcontextprotocol.spec.McpSchema.GetPromptRequest;
import io.modelcontextprotocol.spec.McpSchema.GetPromptResult;
import io.modelcontextprotocol.spec.McpSchema.ProgressNotification;
import io.modelcontextprotocol.spec.McpSchema.ReadResourceRequest;
import io.modelcontextprotocol.spec.McpSchema.ReadResourceResult;
import io.modelcontextprotocol.spec.McpTransport;
import org.jspecify.annotations.Nullable;
import reactor.core.scheduler.Scheduler;

/**
 * A request to a server, all the way from the application to the wire.
 *
 * @param <T> the type of the result
 * @param method the JSON-RPC method
 * @param subject the object of the request, such as the name of a tool, or {@code null}
 * @param params the parameters, or {@code null}
 * @param reader reads the result, given the transport that it came over
 * @param added parameters added to the parameters of the caller
 * @param task the task as which the server runs it
 * @param options the timeouts and other options of the request
 */
public record Call<T>(String method, @Nullable String subject, @Nullable Object params,
		BiFunction<McpTransport, Object, T> reader, Map<String, Object> added, CallTask task, Options options) {

	/**
	 * Lets everything pass.
	 */
	public static final Check UNCHECKED = () -> null;

	/**
	 * Call a tool, without a retry. The valid parts of a malformed result are used.
	 */
	public static Call<CallToolResult> tool(CallToolRequest request, Options options) {
		return new Call<>(McpSchema.METHOD_TOOLS_CALL, request.name(), request, ResultReader::readTool, Map.of(),
				new CallTask(), options);
	}

	/**
	 * Get the messages of a prompt.
	 */
	public static Call<GetPromptResult> prompt(GetPromptRequest request, Duration timeout) {
		return of(McpSchema.METHOD_PROMPT_GET, request.name(), request, ResultReader::readPrompt, timeout);
	}

	/**
	 * Read a resource.
	 */
	public static Call<ReadResourceResult> resource(ReadResourceRequest request, Duration timeout) {
		return of(McpSchema.METHOD_RESOURCES_READ, request.uri(), request, ResultReader::readResource, timeout);
	}

	/**
	 * Complete an argument of a prompt or a resource template.
	 */
	public static Call<CompleteResult> completion(CompleteRequest request, Duration timeout) {
		return of(McpSchema.METHOD_COMPLETION_COMPLETE, "of argument " + request.argument().name(), request,
				ResultReader::readCompletion, timeout);
	}

	static <T> Call<T> of(String method, @Nullable String subject, @Nullable Object params,
			BiFunction<McpTransport, Object, T> reader, Duration timeout) {
		return new Call<>(method, subject, params, reader, Map.of(), new CallTask(), Options.of(timeout, true));
	}

	/**
	 * Return whether the server runs this call as a task. The client can then request the
	 * task again, and does not repeat the call.
	 */
	public boolean isTask() {
		return this.task.isRunning();
	}

	/**
	 * Return whether the client may request the task again, which it does a limited
	 * number of times.
	 */
	public boolean mayResume() {
		return this.task.mayResume();
	}

	/**
	 * Return this call with another check.
	 */
	public Call<T> checkedBy(Check check) {
		return with(this.options.checkedBy(check));
	}

	/**
	 * Return this call, whose time begins now unless it has begun already.
	 * @param clock a monotonic clock
	 */
	public Call<T> begin(Scheduler clock) {
		Options begun = this.options.begin(clock);
		return (begun != this.options) ? with(begun) : this;
	}

	private Call<T> with(Options options) {
		return new Call<>(this.method, this.subject, this.params, this.reader, this.added, this.task, options);
	}

	/**
	 * Return this call with more parameters.
	 */
	Call<T> with(Map<String, Object> added) {
		return new Call<>(this.method, this.subject, this.params, this.reader, added, this.task, this.options);
	}

	/**
	 * Return the name of the request, such as {@code tools/call echo}.
	 */
	public String name() {
		return (this.subject != null) ? this.method + " " + this.subject : this.method;
	}

	/**
	 * Return the parameters with additional members in their {@code _meta}. Only a tool
	 * call requests progress: when its timeout depends on progress, when it has a
	 * progress listener, or when all calls request progress.
	 */
	@Nullable Object params(long id, McpTransport transport, boolean progressOfAll, Map<String, Object> ofProtocol) {
		boolean progress = this.params instanceof CallToolRequest
				&& (this.options.maxTimeout() != null || this.options.progress() != null || progressOfAll);
		if (!progress && ofProtocol.isEmpty() && this.added.isEmpty()) {
			return this.params;
		}
		if (!progress && this.added.isEmpty() && this.params instanceof CallToolRequest request
				&& (request.meta() == null || request.meta().isEmpty())) {
			// the prepared object, unchanged
			return new CallToolRequest(request.name(), request.arguments(), ofProtocol);
		}
		Map<String, Object> meta = new LinkedHashMap<>();
		if (this.params instanceof CallToolRequest request && this.added.isEmpty()) {
			if (request.meta() != null) {
				meta.putAll(request.meta());
			}
			meta.putAll(ofProtocol);
			if (progress) {
				meta.put("progressToken", id);
			}
			return new CallToolRequest(request.name(), request.arguments(), meta);
		}
		Map<String, Object> params = new LinkedHashMap<>();
		if (this.params != null) {
			params.putAll(Json.object(transport, this.params, name()));
		}
		if (params.get("_meta") instanceof Map<?, ?> given) {
			meta.putAll(Json.object(given));
		}
		meta.putAll(ofProtocol);
		if (progress) {
			meta.put("progressToken", id);
		}
		params.putAll(this.added);
		params.put("_meta", meta);
		return params;
	}

	/**
	 * Return whether this call opens the session. Such a call is never cancelled at the
	 * server, which the specification forbids.
	 */
	boolean isHandshake() {
		return McpSchema.METHOD_INITIALIZE.equals(this.method) || ProtocolNames.DISCOVER.equals(this.method);
	}

	/**
	 * Return whether this is a request without a deadline, for which no caller waits.
	 */
	boolean isStanding() {
		return ProtocolNames.LISTEN.equals(this.method);
	}

	/**
	 * Decides about a request right before it is sent, each time: another session may
	 * offer something else.
	 */
	@FunctionalInterface
	public interface Check {

		/**
		 * Return why the request must not be sent, or {@code null} to send it: it is sent
		 * then. Must not block.
		 */
		@Nullable RuntimeException beforeSend();

	}

	/**
	 * How a request is made, for any method.
	 *
	 * @param timeout the total time to wait for the result or, with a {@code maxTimeout},
	 * the time to wait for the result or the next progress
	 * @param maxTimeout the total time to wait, regardless of progress, or {@code null}
	 * if progress does not extend the timeout
	 * @param deadline when the {@link #longest()} time is over, or {@code null} if it
	 * starts when the connection receives the request
	 * @param settingToRaise the setting to raise if the call needs more time, or
	 * {@code null} for the setting that is raised most often
	 * @param progress receives progress, or {@code null}. Runs on the scheduler for user
	 * code, one notification at a time; the oldest ones are dropped when it is too slow.
	 * Progress that arrives before the result is delivered before it, for at most a
	 * second and within the timeout
	 * @param repeatable whether the request may be repeated though the server may have
	 * acted on it
	 * @param check decides whether the request may be sent
	 */
	public record Options(Duration timeout, @Nullable Duration maxTimeout, @Nullable Deadline deadline,
			@Nullable String settingToRaise, @Nullable Consumer<ProgressNotification> progress, boolean repeatable,
			Check check) {

		/**
		 * Create options whose times leave room for arithmetic.
		 */
		public Options {
			timeout = Deadline.atMostForever(timeout);
			maxTimeout = (maxTimeout != null) ? Deadline.atMostForever(maxTimeout) : null;
		}

		/**
		 * Return options with a timeout that nothing extends.
		 */
		public static Options of(Duration timeout, boolean repeatable) {
			return new Options(timeout, null, null, null, null, repeatable, Call.UNCHECKED);
		}

		/**
		 * Return options with which the time of the call has begun.
		 */
		Options begin(Scheduler clock) {
			return hasBegun() ? this : new Options(this.timeout, this.maxTimeout, Deadline.after(longest(), clock),
					this.settingToRaise, this.progress, this.repeatable, this.check);
		}

		/**
		 * Return whether the time of the call has begun.
		 */
		boolean hasBegun() {
			return this.deadline != null;
		}

		Options checkedBy(Check check) {
			return new Options(this.timeout, this.maxTimeout, this.deadline, this.settingToRaise, this.progress,
					this.repeatable, check);
		}

		/**
		 * Return the longest time that the call may take, regardless of progress.
		 */
		public Duration longest() {
			return (this.maxTimeout != null) ? this.maxTimeout : this.timeout;
		}

		/**
		 * Return the remaining {@link #longest()} time, or all of it if it has not begun.
		 */
		public Duration remaining() {
			return (this.deadline != null) ? this.deadline.remaining() : longest();
		}

		/**
		 * Return whether nothing remains of the time.
		 */
		public boolean isExpired() {
			return this.deadline != null && this.deadline.isExpired();
		}

		/**
		 * Return how long the call may wait from now on without progress.
		 */
		public Duration patience() {
			return Collections.min(List.of(this.timeout, remaining()));
		}

		/**
		 * Return how long the call may still wait before anything is sent.
		 */
		public Duration untilSent() {
			return remaining().minus(longest().minus(this.timeout));
		}

	}

}
