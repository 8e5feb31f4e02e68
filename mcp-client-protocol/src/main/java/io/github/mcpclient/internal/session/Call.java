package io.github.mcpclient.internal.session;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BiFunction;

import io.modelcontextprotocol.spec.McpSchema;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.CompleteRequest;
import io.modelcontextprotocol.spec.McpSchema.CompleteResult;
import io.modelcontextprotocol.spec.McpSchema.GetPromptRequest;
import io.modelcontextprotocol.spec.McpSchema.GetPromptResult;
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
 * @param subject what the request is about, such as the name of a tool, or {@code null}
 * @param params the parameters, or {@code null}
 * @param reader reads the result, given the transport that it came over
 * @param added what the parameters have beside those of the caller
 * @param task the task as which the server runs it
 * @param options how it is made
 */
public record Call<T>(String method, @Nullable String subject, @Nullable Object params,
		BiFunction<McpTransport, Object, T> reader, Map<String, Object> added, CallTask task, CallOptions options) {

	/**
	 * Lets everything pass.
	 */
	public static final Check UNCHECKED = () -> null;

	/**
	 * Calls a tool, once. What can be understood of a malformed result is kept.
	 */
	public static Call<CallToolResult> tool(CallToolRequest request, CallOptions options) {
		return new Call<>(McpSchema.METHOD_TOOLS_CALL, request.name(), request, ResultReader::readTool, Map.of(),
				new CallTask(), options);
	}

	/**
	 * Gets the messages of a prompt.
	 */
	public static Call<GetPromptResult> prompt(GetPromptRequest request, Duration timeout) {
		return of(McpSchema.METHOD_PROMPT_GET, request.name(), request, ResultReader::readPrompt, timeout);
	}

	/**
	 * Reads a resource.
	 */
	public static Call<ReadResourceResult> resource(ReadResourceRequest request, Duration timeout) {
		return of(McpSchema.METHOD_RESOURCES_READ, request.uri(), request, ResultReader::readResource, timeout);
	}

	/**
	 * Completes an argument of a prompt or a resource template.
	 */
	public static Call<CompleteResult> completion(CompleteRequest request, Duration timeout) {
		return of(McpSchema.METHOD_COMPLETION_COMPLETE, "of argument " + request.argument().name(), request,
				ResultReader::readCompletion, timeout);
	}

	static <T> Call<T> of(String method, @Nullable String subject, @Nullable Object params,
			BiFunction<McpTransport, Object, T> reader, Duration timeout) {
		return new Call<>(method, subject, params, reader, Map.of(), new CallTask(), CallOptions.of(timeout, true));
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
	 * Return this call with another check.
	 */
	public Call<T> checkedBy(Check check) {
		return with(this.options.checkedBy(check));
	}

	/**
	 * Return this call, whose time begins now unless it has begun already.
	 * @param clock tells the time, and is a monotonic one
	 */
	public Call<T> begin(Scheduler clock) {
		CallOptions begun = this.options.begin(clock);
		return (begun != this.options) ? with(begun) : this;
	}

	private Call<T> with(CallOptions options) {
		return new Call<>(this.method, this.subject, this.params, this.reader, this.added, this.task, options);
	}

	/**
	 * Returns this call with more parameters.
	 */
	Call<T> with(Map<String, Object> added) {
		return new Call<>(this.method, this.subject, this.params, this.reader, added, this.task, this.options);
	}

	/**
	 * Returns what is called, such as {@code tools/call echo}.
	 */
	public String name() {
		return (this.subject != null) ? this.method + " " + this.subject : this.method;
	}

	/**
	 * Returns the parameters with more in their {@code _meta}. Only a tool call asks for
	 * progress: where that matters, or all are to.
	 */
	@Nullable Object params(long id, McpTransport transport, boolean progressOfAll, Map<String, Object> ofProtocol) {
		boolean progress = this.params instanceof CallToolRequest
				&& (this.options.maxTimeout() != null || this.options.progress() != null || progressOfAll);
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
		 * Return why the request must not be sent, or {@code null} to send it: it is sent
		 * then. Must not block.
		 */
		@Nullable RuntimeException beforeSend();

	}

}
