package io.github.mcpclient.internal.session;

import java.util.Map;

import io.github.mcpclient.internal.support.MessageHeaders;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCResponse.JSONRPCError;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.util.context.Context;

/**
 * The form of requests on the wire, in addition to their parameters. By default, it is
 * the form of the legacy protocol (up to 2025-11-25).
 */
interface WireFormat {

	/**
	 * Return the values that each request has in its {@code _meta}.
	 */
	default Map<String, Object> meta() {
		return Map.of();
	}

	/**
	 * Return the protocol version that requests name, or {@code null} if that is the one
	 * of the session.
	 */
	default @Nullable String version() {
		return null;
	}

	/**
	 * Return the context in which a request is sent, without the values of another
	 * request.
	 */
	default Context sending(Call<?> call, long id, Context context) {
		return context.hasKey(MessageHeaders.class) ? context.delete(MessageHeaders.class) : context;
	}

	/**
	 * Return the error with which a server refused a request, with its cause if that is
	 * known.
	 */
	default JSONRPCError explained(Call<?> call, JSONRPCError error) {
		return error;
	}

	/**
	 * Return the result of a call that the server runs as a task, or nothing if it goes
	 * on.
	 */
	default Mono<Object> resultOf(TaskRun run, CallTask.State state) {
		return run.settled(state);
	}

	/**
	 * Return whether the server is notified of requests that are cancelled.
	 */
	default boolean notifiesOfCancellation() {
		return true;
	}

}
