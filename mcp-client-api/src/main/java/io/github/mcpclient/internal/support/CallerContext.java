package io.github.mcpclient.internal.support;

import java.util.function.Supplier;
import java.util.function.UnaryOperator;

import io.micrometer.context.ContextSnapshotFactory;
import reactor.core.publisher.Mono;
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
	 * Capture what is bound to this thread and to the given context, which takes
	 * precedence. While a task that the result makes runs, this alone is bound to its
	 * thread.
	 */
	public static UnaryOperator<Runnable> capture(ContextView context) {
		UnaryOperator<Runnable> bound = SNAPSHOTS.captureAll(context)::wrap;
		int depth = CallOrigin.depth(context);
		return (depth > 0) ? (task) -> bound.apply(CallOrigin.at(depth, task)) : bound;
	}

	/**
	 * Return what a source signals that is asked with what is bound to the subscriber's
	 * thread, and in its Reactor context, bound to the thread.
	 */
	public static <T> Mono<T> bound(Supplier<Mono<T>> source) {
		return Mono.deferContextual((context) -> Mono
			.create((sink) -> capture(context).apply(() -> sink.onDispose(Monos.subscribe(source.get(), sink, context)))
				.run()));
	}

	/**
	 * Add what is bound to this thread to a Reactor context, which takes precedence.
	 */
	public static Context withThread(Context context) {
		Context nested = CallOrigin.withDepth(context);
		return SNAPSHOTS.captureAll(nested).updateContext(nested);
	}

	/**
	 * Return the task so that nothing is bound to its thread while it runs.
	 */
	public static Runnable withoutCaller(Runnable task) {
		return SNAPSHOTS.captureFrom(Context.empty()).wrap(task);
	}

}
