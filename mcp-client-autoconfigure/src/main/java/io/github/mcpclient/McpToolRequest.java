package io.github.mcpclient;

import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;

import io.modelcontextprotocol.spec.McpSchema.ProgressNotification;
import org.jspecify.annotations.Nullable;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

/**
 * The arguments of a tool call, and how to make it. Immutable; start with {@link #of} and
 * derive the rest:
 * {@code McpToolRequest.of(arguments).withTimeout(Duration.ofSeconds(5))}.
 */
public final class McpToolRequest {

	private final Map<String, Object> arguments;

	private final @Nullable Duration timeout;

	private final @Nullable Duration maxTimeout;

	private final Map<String, Object> meta;

	private final @Nullable Consumer<ProgressNotification> progress;

	private final ContextView context;

	private McpToolRequest(Map<String, Object> arguments, @Nullable Duration timeout, @Nullable Duration maxTimeout,
			Map<String, Object> meta, @Nullable Consumer<ProgressNotification> progress, ContextView context) {
		requirePositive(timeout);
		requirePositive(maxTimeout);
		if (timeout != null && maxTimeout != null && maxTimeout.compareTo(timeout) < 0) {
			throw new IllegalArgumentException("The longest time of a tool call, " + maxTimeout
					+ ", must not be shorter than its timeout, " + timeout);
		}
		this.arguments = arguments;
		this.timeout = timeout;
		this.maxTimeout = maxTimeout;
		this.meta = meta;
		this.progress = progress;
		this.context = context;
	}

	/**
	 * Create a request with the given arguments and defaults for the rest.
	 * @param arguments the arguments of the tool, sent as they are; values may be
	 * {@code null}
	 */
	public static McpToolRequest of(Map<String, Object> arguments) {
		return new McpToolRequest(copy(arguments), null, null, Map.of(), null, Context.empty());
	}

	/**
	 * Return the arguments of the tool.
	 * @return the arguments; values may be {@code null}
	 */
	public Map<String, Object> arguments() {
		return this.arguments;
	}

	/**
	 * Return how long to wait for the result.
	 * @return the timeout, or {@code null} for the {@code request-timeout} of the server
	 */
	public @Nullable Duration timeout() {
		return this.timeout;
	}

	/**
	 * Return the longest total time to wait if progress extends the timeout.
	 * @return the time, or {@code null} if progress does not extend the timeout
	 */
	public @Nullable Duration maxTimeout() {
		return this.maxTimeout;
	}

	/**
	 * Return the {@code _meta} object of the request.
	 * @return the object; empty for none
	 */
	public Map<String, Object> meta() {
		return this.meta;
	}

	/**
	 * Return the listener for progress.
	 * @return the listener, or {@code null} to request no progress notifications
	 */
	public @Nullable Consumer<ProgressNotification> progress() {
		return this.progress;
	}

	/**
	 * Return the Reactor context of whoever requested the call, as interceptors and
	 * headers providers see it. It is not sent.
	 * @return the context; may be empty
	 */
	public ContextView context() {
		return this.context;
	}

	/**
	 * Return this request with other arguments.
	 * @param arguments the arguments
	 * @return a new request
	 */
	public McpToolRequest withArguments(Map<String, Object> arguments) {
		return new McpToolRequest(copy(arguments), this.timeout, this.maxTimeout, this.meta, this.progress,
				this.context);
	}

	/**
	 * Return this request with another timeout.
	 * @param timeout how long to wait for the result; positive
	 * @return a new request
	 */
	public McpToolRequest withTimeout(Duration timeout) {
		return new McpToolRequest(this.arguments, timeout, this.maxTimeout, this.meta, this.progress, this.context);
	}

	/**
	 * Return this request with a timeout that restarts with each progress notification.
	 * @param maxTimeout the longest total time to wait; positive, and not shorter than
	 * the timeout
	 * @return a new request
	 */
	public McpToolRequest withProgressExtendingTimeoutTo(Duration maxTimeout) {
		return new McpToolRequest(this.arguments, this.timeout, maxTimeout, this.meta, this.progress, this.context);
	}

	/**
	 * Return this request with another {@code _meta} object.
	 * @param meta the object
	 * @return a new request
	 */
	public McpToolRequest withMeta(Map<String, Object> meta) {
		return new McpToolRequest(this.arguments, this.timeout, this.maxTimeout, copy(meta), this.progress,
				this.context);
	}

	/**
	 * Return this request with a listener for progress. It is called on a thread that may
	 * block. Notifications that arrive before the result are delivered before it, unless
	 * the listener takes longer than a second, or than the timeout, to handle them.
	 * @param progress called with each progress notification
	 * @return a new request
	 */
	public McpToolRequest withProgress(Consumer<ProgressNotification> progress) {
		return new McpToolRequest(this.arguments, this.timeout, this.maxTimeout, this.meta, progress, this.context);
	}

	/**
	 * Return this request with a Reactor context, for a blocking call on behalf of a
	 * reactive caller. Subscribers of {@link McpTool#callAsync} need not set it.
	 * @param context the context
	 * @return a new request
	 */
	public McpToolRequest withContext(ContextView context) {
		return new McpToolRequest(this.arguments, this.timeout, this.maxTimeout, this.meta, this.progress, context);
	}

	@Override
	public boolean equals(@Nullable Object other) {
		return other instanceof McpToolRequest request && this.arguments.equals(request.arguments)
				&& Objects.equals(this.timeout, request.timeout) && Objects.equals(this.maxTimeout, request.maxTimeout)
				&& this.meta.equals(request.meta) && Objects.equals(this.progress, request.progress)
				&& this.context.equals(request.context);
	}

	@Override
	public int hashCode() {
		return Objects.hash(this.arguments, this.timeout, this.maxTimeout, this.meta);
	}

	/**
	 * Omits the values of the arguments and {@code _meta}, which may be secret.
	 */
	@Override
	public String toString() {
		return "McpToolRequest[arguments=" + this.arguments.keySet() + ", timeout=" + this.timeout + "]";
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

}
