package io.github.mcpclient.support;

import java.time.Clock;
import java.time.Instant;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;

import reactor.core.Disposable;
import reactor.core.scheduler.Scheduler;

/**
 * Hands tasks to threads, those with a delay when they are due.
 */
record TimerScheduler(DeadlineTimer timer, Scheduler threads, ServerThreads reading) implements ClientScheduler {

	@Override
	public long now(TimeUnit unit) {
		return unit.convert(System.nanoTime(), TimeUnit.NANOSECONDS);
	}

	@Override
	public Instant instant() {
		return Clock.systemUTC().instant();
	}

	@Override
	public Disposable schedule(Runnable task) {
		return this.threads.schedule(task);
	}

	@Override
	public Disposable schedule(Runnable task, long delay, TimeUnit unit) {
		if (delay <= 0) {
			return schedule(task);
		}
		return this.timer.schedule(() -> wake(task), unit.toNanos(delay));
	}

	private void wake(Runnable task) {
		try {
			this.threads.schedule(task);
		}
		catch (RejectedExecutionException ex) {
			// the application is going down: late is worse than here
			task.run();
		}
	}

	@Override
	public void execute(String server, Runnable task) {
		try {
			this.reading.execute(server, task);
		}
		catch (RejectedExecutionException | Error ex) {
			// as above, or there can be no more threads
			task.run();
		}
	}

	@Override
	public Worker createWorker() {
		return this.threads.createWorker();
	}

	@Override
	public boolean isDisposed() {
		return this.threads.isDisposed();
	}

	@Override
	public void dispose() {
		this.timer.dispose();
		this.reading.dispose();
		this.threads.dispose();
	}

}
