package io.github.mcpclient;

import java.time.Duration;
import java.util.concurrent.Callable;

import io.github.mcpclient.internal.support.Monos;
import reactor.core.publisher.Mono;
import reactor.util.context.ContextView;

/**
 * Intercepts every tool call, whether it is made through {@link McpTool},
 * {@link McpServerRegistry#callTool}, an executor for agent loops or a bridge to another
 * framework: to audit, approve or cache it, or to change its arguments. Interceptors are
 * the only chain around a call: the rules for single tools are interceptors, too. They
 * are called in the order of their {@link #phase}, and beans of one phase in
 * {@code @Order} order, the first one outermost. Must be safe for use by many threads.
 *
 * <p>
 * <b>Threads.</b> {@link #intercept} may block, for minutes if need be. It runs on the
 * caller's thread if the caller waits for the result; for {@link McpTool#callAsync} it
 * runs on a dedicated thread, never on an event loop, and holds it until the server has
 * answered. Each server has 64 such threads. Where many calls may wait at a time,
 * implement {@link #interceptAsync}, too, which holds no thread. Thread-bound values that
 * Micrometer's context-propagation library knows, such as Spring Security's context, are
 * available as they were at the call. {@link Chain#context} returns the caller's Reactor
 * context.
 *
 * <p>
 * <b>Timeouts.</b> The timeout of a call starts after the interceptors of
 * {@link Phase#APPLICATION}, so that the time that they take does not count, but waiting
 * for a thread does. If one of them proceeds several times, each is a separate call with
 * the full timeout. Interceptors of later phases are part of the timeout: what they have
 * not ended three seconds after it is interrupted, and the call fails. Whether the tool
 * may be called is decided after all interceptors.
 *
 * <p>
 * <b>Failures.</b> The caller gets what an interceptor throws. {@link Chain#proceed}
 * throws what is described at {@link McpTool#call(java.util.Map)}. To refuse a call in a
 * way that a model can read, return {@link McpToolResult#error}. Cancelling the
 * subscription to {@link McpTool#callAsync} interrupts the interceptor.
 */
@FunctionalInterface
public interface McpToolInterceptor {

	/**
	 * Intercept a call.
	 * @param request the arguments of the call and so on
	 * @param chain the rest of the chain; not calling it skips the call
	 */
	McpToolResult intercept(McpTool tool, McpToolRequest request, Chain chain);

	/**
	 * Intercept a call of {@link McpTool#callAsync}. By default, this calls
	 * {@link #intercept} on a thread that may block. An implementation must not block: it
	 * runs where the caller subscribes, and what it returns may be signalled on an event
	 * loop.
	 * @param request the arguments of the call and so on
	 * @param chain the rest of the chain; not calling it skips the call
	 */
	default Mono<McpToolResult> interceptAsync(McpTool tool, McpToolRequest request, Chain chain) {
		return chain.blocking(() -> intercept(tool, request, chain));
	}

	/**
	 * Take note of a call that cannot be intercepted, as it reaches no tool: no server
	 * has one of that name, the application does not get it, or its server was never
	 * connected. By default, this does nothing. Must not block or fail: it runs on any
	 * thread.
	 * @param toolName the name that was called, from anybody; not to be trusted
	 * @param request the arguments of the call and so on, with the caller's
	 * {@linkplain McpToolRequest#context() context}
	 * @param failure what the caller gets
	 */
	default void missed(String toolName, McpToolRequest request, Throwable failure) {
	}

	/**
	 * Return where this interceptor stands around a call.
	 * @return {@link Phase#APPLICATION} by default; the same each time
	 */
	default Phase phase() {
		return Phase.APPLICATION;
	}

	/**
	 * Where interceptors stand around a call, the outermost first: what
	 * {@code tools.rules} configure stands where the name of a phase says, after
	 * interceptors of the application in the same phase.
	 */
	enum Phase {

		/**
		 * Interceptors of the application: arguments are as the caller gave them, and the
		 * timeout of the call has not started.
		 */
		APPLICATION,

