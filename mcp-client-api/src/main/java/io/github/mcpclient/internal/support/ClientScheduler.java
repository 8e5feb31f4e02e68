package io.github.mcpclient.internal.support;

import java.time.Instant;
import java.util.concurrent.TimeUnit;

import io.github.mcpclient.internal.support.ServerThreads.Limits;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * The client's threads for non-blocking code, and its only source of time. Reactor's
 * shared schedulers belong to the application: code of the application that blocks there
 * must not delay a connection, a deadline or a response.
 */
public interface ClientScheduler extends Scheduler {

	/**
	 * Return a monotonic time, for differences only.
	 */
	@Override
	long now(TimeUnit unit);

	/**
	 * Return the time of day, for display.
	 */
	Instant instant();

	/**
	 * Run a task that takes long without blocking, on a thread of a server, so that it
	 * delays neither event loops nor other servers.
	 */
	void execute(String server, Runnable task);

	/**
	 * Create a scheduler, which must be disposed.
	 */
	static ClientScheduler create() {
		Scheduler threads = new LazyScheduler(() -> Schedulers.newParallel(Math.max(2, Schedulers.DEFAULT_POOL_SIZE),
				DaemonThreads.nonBlocking("mcp-parallel")));
		int processors = Runtime.getRuntime().availableProcessors();
		Limits limits = new Limits(Math.max(1, processors / 2), Integer.MAX_VALUE, 64, 32);
		return new TimerScheduler(TimerScheduler.create(), threads, new ServerThreads("mcp-reading", limits,
				DaemonThreads.cached(DaemonThreads.nonBlocking("mcp-reading")), threads));
	}

}
