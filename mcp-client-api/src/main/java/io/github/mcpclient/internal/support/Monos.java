package io.github.mcpclient.internal.support;

import java.time.Duration;
import java.util.concurrent.TimeoutException;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import reactor.core.Disposable;
import reactor.core.Exceptions;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;
import reactor.core.scheduler.Schedulers;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

/**
 * Helpers that Reactor lacks to subscribe to a {@link Mono} of application code, and to
 * wait for one.
 */
public final class Monos {

	private Monos() {
	}

	/**
	 * Return a source that is created for each subscription, and fails if its creation
	 * throws an exception, including errors that Reactor treats as fatal and rethrows,
	 * such as a missing class.
	 */
	public static <T> Mono<T> guarded(Supplier<? extends Mono<T>> source) {
		return Mono.create((sink) -> {
			try {
				sink.onDispose(subscribe(source.get(), sink, sink.contextView()));
			}
			catch (Throwable ex) {
				sink.error(ex);
			}
		});
	}

	/**
	 * Pass the signals of a source to a sink. Reactor's sink may drop a value that is
	 * requested while it arrives, if it also receives the completion.
	 */
	public static <T> Disposable subscribe(Mono<T> source, MonoSink<T> sink, ContextView context) {
		return source.singleOptional()
			.subscribe((value) -> value.ifPresentOrElse(sink::success, sink::success), sink::error, null,
					Context.of(context));
	}

	/**
	 * Return a source whose end is reported before its subscriber receives it: once, with
	 * the value or the failure, or with neither if it is cancelled or empty.
	 */
	public static <T> Mono<T> watched(Mono<T> source, BiConsumer<@Nullable T, @Nullable Throwable> end) {
		return new WatchedMono<>(source, end);
	}

	/**
	 * Fail on a thread that must not block.
	 * @param what the operation that would block, with {@code %s} for the name
	 * @param other the method to use instead
	 */
	public static void checkThread(String what, String name, String other) {
		if (Schedulers.isInNonBlockingThread()) {
			throw new IllegalStateException(what.formatted(name) + " would block thread '"
					+ Thread.currentThread().getName() + "', which must not block: use " + other + " there");
		}
	}

	/**
	 * Wait for a value, which is {@code null} if the source is empty.
	 * @param interrupted creates the failure if the thread is interrupted while it waits
	 */
	public static <T> @Nullable T await(Mono<T> value, Function<InterruptedException, RuntimeException> interrupted) {
		return await(value, Deadline.FOREVER, interrupted, IllegalStateException::new);
	}

	/**
	 * Wait for a value, for a limited time.
	 * @param late creates the failure if the value does not arrive in time
	 */
	public static <T> @Nullable T await(Mono<T> value, Duration time,
			Function<InterruptedException, RuntimeException> interrupted, Supplier<RuntimeException> late) {
		try {
			return value.block(time);
		}
		catch (RuntimeException ex) {
			if (Exceptions.unwrap(ex) instanceof InterruptedException cause) {
				throw interrupted.apply(cause);
			}
			throw (ex instanceof IllegalStateException && ex.getCause() instanceof TimeoutException) ? late.get() : ex;
		}
	}

}
