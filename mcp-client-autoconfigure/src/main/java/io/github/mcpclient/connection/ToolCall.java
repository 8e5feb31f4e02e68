package io.github.mcpclient.connection;

import java.time.Duration;
import java.util.function.Consumer;

import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.ProgressNotification;
import org.jspecify.annotations.Nullable;

/**
 * A call of a tool, as a caller asks for it.
 *
 * @param request the call, with the tool's original name
 * @param timeout the time for the call, all waiting included, or {@code null} for the
 * server's request timeout
 * @param maxTimeout where each sign of progress starts the timeout anew: the longest time
 * for the call, not shorter than the timeout; {@code null} if progress does not extend it
 * @param progress told of progress, one notification after the other, on a thread that
 * may block, or {@code null} to ask for none
 * @param repeatable whether the tool is declared idempotent or read-only
 * @param check asked right before the call is sent, and again before it is repeated
 * @param spent how much of the time has passed already
 */
public record ToolCall(CallToolRequest request, @Nullable Duration timeout, @Nullable Duration maxTimeout,
		@Nullable Consumer<ProgressNotification> progress, boolean repeatable, CallCheck check, Duration spent) {

}
