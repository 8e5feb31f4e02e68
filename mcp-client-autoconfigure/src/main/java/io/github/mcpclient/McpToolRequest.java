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
 * What a tool is called with.
 *
 * @param arguments the arguments of the tool, passed on as they are; values may be
 * {@code null}
 * @param timeout how long to wait for the result, or {@code null} for the
 * {@code request-timeout} of the server
 * @param maxTimeout where each sign of progress starts the timeout anew: the longest time
 * to wait in all; {@code null} if progress does not extend the timeout
 * @param meta the {@code _meta} object of the request, passed on as it is
 * @param progress told of each progress notification of this call, off the transport's
 * threads, or {@code null} to ask for none
 * @param context the Reactor context of who asked for the call, as interceptors and
 * providers of headers see it; nothing of it is sent
 */
public record McpToolRequest(Map<String, Object> arguments, @Nullable Duration timeout, @Nullable Duration maxTimeout,
		Map<String, Object> meta, @Nullable Consumer<ProgressNotification> progress, ContextView context) {

	public McpToolRequest {
		arguments = copy(arguments);
		meta = copy(meta);
		requirePositive(timeout);
		requirePositive(maxTimeout);
		if (timeout != null && maxTimeout != null && maxTimeout.compareTo(timeout) < 0) {
			throw new IllegalArgumentException("The longest time of a tool call, " + maxTimeout
					+ ", must not be shorter than its timeout, " + timeout);
		}
	}

	/**
	 * A request with the given arguments and defaults for the rest.
	 * @param arguments the arguments
	 * @return the request
	 */
	public static McpToolRequest of(Map<String, Object> arguments) {
		return new McpToolRequest(arguments, null, null, Map.of(), null, Context.empty());
	}

	/**
	 * Return this request with other arguments.
	 * @param arguments the arguments
	 * @return a new request
	 */
	public McpToolRequest withArguments(Map<String, Object> arguments) {
		return new McpToolRequest(arguments, this.timeout, this.maxTimeout, this.meta, this.progress, this.context);
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
	 * Return this request with a timeout that each sign of progress starts anew.
	 * @param maxTimeout the longest time to wait in all; positive, and not shorter than
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
		return new McpToolRequest(this.arguments, this.timeout, this.maxTimeout, meta, this.progress, this.context);
	}

	/**
	 * Return this request with a listener for progress. What arrives before the result is
	 * told before it, unless the listener takes longer than a second for it, or than the
	 * timeout.
	 * @param progress told of each progress notification
	 * @return a new request
	 */
	public McpToolRequest withProgress(Consumer<ProgressNotification> progress) {
		return new McpToolRequest(this.arguments, this.timeout, this.maxTimeout, this.meta, progress, this.context);
	}

	/**
	 * Return this request with a Reactor context, for a caller who waits for the result
	 * of a call that a reactive caller asked for. One who subscribes to
	 * {@link McpTool#callAsync} has it there already.
	 * @param context the context
	 * @return a new request
	 */
	public McpToolRequest withContext(ContextView context) {
		return new McpToolRequest(this.arguments, this.timeout, this.maxTimeout, this.meta, this.progress, context);
	}

	/**
	 * Leaves out the arguments and {@code _meta}, which may hold secrets.
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
