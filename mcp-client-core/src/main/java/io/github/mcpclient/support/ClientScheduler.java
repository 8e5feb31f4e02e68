package io.github.mcpclient.support;

import java.time.Instant;
import java.util.concurrent.TimeUnit;

import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * The client's threads for what does not block, and its only source of time. Reactor's
 * shared schedulers belong to the application: what it blocks there must not hold up a
 * connection, a deadline or an answer.
 */
public interface ClientScheduler extends Scheduler {

	/**
	 * Returns a monotonic time, good for differences only.
	 */
	@Override
	long now(TimeUnit unit);

	/**
	 * Returns the time of day, for what people read.
	 */
	Instant instant();

	/**
	 * Creates a scheduler, which has to be disposed.
	 */
	static ClientScheduler create() {
		return new TimerScheduler(new DeadlineTimer(), Schedulers.newParallel(Math.max(2, Schedulers.DEFAULT_POOL_SIZE),
				DaemonThreads.nonBlocking("mcp-parallel")));
	}

}
