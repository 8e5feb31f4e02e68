package io.github.mcpclient.internal.support;

import java.time.Duration;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import reactor.core.Exceptions;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * Waits on the thread of a caller for what does not block by itself.
 */
public final class Blocking {

	private Blocking() {
	}

	/**
	 * Fail on a thread that must not block.
	 * @param what what would block it, with {@code %s} for the name
	 * @param other the method to use there
	 */
	public static void checkThread(String what, String name, String other) {
		if (Schedulers.isInNonBlockingThread()) {
			throw new IllegalStateException(what.formatted(name) + " would block thread '"
					+ Thread.currentThread().getName() + "', which must not block: use " + other + " there");
		}
	}

	/**
	 * Wait for a value, which is {@code null} if there is none.
	 * @param interrupted makes the failure where the thread is interrupted meanwhile
	 */
	public static <T> @Nullable T await(Mono<T> value, Function<InterruptedException, RuntimeException> interrupted) {
		return await(value, Times.FOREVER, interrupted, IllegalStateException::new);
	}

	/**
	 * Wait for a value for so long at most.
	 * @param late makes the failure where there is none by then
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
