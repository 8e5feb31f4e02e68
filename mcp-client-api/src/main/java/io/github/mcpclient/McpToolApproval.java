package io.github.mcpclient;

import java.util.function.BiFunction;

import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * Strategy interface for decisions about calls of tools whose rules require
 * {@code approval}, for example by asking the user. An application with such rules needs
 * one bean of this type. Implementations must be thread-safe.
 *
 * <p>
 * <b>Threads.</b> An approval is called, and its result subscribed to, on a thread that
 * may block. Each server has 64 such threads; a result that completes later does not
 * occupy one. The Reactor context of the caller is available, as are thread-bound values
 * that Micrometer's context-propagation library knows, such as Spring Security's context.
 *
 * <p>
 * <b>Timeouts.</b> Waiting for the decision counts towards the timeout of the call: set a
 * longer timeout for tools whose calls people approve. If there is no decision in time,
 * the approval is interrupted, and the call is denied.
 *
 * <p>
 * <b>Failures.</b> An exception that an approval throws is propagated to the caller. A
 * denied call returns an {@linkplain McpToolResult#isError() error} that a model can
 * read.
 */
@FunctionalInterface
public interface McpToolApproval {

	/**
	 * Decide about a call.
	 * @param tool the tool; its description and hints come from its server, unless a rule
	 * replaces them
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
	 * The decision about a call.
	 *
	 * @param approved whether the tool may be called
	 * @param reason the reason for a denial, for the model, or {@code null}
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
		 * @param reason the reason, for the model, as a clause that follows the word
		 * "since", such as "it is Sunday"
		 */
		public static Decision deny(String reason) {
			return new Decision(false, reason);
		}

	}

}
