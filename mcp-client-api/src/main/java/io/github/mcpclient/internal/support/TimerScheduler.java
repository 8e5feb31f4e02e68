package io.github.mcpclient.internal.support;

import java.time.Clock;
import java.time.Instant;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.Disposable;
import reactor.core.scheduler.Scheduler;

/**
 * Passes tasks to threads, and delayed tasks when they are due. A single thread waits for
 * delayed tasks, and sleeps until then.
 */
record TimerScheduler(ScheduledThreadPoolExecutor timer, Scheduler threads,
		ServerThreads reading) implements ClientScheduler {

	private static final Logger logger = LoggerFactory.getLogger(TimerScheduler.class);

	/**
	 * Create the executor that waits for tasks.
	 */
	static ScheduledThreadPoolExecutor create() {
		ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(1, DaemonThreads.nonBlocking("mcp-timer"));
		timer.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
		return timer;
	}

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
		Future<?> timeout = this.timer.schedule(() -> wake(task), delay, unit);
		return () -> {
			timeout.cancel(false);
			// nearly all are deadlines of calls, and cancelled. Removing the first one
			// would make the next one first, and wake the thread, for each call
			if (this.timer.getQueue().peek() != timeout) {
				this.timer.getQueue().remove(timeout);
			}
		};
	}

	private void wake(Runnable task) {
		try {
			this.threads.schedule(task);
		}
		catch (RejectedExecutionException ex) {
			// the application is shutting down: run the task here
			task.run();
		}
		catch (Throwable ex) {
			logger.error("A timer of MCP connections failed", ex);
		}
	}

	@Override
	public void execute(String server, Runnable task) {
		try {
			this.reading.execute(server, task);
		}
		catch (RejectedExecutionException | Error ex) {
			// as above, or no more threads can be created
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
		this.timer.shutdown();
		this.reading.dispose();
		this.threads.dispose();
	}

}
