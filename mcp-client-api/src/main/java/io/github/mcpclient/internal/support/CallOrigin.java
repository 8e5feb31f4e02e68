package io.github.mcpclient.internal.support;

import java.util.function.IntSupplier;
import java.util.function.UnaryOperator;

import org.jspecify.annotations.Nullable;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

/**
 * The call that led to a request of a server. Stored in the Reactor context of a call,
 * with this class as the key.
 *
 * @param caller binds the context of the caller's thread, or {@code null} if any of
 * several calls may have led to the request
 * @param inner binds the observation, within the context that {@code caller} binds
 * @param depth the number of handlers of such requests in which the call is nested
 */
public record CallOrigin(@Nullable UnaryOperator<Runnable> caller, UnaryOperator<Runnable> inner, IntSupplier depth) {

	private static final ThreadLocal<Integer> CURRENT_DEPTH = ThreadLocal.withInitial(() -> 0);

	/**
	 * Create an origin that binds the caller alone.
	 */
	public CallOrigin(@Nullable UnaryOperator<Runnable> caller, IntSupplier depth) {
		this(caller, UnaryOperator.identity(), depth);
	}

	/**
	 * Capture the caller on this thread, or in the given context.
	 */
	public static CallOrigin capture(ContextView context) {
		int depth = depth(context);
		return new CallOrigin(CallerContext.capture(context), () -> depth);
	}

	static int depth(ContextView context) {
		CallOrigin outer = context.getOrDefault(CallOrigin.class, null);
		return Math.max(CURRENT_DEPTH.get(), (outer != null) ? outer.depth().getAsInt() : 0);
	}

	/**
	 * Add the depth of the handler that runs on this thread to a context.
	 */
	static Context withDepth(Context context) {
		int depth = depth(context);
		return (depth > 0) ? context.put(CallOrigin.class, new CallOrigin(null, () -> depth)) : context;
	}

	/**
	 * Return the depth of the handler that runs on this thread.
	 */
	public static int currentDepth() {
		return CURRENT_DEPTH.get();
	}

	/**
	 * Return this origin with another context to bind within the context of the caller.
	 */
	public CallOrigin withInner(UnaryOperator<Runnable> inner) {
		return new CallOrigin(this.caller, inner, this.depth);
	}

	/**
	 * Return a task of a handler that runs in the context of the caller, one level
	 * deeper.
	 */
	public Runnable wrap(Runnable task) {
		Runnable nested = () -> at(this.depth.getAsInt() + 1, this.inner.apply(task)).run();
		return (this.caller != null) ? this.caller.apply(nested) : CallerContext.withoutCaller(nested);
	}

	static Runnable at(int depth, Runnable task) {
		return () -> {
			int outer = CURRENT_DEPTH.get();
			CURRENT_DEPTH.set(depth);
			try {
				task.run();
			}
			finally {
				CURRENT_DEPTH.set(outer);
			}
		};
	}

}
