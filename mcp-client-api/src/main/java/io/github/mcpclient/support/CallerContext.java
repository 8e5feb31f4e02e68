package io.github.mcpclient.support;

import java.util.function.UnaryOperator;

import io.micrometer.context.ContextSnapshotFactory;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

/**
 * Propagates what is bound to a caller's thread, or in its Reactor context, to another
 * thread, and in how many handlers the caller is nested.
 */
public final class CallerContext {

	private static final ContextSnapshotFactory SNAPSHOTS = ContextSnapshotFactory.builder().clearMissing(true).build();

	private CallerContext() {
	}

	/**
	 * Captures what is bound to this thread and to the given context, which takes
	 * precedence. While a task that the result makes runs, this alone is bound to its
	 * thread.
	 */
	public static UnaryOperator<Runnable> capture(ContextView context) {
		UnaryOperator<Runnable> bound = SNAPSHOTS.captureAll(context)::wrap;
		int depth = CallOrigin.depth(context);
		return (depth > 0) ? (task) -> bound.apply(CallOrigin.at(depth, task)) : bound;
	}

	/**
	 * Adds what is bound to this thread to a Reactor context, which takes precedence.
	 */
	public static Context withThread(Context context) {
		Context nested = CallOrigin.withDepth(context);
		return SNAPSHOTS.captureAll(nested).updateContext(nested);
	}

	/**
	 * Returns the task so that nothing is bound to its thread while it runs.
	 */
	public static Runnable withoutCaller(Runnable task) {
		return SNAPSHOTS.captureFrom(Context.empty()).wrap(task);
	}

}
