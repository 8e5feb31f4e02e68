package io.github.mcpclient;

import java.util.concurrent.Callable;

import reactor.core.publisher.Mono;
import reactor.util.context.ContextView;

/**
 * Intercepts every tool call, whether it is made through {@link McpTool},
 * {@link McpServerRegistry#callTool}, {@link McpToolExecutor} or a bridge to another
 * framework: to audit, approve or cache it, or to change its arguments. Beans of this
 * type are called in {@code @Order} order, the first one outermost. Must be safe for use
 * by many threads.
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
 * <b>Timeouts.</b> The timeout of a call starts when {@link Chain#proceed} reaches the
 * end of the chain, so that waiting for an approval does not count, but waiting for a
 * thread does. If an interceptor proceeds several times, each is a separate call with the
 * full timeout. Whether the tool may be called is decided there, after all interceptors.
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
	 * The rest of the chain. To be used only during the call.
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

	}

}
