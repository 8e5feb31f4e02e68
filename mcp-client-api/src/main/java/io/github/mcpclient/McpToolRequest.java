package io.github.mcpclient;

import java.time.Duration;
import java.util.Map;
import java.util.function.Consumer;

import io.modelcontextprotocol.spec.McpSchema.ProgressNotification;
import org.jspecify.annotations.Nullable;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

/**
 * The arguments and options of a tool call. Immutable. Create an instance with
 * {@link #of} and add options:
 * {@code McpToolRequest.of(arguments).withTimeout(Duration.ofSeconds(5))}.
 */
public sealed interface McpToolRequest permits ToolRequest {

	/**
	 * Create a request with the given arguments and default options.
	 * @param arguments the arguments of the tool, sent unchanged; values may be
	 * {@code null}
	 */
	static McpToolRequest of(Map<String, ? extends @Nullable Object> arguments) {
		return new ToolRequest(ToolRequest.copy(arguments), null, null, Map.of(), null, Context.empty());
	}

	/**
	 * Return the arguments of the tool; values may be {@code null}.
	 */
	Map<String, @Nullable Object> arguments();

	/**
	 * Return how long to wait for the result, or {@code null} for the
	 * {@code request-timeout} of the server.
	 */
	@Nullable Duration timeout();

	/**
	 * Return the longest total time to wait, or {@code null} if progress does not extend
	 * the timeout.
	 */
	@Nullable Duration maxTimeout();

	/**
	 * Return the {@code _meta} object of the request; may be empty, and its values
	 * {@code null}.
	 */
	Map<String, @Nullable Object> meta();

	/**
	 * Return the listener for progress, or {@code null} to request no progress
	 * notifications.
	 */
	@Nullable Consumer<ProgressNotification> progress();

	/**
	 * Return the Reactor context of the caller, as interceptors and headers providers see
	 * it; may be empty. It is not sent to the server.
	 */
	ContextView context();

	/**
	 * Return this request with other arguments.
	 * @param arguments the arguments of the tool, sent unchanged; values may be
	 * {@code null}
	 */
	default McpToolRequest withArguments(Map<String, ? extends @Nullable Object> arguments) {
		return new ToolRequest(ToolRequest.copy(arguments), timeout(), maxTimeout(), meta(), progress(), context());
	}

	/**
	 * Return this request with another timeout.
	 * @param timeout how long to wait for the result; positive
	 * @throws IllegalArgumentException if it is not positive, or longer than
	 * {@link #maxTimeout()}
	 */
	default McpToolRequest withTimeout(Duration timeout) {
		return new ToolRequest(arguments(), timeout, maxTimeout(), meta(), progress(), context());
	}

	/**
	 * Return this request with a timeout that restarts with each progress notification.
	 * @param maxTimeout the longest total time to wait; positive, and not shorter than
	 * the timeout
	 * @throws IllegalArgumentException if it is not positive, or shorter than
	 * {@link #timeout()}
	 */
	default McpToolRequest withProgressExtendingTimeoutTo(Duration maxTimeout) {
		return new ToolRequest(arguments(), timeout(), maxTimeout, meta(), progress(), context());
	}

	/**
	 * Return this request with another {@code _meta} object.
	 * @param meta its members; values may be {@code null}
	 */
	default McpToolRequest withMeta(Map<String, ? extends @Nullable Object> meta) {
		return new ToolRequest(arguments(), timeout(), maxTimeout(), ToolRequest.copy(meta), progress(), context());
	}

	/**
	 * Return this request with a listener for progress. It is called on a thread that may
	 * block. Notifications that arrive before the result are delivered before it, unless
	 * the listener takes longer than a second, or longer than the timeout, to handle
	 * them.
	 * @param progress called with each progress notification
	 */
	default McpToolRequest withProgress(Consumer<ProgressNotification> progress) {
		return new ToolRequest(arguments(), timeout(), maxTimeout(), meta(), progress, context());
	}

	/**
	 * Return this request with a Reactor context, for a blocking call on behalf of a
	 * reactive caller. Subscribers of {@link McpTool#callAsync} need not set it.
	 */
	default McpToolRequest withContext(ContextView context) {
		return new ToolRequest(arguments(), timeout(), maxTimeout(), meta(), progress(), context);
	}

}
