package io.github.mcpclient.internal.support;

import java.util.function.Supplier;
import java.util.function.UnaryOperator;

import io.micrometer.context.ContextSnapshotFactory;
import reactor.core.publisher.Mono;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

/**
 * Propagates the context that is bound to a caller's thread, or contained in its Reactor
 * context, to another thread, with the nesting depth of the caller in handlers.
 */
public final class CallerContext {

	private static final ContextSnapshotFactory SNAPSHOTS = ContextSnapshotFactory.builder().clearMissing(true).build();

	private CallerContext() {
	}

	/**
	 * Capture the context of this thread and the given context, which takes precedence.
	 * While a task of the result runs, only this context is bound to its thread.
	 */
	public static UnaryOperator<Runnable> capture(ContextView context) {
		UnaryOperator<Runnable> bound = SNAPSHOTS.captureAll(context)::wrap;
		int depth = CallOrigin.depth(context);
		return (depth > 0) ? (task) -> bound.apply(CallOrigin.at(depth, task)) : bound;
	}

	/**
	 * Return the signals of a source that is called with the context of the subscriber's
	 * thread, and of its Reactor context, bound to the thread.
	 */
	public static <T> Mono<T> bound(Supplier<Mono<T>> source) {
		return Mono.deferContextual((context) -> Mono
			.create((sink) -> capture(context).apply(() -> sink.onDispose(Monos.subscribe(source.get(), sink, context)))
				.run()));
	}

	/**
	 * Add the context of this thread to a Reactor context, which takes precedence.
	 */
	public static Context withThread(Context context) {
		Context nested = CallOrigin.withDepth(context);
		return SNAPSHOTS.captureAll(nested).updateContext(nested);
	}

	/**
	 * Return a task that runs without any context bound to its thread.
	 */
	public static Runnable withoutCaller(Runnable task) {
		return SNAPSHOTS.captureFrom(Context.empty()).wrap(task);
	}

}
