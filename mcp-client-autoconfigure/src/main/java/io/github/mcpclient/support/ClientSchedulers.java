package io.github.mcpclient.support;

import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * Makes the schedulers of the client. Reactor's shared ones are the application's: what
 * it blocks there must hold up no connection, no deadline and no answer.
 */
public final class ClientSchedulers {

	/**
	 * So many servers, at least, may have a transport factory that hangs before others
	 * wait: each has one thread at most.
	 */
	private static final int CONNECT_THREADS = 128;

	private static final int IDLE_SECONDS = 10;

	private ClientSchedulers() {
	}

	/**
	 * Make a scheduler for timers, queues and signals.
	 * @return a scheduler whose threads must not block, and whose time is not set back or
	 * forth with the clock; to be disposed of
	 */
	public static Scheduler nonBlocking() {
		return new MonotonicScheduler(
				Schedulers.newParallel("mcp-parallel", Math.max(2, Schedulers.DEFAULT_POOL_SIZE), true));
	}

	/**
	 * Make a scheduler for the beginning and the end of connections.
	 * @return a scheduler whose threads may block; to be disposed of
	 */
	public static Scheduler connecting() {
		return Schedulers.newBoundedElastic(CONNECT_THREADS, Integer.MAX_VALUE, "mcp-connect", IDLE_SECONDS, true);
	}

}
