package io.github.mcpclient.support;

import io.netty.util.HashedWheelTimer;
import reactor.core.scheduler.Schedulers;

/**
 * Schedulers for tests.
 */
public final class TestSchedulers {

	private TestSchedulers() {
	}

	/**
	 * Creates a scheduler on which a task that blocks holds up no other.
	 */
	public static ClientScheduler elastic() {
		return new WheelScheduler(new HashedWheelTimer(), Schedulers.newBoundedElastic(16, 1000, "elastic", 10, true));
	}

}
