package io.github.mcpclient.support;

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
		return new TimerScheduler(new DeadlineTimer(), Schedulers.newBoundedElastic(16, 1000, "elastic", 10, true));
	}

}
