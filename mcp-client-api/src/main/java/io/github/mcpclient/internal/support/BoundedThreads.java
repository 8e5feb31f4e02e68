package io.github.mcpclient.internal.support;

import java.util.List;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * A limited number of threads, which end when they are idle. Tasks wait while all threads
 * are in use. Unlike Reactor's {@code boundedElastic}, this needs no additional thread to
 * evict idle ones.
 */
final class BoundedThreads extends AbstractExecutorService {

	private final String name;

	private final ServerThreads threads;

	private volatile boolean shutdown;

	BoundedThreads(String name, ServerThreads threads) {
		this.name = name;
		this.threads = threads;
	}

	@Override
	public void execute(Runnable task) {
		this.threads.execute(this.name, task);
	}

	@Override
	public void shutdown() {
		this.shutdown = true;
		this.threads.dispose();
	}

	@Override
	public List<Runnable> shutdownNow() {
		shutdown();
		return List.of();
	}

	@Override
	public boolean isShutdown() {
		return this.shutdown;
	}

	@Override
	public boolean isTerminated() {
		return this.shutdown;
	}

	@Override
	public boolean awaitTermination(long timeout, TimeUnit unit) {
		return this.shutdown;
	}

}
