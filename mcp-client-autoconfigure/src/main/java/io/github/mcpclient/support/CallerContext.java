package io.github.mcpclient.support;

import io.micrometer.context.ContextSnapshotFactory;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

import org.springframework.util.ClassUtils;

/**
 * Takes what is bound to a caller's thread, or in its Reactor context, to another thread,
 * where Micrometer's context-propagation library is there to do so.
 */
public final class CallerContext {

	private static final boolean PROPAGATED = ClassUtils.isPresent("io.micrometer.context.ContextSnapshotFactory",
			CallerContext.class.getClassLoader());

	private CallerContext() {
	}

	/**
	 * Capture what is bound to this thread, and to the given context, which comes first.
	 * @param task a task for another thread
	 * @param context the caller's Reactor context
	 * @return the task, for the time of which the same, and nothing else, is bound to the
	 * thread that runs it
	 */
	public static Runnable restoredIn(Runnable task, ContextView context) {
		return PROPAGATED ? Propagation.restoredIn(task, context) : task;
	}

	/**
	 * Keep what is bound to a thread from a task.
	 * @param task a task for another thread
	 * @return the task, for the time of which nothing is bound to the thread that runs
	 * it, be it for want of a caller or because Reactor took it there
	 */
	public static Runnable withoutCaller(Runnable task) {
		return PROPAGATED ? Propagation.withoutCaller(task) : task;
	}

	private static final class Propagation {

		private static final ContextSnapshotFactory SNAPSHOTS = ContextSnapshotFactory.builder()
			.clearMissing(true)
			.build();

		static Runnable restoredIn(Runnable task, ContextView context) {
			return SNAPSHOTS.captureAll(context).wrap(task);
		}

		static Runnable withoutCaller(Runnable task) {
			return SNAPSHOTS.captureFrom(Context.empty()).wrap(task);
		}

	}

}
