package io.github.mcpclient.session;

import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

import io.netty.util.Timeout;
import io.netty.util.Timer;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/**
 * Runs something later. The timer only wakes it up: since one thread serves all timers,
 * what is to be done runs on the scheduler.
 */
final class Alarm {

	private final Timer timer;

	private final Scheduler scheduler;

	Alarm(Timer timer, Scheduler scheduler) {
		this.timer = timer;
		this.scheduler = scheduler;
	}

	/**
	 * Run a task after some time.
	 * @param task what to run; must not block
	 * @param delay the time, at least a nanosecond
	 * @return cancels it
	 */
	Timeout schedule(Runnable task, Duration delay) {
		long nanos = Math.max(1, TimeUnit.NANOSECONDS.convert(delay));
		return this.timer.newTimeout((timeout) -> run(task), nanos, TimeUnit.NANOSECONDS);
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
			Timeout waiting = schedule(() -> sink.success(true), timeout);
			sink.onDispose(waiting::cancel);
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
