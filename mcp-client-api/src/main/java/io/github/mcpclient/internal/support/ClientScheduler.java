package io.github.mcpclient.internal.support;

import java.time.Instant;
import java.util.concurrent.TimeUnit;

import io.github.mcpclient.internal.support.ServerThreads.Limits;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * The client's threads for what does not block, and its only source of time. Reactor's
 * shared schedulers belong to the application: what it blocks there must not hold up a
 * connection, a deadline or an answer.
 */
public interface ClientScheduler extends Scheduler {

	/**
	 * Return a monotonic time, good for differences only.
	 */
	@Override
	long now(TimeUnit unit);

	/**
	 * Return the time of day, for what people read.
	 */
	Instant instant();

	/**
	 * Run a task that takes long, though it does not block, on a thread of a server: it
	 * holds up no event loop, and nothing of other servers.
	 */
	void execute(String server, Runnable task);

	/**
	 * Create a scheduler, which has to be disposed.
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
