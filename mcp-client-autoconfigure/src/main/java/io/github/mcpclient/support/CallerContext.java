package io.github.mcpclient.support;

import java.util.function.UnaryOperator;

import io.micrometer.context.ContextSnapshotFactory;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

import org.springframework.util.ClassUtils;

/**
 * Propagates what is bound to a caller's thread, or in its Reactor context, to another
 * thread, if Micrometer's context-propagation library is on the class path; and, with or
 * without it, in how many handlers the caller is nested.
 */
public final class CallerContext {

	private static final boolean PROPAGATED = ClassUtils.isPresent("io.micrometer.context.ContextSnapshotFactory",
			CallerContext.class.getClassLoader());

	private CallerContext() {
	}

	/**
	 * Captures what is bound to this thread and to the given context, which takes
	 * precedence. While a task that the result makes runs, this alone is bound to its
	 * thread.
	 */
	public static UnaryOperator<Runnable> capture(ContextView context) {
		UnaryOperator<Runnable> bound = PROPAGATED ? Propagation.capture(context) : UnaryOperator.identity();
		int depth = CallOrigin.depth(context);
		return (depth > 0) ? (task) -> bound.apply(CallOrigin.at(depth, task)) : bound;
	}

	/**
	 * Adds what is bound to this thread to a Reactor context, which takes precedence.
	 */
	public static Context withThread(Context context) {
		Context nested = CallOrigin.withDepth(context);
		return PROPAGATED ? Propagation.withThread(nested) : nested;
	}

	/**
	 * Returns the task so that nothing is bound to its thread while it runs.
	 */
	public static Runnable withoutCaller(Runnable task) {
		return PROPAGATED ? Propagation.withoutCaller(task) : task;
	}

	private static final class Propagation {

		private static final ContextSnapshotFactory SNAPSHOTS = ContextSnapshotFactory.builder()
			.clearMissing(true)
			.build();

		static UnaryOperator<Runnable> capture(ContextView context) {
			return SNAPSHOTS.captureAll(context)::wrap;
		}

		static Context withThread(Context context) {
			return SNAPSHOTS.captureAll(context).updateContext(context);
		}

		static Runnable withoutCaller(Runnable task) {
			return SNAPSHOTS.captureFrom(Context.empty()).wrap(task);
		}

	}

}
