package io.github.mcpclient.support;

import java.time.Instant;
import java.util.concurrent.TimeUnit;

import io.netty.util.HashedWheelTimer;
import io.netty.util.concurrent.DefaultThreadFactory;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * The client's threads for what does not block, and its only source of time: deadlines,
 * timers and the time of day. Reactor's shared schedulers are the application's: what it
 * blocks there must hold up no connection, no deadline and no answer.
 */
public interface ClientScheduler extends Scheduler {

	/**
	 * Returns a time that is good for differences only, and is not set back or forth with
	 * the system's clock.
	 */
	@Override
	long now(TimeUnit unit);

	/**
	 * Returns the time of day, for what people read.
	 */
	Instant instant();

	/**
	 * Creates a scheduler, to be disposed of.
	 */
	static ClientScheduler create() {
		return new WheelScheduler(
				new HashedWheelTimer(new DefaultThreadFactory("mcp-timer", true), 10, TimeUnit.MILLISECONDS),
				Schedulers.newParallel("mcp-parallel", Math.max(2, Schedulers.DEFAULT_POOL_SIZE), true));
	}

}