		/**
		 * {@code arguments} and {@code default-arguments}. From here on, the timeout of
		 * the call runs. Interceptors after this phase see the arguments as they go to
		 * the server.
		 */
		ARGUMENTS,

		/**
		 * {@code approval}.
		 */
		APPROVAL,

		/**
		 * {@code cache}: a result that is found there ends the call.
		 */
		CACHE,

		/**
		 * {@code rate-per-caller}.
		 */
		RATE_PER_CALLER,

		/**
		 * {@code rate}.
		 */
		RATE,

		/**
		 * The call itself: nothing else stands between it and the server. What answers in
		 * place of the server belongs here.
		 */
		CALL

	}

	/**
	 * An interceptor that never blocks. Calls whose callers wait take the same way.
	 */
	@FunctionalInterface
	interface Async extends McpToolInterceptor {

		@Override
		Mono<McpToolResult> interceptAsync(McpTool tool, McpToolRequest request, Chain chain);

		/**
		 * Wait for the result of {@link #interceptAsync}.
		 */
		@Override
		default McpToolResult intercept(McpTool tool, McpToolRequest request, Chain chain) {
			McpToolResult result = Monos.await(interceptAsync(tool, request, chain).contextWrite(chain.context()),
					(cause) -> new McpInterruptedException(tool.serverName(), "tools/call " + tool.originalName(),
							false, cause));
			if (result == null) {
				throw new IllegalStateException(
						getClass().getName() + " returned no result for MCP tool '" + tool.name() + "'");
			}
			return result;
		}

	}

	/**
	 * The rest of the chain. To be used only during the call.
	 *
	 * <p>
	 * Implemented by the client, not by applications: later versions may add methods.
	 * Tests mock it, or have a scripted server of {@code mcp-client-test}.
	 */
	interface Chain {

		/**
		 * Proceed with the call on this thread, and wait for its result.
		 * @param request the request passed to the interceptor, or another one
		 * @return the result, which may be an {@linkplain McpToolResult#isError() error}
		 */
		McpToolResult proceed(McpToolRequest request);

		/**
		 * Proceed with the call, once for each subscription, without blocking. Fails with
		 * what {@link #proceed} throws.
		 * @param request the request passed to the interceptor, or another one
		 */
		Mono<McpToolResult> proceedAsync(McpToolRequest request);

		/**
		 * Run code that may block, once for each subscription, on a thread of the tool's
		 * server with what is bound to the caller's thread. Fails with what the code
		 * throws, and with {@link McpRequestTimeoutException} where no thread is free
		 * within the timeout of the call. Signals on a thread that must not block.
		 * @param code interrupted where the subscription is cancelled
		 */
		<T> Mono<T> blocking(Callable<? extends T> code);

		/**
		 * Return the Reactor context of the subscriber to {@link McpTool#callAsync}, in
		 * which reactive applications keep the current user. For a blocking call it is
		 * that of the {@linkplain McpToolRequest#context() request}.
		 * @return the context; may be empty
		 */
		ContextView context();

		/**
		 * Return how long the call may still take, progress included: the whole timeout
		 * during {@link Phase#APPLICATION}, but for the time that the call has waited for
		 * threads.
		 * @return zero once that time is over
		 */
		Duration remaining();

		/**
		 * Return whether the server still lists the tool with the definition that it had
		 * when the call, or after {@link Phase#APPLICATION} its timeout, began, under the
		 * same rules. Ask after a wait, such as for somebody who approves the call.
		 */
		boolean toolUnchanged();

		/**
		 * Return as what the server sees this call: values are equal only for calls of
		 * one tool while the server lists the same tools, over the same connection, which
		 * may be that of a user, with the same headers and credentials. So results that
		 * are kept by this value and the arguments are never those of somebody else; ask
		 * again when the result has come, and keep it only if the value is the same.
		 * Credentials are requested for the first subscription, and those that it gets
		 * are those of the call.
		 * @return a value with {@code equals} and {@code hashCode} that holds no server
		 * and prints no secret; empty if there is none within the timeout
		 */
		Mono<Object> identity();

	}

}
