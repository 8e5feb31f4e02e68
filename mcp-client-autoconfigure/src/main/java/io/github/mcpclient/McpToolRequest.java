package io.github.mcpclient;

import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;

import io.modelcontextprotocol.spec.McpSchema.ProgressNotification;
import org.jspecify.annotations.Nullable;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

/**
 * The arguments of a tool call, and how to make it. Immutable; start with {@link #of} and
 * derive the rest:
 * {@code McpToolRequest.of(arguments).withTimeout(Duration.ofSeconds(5))}.
 *
 * @param arguments the arguments of the tool, of which values may be {@code null}
 * @param timeout how long to wait for the result, or {@code null} for the
 * {@code request-timeout} of the server
 * @param maxTimeout the longest total time to wait, or {@code null} if progress does not
 * extend the timeout
 * @param meta the {@code _meta} object of the request; may be empty
 * @param progress the listener for progress, or {@code null} to request no progress
 * notifications
 * @param context the Reactor context of whoever requested the call, as interceptors and
 * headers providers see it; may be empty. It is not sent
 */
public record McpToolRequest(Map<String, Object> arguments, @Nullable Duration timeout, @Nullable Duration maxTimeout,
		Map<String, Object> meta, @Nullable Consumer<ProgressNotification> progress, ContextView context) {

	public McpToolRequest {
		requirePositive(timeout);
		requirePositive(maxTimeout);
		if (timeout != null && maxTimeout != null && maxTimeout.compareTo(timeout) < 0) {
			throw new IllegalArgumentException("The longest time of a tool call, " + maxTimeout
					+ ", must not be shorter than its timeout, " + timeout);
		}
		arguments = copy(arguments);
		meta = copy(meta);
	}

	/**
	 * Create a request with the given arguments and defaults for the rest.
	 * @param arguments the arguments of the tool, sent as they are; values may be
	 * {@code null}
	 */
	public static McpToolRequest of(Map<String, Object> arguments) {
		return new McpToolRequest(arguments, null, null, Map.of(), null, Context.empty());
	}

	/**
	 * Return this request with other arguments.
	 */
	public McpToolRequest withArguments(Map<String, Object> arguments) {
		return new McpToolRequest(arguments, this.timeout, this.maxTimeout, this.meta, this.progress, this.context);
	}

	/**
	 * Return this request with another timeout.
	 * @param timeout how long to wait for the result; positive
	 */
	public McpToolRequest withTimeout(Duration timeout) {
		return new McpToolRequest(this.arguments, timeout, this.maxTimeout, this.meta, this.progress, this.context);
	}

	/**
	 * Return this request with a timeout that restarts with each progress notification.
	 * @param maxTimeout the longest total time to wait; positive, and not shorter than
	 * the timeout
	 */
	public McpToolRequest withProgressExtendingTimeoutTo(Duration maxTimeout) {
		return new McpToolRequest(this.arguments, this.timeout, maxTimeout, this.meta, this.progress, this.context);
	}

	/**
	 * Return this request with another {@code _meta} object.
	 */
	public McpToolRequest withMeta(Map<String, Object> meta) {
		return new McpToolRequest(this.arguments, this.timeout, this.maxTimeout, meta, this.progress, this.context);
	}

	/**
	 * Return this request with a listener for progress. It is called on a thread that may
	 * block. Notifications that arrive before the result are delivered before it, unless
	 * the listener takes longer than a second, or than the timeout, to handle them.
	 * @param progress called with each progress notification
	 */
	public McpToolRequest withProgress(Consumer<ProgressNotification> progress) {
		return new McpToolRequest(this.arguments, this.timeout, this.maxTimeout, this.meta, progress, this.context);
	}

	/**
	 * Return this request with a Reactor context, for a blocking call on behalf of a
	 * reactive caller. Subscribers of {@link McpTool#callAsync} need not set it.
	 */
	public McpToolRequest withContext(ContextView context) {
		return new McpToolRequest(this.arguments, this.timeout, this.maxTimeout, this.meta, this.progress, context);
	}

	private static void requirePositive(@Nullable Duration timeout) {
		if (timeout != null && (timeout.isNegative() || timeout.isZero())) {
			throw new IllegalArgumentException("The timeout of a tool call must be positive, but is " + timeout);
		}
	}

	private static Map<String, Object> copy(Map<String, Object> map) {
		// Map.copyOf would refuse null values, which JSON has
		return map.isEmpty() ? Map.of() : Collections.unmodifiableMap(new LinkedHashMap<>(map));
	}

	/**
	 * Omits the values of the arguments and {@code _meta}, which may be secret.
	 */
	@Override
	public String toString() {
		return "McpToolRequest[arguments=" + this.arguments.keySet() + ", timeout=" + this.timeout + "]";
	}

}
