package io.github.mcpclient;

import reactor.util.context.ContextView;

/**
 * Stands around each call of a tool, be it made by {@link McpTool},
 * {@link McpServerRegistry#callTool}, {@link McpToolExecutor} or a bridge to another
 * framework: for an audit, an approval, other arguments, or a cache. Beans of this type
 * are asked in their order, the first one outermost. An instance is used by many threads
 * at a time.
 *
 * <p>
 * <b>Threads.</b> An interceptor may block, for minutes if need be. It runs on the thread
 * of a caller who waits. For {@link McpTool#callAsync} it runs on a thread of its own
 * kind, never on an event loop. Where Micrometer's context-propagation library is on the
 * class path, thread-bound values that it knows, such as Spring Security's context, are
 * there as they were at the call. {@link Chain#context} has the caller's Reactor context.
 *
 * <p>
 * <b>Time.</b> The timeout of a call begins when {@link Chain#proceed} reaches the end of
 * the chain, so that an approval takes nothing of it. Each time that it does so is a call
 * of its own, with the whole timeout. Whether the tool may be called is decided there,
 * after all interceptors.
 *
 * <p>
 * <b>Failures.</b> What an interceptor throws is what the caller gets. What
 * {@link Chain#proceed} throws is described at {@link McpTool#call(java.util.Map)}. To
 * refuse a call so that a model can read why, return {@link McpToolResult#error}. A
 * subscriber of {@link McpTool#callAsync} who cancels interrupts the interceptor.
 */
@FunctionalInterface
public interface McpToolInterceptor {

	/**
	 * Stand around a call.
	 * @param tool the tool that is called
	 * @param request what it is called with
	 * @param chain the rest of the way to the tool; not calling it spares the call
	 * @return the result for the caller
	 */
	McpToolResult intercept(McpTool tool, McpToolRequest request, Chain chain);

	/**
	 * The rest of the way to the tool. To be used by the thread, and during the call, of
	 * {@link McpToolInterceptor#intercept}.
	 */
	interface Chain {

		/**
		 * Go on with the call, and wait for its result.
		 * @param request the request that the interceptor was given, or another one
		 * @return the result, which may be an {@linkplain McpToolResult#isError() error}
		 */
		McpToolResult proceed(McpToolRequest request);

		/**
		 * Return the Reactor context of the caller of {@link McpTool#callAsync}, where
		 * reactive applications keep who their user is. For a caller who waits, it is
		 * that of the {@linkplain McpToolRequest#context() request}.
		 * @return the context; may be empty
		 */
		ContextView context();

	}

}
