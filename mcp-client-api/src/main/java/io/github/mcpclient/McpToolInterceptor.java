package io.github.mcpclient;

import java.time.Duration;
import java.util.concurrent.Callable;

import io.github.mcpclient.internal.support.Monos;
import reactor.core.publisher.Mono;
import reactor.util.context.ContextView;

/**
 * Intercepts every tool call, regardless of whether it is made through {@link McpTool},
 * {@link McpServerRegistry#callTool}, an executor for agent loops or a bridge to another
 * framework: to audit, approve or cache it, or to change its arguments. Rules for single
 * tools are implemented as interceptors, too. Interceptors are called in the order of
 * their {@link #phase}, and beans of one phase in {@code @Order} order, the first one
 * outermost. Implementations must be thread-safe.
 *
 * <p>
 * <b>Threads.</b> {@link #intercept} may block, for minutes if necessary. It runs on the
 * caller's thread if the caller waits for the result; for {@link McpTool#callAsync} it
 * runs on a dedicated thread, never on an event loop, and occupies it until the server
 * has responded. Each server has 64 such threads. If many calls may wait concurrently,
 * also implement {@link #interceptAsync}, which occupies no thread. Thread-bound values
 * that Micrometer's context-propagation library knows, such as Spring Security's context,
 * are available as they were at the call. {@link Chain#context} returns the caller's
 * Reactor context.
 *
 * <p>
 * <b>Timeouts.</b> The timeout of a call starts after the interceptors of
 * {@link Phase#APPLICATION}, so the time that they take does not count, except for
 * waiting for a thread. If one of them proceeds several times, each is a separate call
 * with the full timeout. Interceptors of later phases are part of the timeout: if they
 * have not returned three seconds after the timeout, they are interrupted, and the call
 * fails. Whether the tool may be called is decided after all interceptors.
 *
 * <p>
 * <b>Failures.</b> An exception that an interceptor throws is propagated to the caller.
 * {@link Chain#proceed} throws the exceptions that are described at
 * {@link McpTool#call(java.util.Map)}. To reject a call with an error that a model can
 * read, return {@link McpToolResult#error}. Cancelling the subscription to
 * {@link McpTool#callAsync} interrupts the interceptor.
 */
@FunctionalInterface
public interface McpToolInterceptor {

	/**
	 * Intercept a call.
	 * @param request the arguments and options of the call
	 * @param chain the remaining interceptors and the call; not calling it skips the call
	 */
	McpToolResult intercept(McpTool tool, McpToolRequest request, Chain chain);

	/**
	 * Intercept a call of {@link McpTool#callAsync}. By default, this calls
	 * {@link #intercept} on a thread that may block. An implementation must not block: it
	 * runs on the thread that subscribes, and its result may be signalled on an event
	 * loop.
	 * @param request the arguments and options of the call
	 * @param chain the remaining interceptors and the call; not calling it skips the call
	 */
	default Mono<McpToolResult> interceptAsync(McpTool tool, McpToolRequest request, Chain chain) {
		return chain.blocking(() -> intercept(tool, request, chain));
	}

	/**
	 * Receive a call that cannot be intercepted, since it reaches no tool: no server has
	 * a tool of that name, the tool is excluded from the application, or its server was
	 * never connected. By default, this does nothing. Must not block or fail: it runs on
	 * any thread.
	 * @param toolName the name that was called; untrusted, as it may come from a model
	 * @param request the arguments and options of the call, with the caller's
	 * {@linkplain McpToolRequest#context() context}
	 * @param failure the exception that the caller gets
	 */
	default void missed(String toolName, McpToolRequest request, Throwable failure) {
	}

	/**
	 * Return the position of this interceptor around a call.
	 * @return {@link Phase#APPLICATION} by default; always the same value
	 */
	default Phase phase() {
		return Phase.APPLICATION;
	}

	/**
	 * The positions of interceptors around a call, the outermost first. The settings of
	 * {@code tools.rules} apply in the phase of that name, after interceptors of the
	 * application in the same phase.
	 */
	enum Phase {

		/**
		 * Interceptors of the application: arguments are as the caller passed them, and
		 * the timeout of the call has not started.
		 */
		APPLICATION,

		/**
		 * {@code arguments} and {@code default-arguments}. From here on, the timeout of
		 * the call runs. Interceptors after this phase see the arguments that are sent to
		 * the server.
		 */
		ARGUMENTS,

		/**
		 * {@code approval}.
		 */
		APPROVAL,

		/**
		 * {@code cache}: a cached result ends the call.
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
		 * The call itself: no other interceptor runs between this phase and the server.
		 * Interceptors that replace the call to the server belong here.
		 */
		CALL

	}

	/**
	 * An interceptor that never blocks. It also serves callers that wait for the result.
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
	 * The remaining interceptors and the call. To be used only during the call.
	 *
	 * <p>
	 * Not intended to be implemented by applications, as later versions may add methods.
	 * In tests, mock it, or use the scripted server of {@code mcp-client-test}.
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
		 * the exceptions that {@link #proceed} throws.
		 * @param request the request passed to the interceptor, or another one
		 */
		Mono<McpToolResult> proceedAsync(McpToolRequest request);

		/**
		 * Run code that may block, once for each subscription, on a thread of the tool's
		 * server with the values that are bound to the caller's thread. Fails with the
		 * exception that the code throws, and with {@link McpRequestTimeoutException} if
		 * no thread is free within the timeout of the call. Signals on a thread that must
		 * not block.
		 * @param code the code, interrupted if the subscription is cancelled
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
		 * Return how long the call may still take, progress included: the full timeout
		 * during {@link Phase#APPLICATION}, less the time that the call has waited for
		 * threads.
		 * @return zero if that time has elapsed
		 */
		Duration remaining();

		/**
		 * Return whether the server still lists the tool with the same definition, under
		 * the same rules, as when the call, or after {@link Phase#APPLICATION} its
		 * timeout, began. Check this after a wait, such as for a person who approves the
		 * call.
		 */
		boolean toolUnchanged();

		/**
		 * Return a value that represents the server's view of this call. Values are equal
		 * only for calls of one tool while the server lists the same tools, over the same
		 * connection, which may be a user's, with the same headers and credentials.
		 * Therefore, a result that is cached by this value and the arguments is never
		 * returned to another caller. Request the value again after the result has
		 * arrived, and cache the result only if the value is unchanged. Credentials are
		 * requested for the first subscription, and the call uses the same credentials.
		 * @return a value with {@code equals} and {@code hashCode} that does not
		 * reference the server and prints no secret; empty if it cannot be determined
		 * within the timeout
		 */
		Mono<Object> identity();

	}

}
