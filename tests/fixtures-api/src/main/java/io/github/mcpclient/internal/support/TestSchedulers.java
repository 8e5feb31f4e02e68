package io.github.mcpclient.internal.support;

import java.util.concurrent.Executors;

import io.github.mcpclient.internal.support.ServerThreads.Limits;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * Schedulers for tests.
 */
public final class TestSchedulers {

	private TestSchedulers() {
	}

	/**
	 * Create a scheduler on which a task that blocks holds up no other.
	 */
	public static ClientScheduler elastic() {
		Scheduler threads = Schedulers.newBoundedElastic(16, 1000, "elastic", 10, true);
		return new TimerScheduler(TimerScheduler.create(), threads, new ServerThreads("elastic", new Limits(16, 1000),
				Executors.newCachedThreadPool(DaemonThreads.nonBlocking("elastic")), threads));
	}

}
