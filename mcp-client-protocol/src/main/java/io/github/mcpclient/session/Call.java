package io.github.mcpclient.session;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Consumer;

import io.github.mcpclient.support.Times;
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

/**
 * A request to a server, all the way from the application to the wire.
 *
 * @param <T> the type of the result
 * @param method the JSON-RPC method
 * @param subject what the request is about, such as the name of a tool, or {@code null}
 * @param params the parameters, or {@code null}
 * @param reader reads the result, given the transport that it came over
 * @param timeout how long to wait for the result in all or, with a {@code maxTimeout},
 * for the result or the next progress
 * @param maxTimeout how long to wait in all, whatever the progress, or {@code null} if
 * progress does not extend the timeout
 * @param progress receives progress, or {@code null}. Runs on the scheduler for user
 * code, one notification at a time; the oldest ones are dropped when it is too slow.
 * Progress that came before the result is delivered before it, unless that takes longer
 * than a second or the timeout
 * @param repeatable whether the request may be repeated though the server may have acted
 * on it
 * @param check decides whether the request may be sent
 * @param spent how much of the time had passed before the connection was asked
 * @param raise what to raise if the call needs longer, or {@code null} for what is raised
 * most often
 * @param added what the parameters have beside those of the caller
 * @param task the task as which the server runs it
 */
