package io.github.mcpclient.session;

import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

import io.github.mcpclient.support.Times;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/**
 * Runs tasks that must not block after some time.
 */
final class Deadlines {

	private final Scheduler scheduler;

	Deadlines(Scheduler scheduler) {
		this.scheduler = scheduler;
	}

	Disposable schedule(Runnable task, Duration delay) {
		return this.scheduler.schedule(task, TimeUnit.NANOSECONDS.convert(delay), TimeUnit.NANOSECONDS);
	}

	<T> Mono<T> within(Mono<T> source, Duration timeout, Supplier<? extends Throwable> expired) {
		return source.timeout(Times.atMostForever(timeout), Mono.error(expired), this.scheduler);
	}

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
