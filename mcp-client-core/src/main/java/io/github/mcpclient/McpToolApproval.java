package io.github.mcpclient;

import java.util.function.BiFunction;

import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * Decides about calls of tools whose rules ask for {@code approval}, such as by asking
 * the user. There is one bean of this type. Must be safe for use by many threads.
 *
 * <p>
 * <b>Threads.</b> It is called, and what it returns is subscribed to, on a thread that
 * may block, of which each server has 64; a result that comes later holds none. The
 * Reactor context of the caller is there, as are thread-bound values that Micrometer's
 * context-propagation library knows, such as Spring Security's context.
 *
 * <p>
 * <b>Timeouts.</b> The decision is part of the timeout of the call: set a longer one for
 * tools that people decide about. Whoever has not decided by then is interrupted, and the
 * call is denied.
 *
 * <p>
 * <b>Failures.</b> The caller gets what an approval throws. What is denied is an
 * {@linkplain McpToolResult#isError() error} that a model can read.
 */
@FunctionalInterface
public interface McpToolApproval {

	/**
	 * Decide about a call.
	 * @param tool the tool. Its description and hints are those of its server, as far as
	 * no rule replaces them
	 * @param request the arguments as they will be sent
	 * @return the decision; empty to deny the call
	 */
	Mono<Decision> decide(McpTool tool, McpToolRequest request);

	/**
	 * Create an approval from a function that returns the decision, and may block.
	 */
	static McpToolApproval of(BiFunction<McpTool, McpToolRequest, Decision> decisions) {
		return (tool, request) -> Mono.fromSupplier(() -> decisions.apply(tool, request));
	}

	/**
	 * What was decided.
	 *
	 * @param approved whether the tool may be called
	 * @param reason why not, for the model, or {@code null}
	 */
	record Decision(boolean approved, @Nullable String reason) {

		/**
		 * Approve the call.
		 */
		public static Decision approve() {
			return new Decision(true, null);
		}

		/**
		 * Deny the call.
		 * @param reason what the model is to know of it
		 */
		public static Decision deny(String reason) {
			return new Decision(false, reason);
		}

	}

}
