package io.github.mcpclient;

import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;

import io.modelcontextprotocol.spec.McpSchema.ProgressNotification;
import org.jspecify.annotations.Nullable;
import reactor.util.context.ContextView;

/**
 * The only implementation of {@link McpToolRequest}.
 */
record ToolRequest(Map<String, @Nullable Object> arguments, @Nullable Duration timeout, @Nullable Duration maxTimeout,
		Map<String, @Nullable Object> meta, @Nullable Consumer<ProgressNotification> progress,
		ContextView context) implements McpToolRequest {

	ToolRequest {
		requirePositive(timeout);
		requirePositive(maxTimeout);
		if (timeout != null && maxTimeout != null && maxTimeout.compareTo(timeout) < 0) {
			throw new IllegalArgumentException("The longest time of a tool call, " + maxTimeout
					+ ", must not be shorter than its timeout, " + timeout);
		}
	}

	private static void requirePositive(@Nullable Duration timeout) {
		if (timeout != null && (timeout.isNegative() || timeout.isZero())) {
			throw new IllegalArgumentException("The timeout of a tool call must be positive, but is " + timeout);
		}
	}

	/**
	 * Return an unmodifiable copy of the map of a caller.
	 */
	static Map<String, @Nullable Object> copy(Map<String, ? extends @Nullable Object> map) {
		// Map.copyOf rejects null values, which JSON allows
		return map.isEmpty() ? Map.of() : Collections.unmodifiableMap(new LinkedHashMap<>(map));
	}

	/**
	 * Omit the values of the arguments and {@code _meta}, which may be secret.
	 */
	@Override
	public String toString() {
		return "McpToolRequest[arguments=" + this.arguments.keySet() + ", timeout=" + this.timeout + "]";
	}

}