public record Call<T>(String method, @Nullable String subject, @Nullable Object params,
		BiFunction<McpTransport, Object, T> reader, Duration timeout, @Nullable Duration maxTimeout,
		@Nullable Consumer<ProgressNotification> progress, boolean repeatable, Check check, Duration spent,
		@Nullable String raise, Map<String, Object> added, CallTask task) {

	/**
	 * Lets everything pass.
	 */
	public static final Check UNCHECKED = () -> null;

	/**
	 * Creates a call whose times leave room for arithmetic.
	 */
	public Call {
		timeout = Times.atMostForever(timeout);
		maxTimeout = (maxTimeout != null) ? Times.atMostForever(maxTimeout) : null;
	}

	static <T> Call<T> of(String method, @Nullable Object params, BiFunction<McpTransport, Object, T> reader,
			Duration timeout) {
		return read(method, null, params, reader, timeout);
	}

	/**
	 * Calls a tool, once. What can be understood of a malformed result is kept.
	 */
	public static Call<CallToolResult> tool(CallToolRequest request, Duration timeout, @Nullable Duration maxTimeout,
			@Nullable Consumer<ProgressNotification> progress, boolean repeatable, Check check, Duration spent) {
		return new Call<>(McpSchema.METHOD_TOOLS_CALL, request.name(), request, ResultReader::readTool, timeout,
				maxTimeout, progress, repeatable, check, spent, null, Map.of(), new CallTask());
	}

	/**
	 * Gets the messages of a prompt.
	 */
	public static Call<GetPromptResult> prompt(GetPromptRequest request, Duration timeout) {
		return read(McpSchema.METHOD_PROMPT_GET, request.name(), request, ResultReader::readPrompt, timeout);
	}

	/**
	 * Reads a resource.
	 */
	public static Call<ReadResourceResult> resource(ReadResourceRequest request, Duration timeout) {
		return read(McpSchema.METHOD_RESOURCES_READ, request.uri(), request, ResultReader::readResource, timeout);
	}

	/**
	 * Returns a call that reads a resource in place of this call of a tool, as whose
	 * result it has the contents.
	 */
	public Call<CallToolResult> readingResource(String uri) {
		Map<String, Object> meta = (this.params instanceof CallToolRequest request) ? request.meta() : null;
		return new Call<>(McpSchema.METHOD_RESOURCES_READ, uri, new ReadResourceRequest(uri, meta),
				ResultReader::readResourceOfTool, this.timeout, this.maxTimeout, this.progress, this.repeatable,
				this.check, this.spent, this.raise, this.added, this.task);
	}

	/**
	 * Completes an argument of a prompt or a resource template.
	 */
	public static Call<CompleteResult> completion(CompleteRequest request, Duration timeout) {
		return read(McpSchema.METHOD_COMPLETION_COMPLETE, "of argument " + request.argument().name(), request,
				ResultReader::readCompletion, timeout);
	}

	/**
	 * Asks for something that has no result but that it was done.
	 */
	public static Call<Boolean> withoutResult(String method, @Nullable String subject, Object params,
			Duration timeout) {
		return read(method, subject, params, (transport, result) -> true, timeout);
	}

	static <T> Call<T> read(String method, @Nullable String subject, @Nullable Object params,
			BiFunction<McpTransport, Object, T> reader, Duration timeout) {
		return new Call<>(method, subject, params, reader, timeout, null, null, true, UNCHECKED, Duration.ZERO, null,
				Map.of(), new CallTask());
	}

	/**
	 * Returns whether the server runs this call as a task, for which it can be asked
	 * again: the call is not repeated.
	 */
	public boolean isTask() {
		return this.task.isRunning();
	}

	/**
	 * Returns whether the server may be asked again for the task, which is limited.
	 */
	public boolean mayResume() {
		return this.task.mayResume();
	}

	/**
	 * Returns this call with another check.
	 */
	public Call<T> checkedBy(Check check) {
		return new Call<>(this.method, this.subject, this.params, this.reader, this.timeout, this.maxTimeout,
				this.progress, this.repeatable, check, this.spent, this.raise, this.added, this.task);
	}

	/**
	 * Returns this call with what to raise if it needs longer.
	 */
	public Call<T> raising(@Nullable String raise) {
		return (raise != null) ? new Call<>(this.method, this.subject, this.params, this.reader, this.timeout,
				this.maxTimeout, this.progress, this.repeatable, this.check, this.spent, raise, this.added, this.task)
				: this;
	}

	/**
	 * Returns this call with another reader of its result.
	 */
	<R> Call<R> readBy(BiFunction<McpTransport, Object, R> reader) {
		return new Call<>(this.method, this.subject, this.params, reader, this.timeout, this.maxTimeout, this.progress,
				this.repeatable, this.check, this.spent, this.raise, this.added, this.task);
	}

	/**
	 * Returns this call with more parameters.
	 */
	Call<T> with(Map<String, Object> added) {
		return new Call<>(this.method, this.subject, this.params, this.reader, this.timeout, this.maxTimeout,
				this.progress, this.repeatable, this.check, this.spent, this.raise, added, this.task);
	}

	/**
	 * Returns what is called, such as {@code tools/call echo}.
	 */
	public String name() {
		return (this.subject != null) ? this.method + " " + this.subject : this.method;
	}

	/**
	 * Returns the longest time that the call may take, whatever the progress.
	 */
	public Duration longest() {
		return (this.maxTimeout != null) ? this.maxTimeout : this.timeout;
	}

	/**
	 * Returns this call with what is left of its {@link #longest()} time.
	 */
	public Call<T> within(Duration rest) {
		if (rest.equals(longest())) {
			return this;
		}
		Duration shorter = (this.maxTimeout != null && this.timeout.compareTo(rest) < 0) ? this.timeout : rest;
		return new Call<>(this.method, this.subject, this.params, this.reader, shorter,
				(this.maxTimeout != null) ? rest : null, this.progress, this.repeatable, this.check, this.spent,
				this.raise, this.added, this.task);
	}

	/**
	 * Returns the parameters with more in their {@code _meta}. Only a tool call asks for
	 * progress: where that matters, or all are to.
	 */
	@Nullable Object params(long id, McpTransport transport, boolean progressOfAll, Map<String, Object> ofProtocol) {
		boolean progress = this.params instanceof CallToolRequest
				&& (this.maxTimeout != null || this.progress != null || progressOfAll);
		if (!progress && ofProtocol.isEmpty() && this.added.isEmpty()) {
			return this.params;
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
	 * Returns whether this call opens the session. Such a call is never cancelled at the
	 * server, which the specification forbids.
	 */
	boolean isHandshake() {
		return McpSchema.METHOD_INITIALIZE.equals(this.method) || ProtocolNames.DISCOVER.equals(this.method);
	}

	/**
	 * Returns whether this is a request without a deadline, which nobody waits for.
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
		 * Returns why the request must not be sent, or {@code null} to send it. Must not
		 * block.
		 */
		@Nullable RuntimeException refusal();

	}

}
