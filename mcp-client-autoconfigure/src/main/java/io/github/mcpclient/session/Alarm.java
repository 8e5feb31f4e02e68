package io.github.mcpclient.session;

import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/**
 * Runs something later.
 */
final class Alarm {

	private final Scheduler scheduler;

	Alarm(Scheduler scheduler) {
		this.scheduler = scheduler;
	}

	/**
	 * Run a task after some time.
	 * @param task what to run; must not block
	 * @param delay the time
	 * @return cancels it
	 */
	Disposable schedule(Runnable task, Duration delay) {
		return this.scheduler.schedule(task, TimeUnit.NANOSECONDS.convert(delay), TimeUnit.NANOSECONDS);
	}

	/**
	 * Bound the time of a publisher.
	 * @param <T> the type of the value
	 * @param source what must end in time
	 * @param timeout the time allowed
	 * @param expired what to fail with when it did not
	 * @return the source, cancelled and failed when it takes longer
	 */
	<T> Mono<T> within(Mono<T> source, Duration timeout, Supplier<? extends Throwable> expired) {
		// a value that comes too late is dropped silently, an error would be logged
		Mono<Boolean> expiry = Mono.create((sink) -> {
			Disposable waiting = schedule(() -> sink.success(true), timeout);
			sink.onDispose(waiting);
		});
		return Mono.firstWithSignal(expiry.then(Mono.error(expired)), source);
	}

	/**
	 * Run a task on the scheduler.
	 * @param task what to run; must not block
	 */
	void run(Runnable task) {
		try {
			this.scheduler.schedule(task);
		}
		catch (RejectedExecutionException ex) {
			// the application is going down: late is worse than here
			task.run();
		}
	}

}
