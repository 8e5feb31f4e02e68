package io.github.mcpclient.internal.support;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.scheduler.NonBlocking;

/**
 * Creates the client's threads. They inherit no thread locals: the caller that happens to
 * need a thread first may have a user in its thread locals, and the thread would act for
 * this user for its whole lifetime.
 */
public final class DaemonThreads {

	private static final Logger logger = LoggerFactory.getLogger(DaemonThreads.class);

	private DaemonThreads() {
	}

	/**
	 * Return a factory of threads that may block.
	 */
	public static ThreadFactory blocking(String name) {
		AtomicLong count = new AtomicLong();
		return (task) -> daemon(new Thread(null, task, name + "-" + count.incrementAndGet(), 0, false));
	}

	/**
	 * Return a factory of threads on which Reactor prevents blocking.
	 */
	public static ThreadFactory nonBlocking(String name) {
		AtomicLong count = new AtomicLong();
		return (task) -> daemon(new NonBlockingThread(task, name + "-" + count.incrementAndGet()));
	}

	/**
	 * Return an executor that creates a thread if none is idle, and ends threads after
	 * they were idle for ten seconds.
	 */
	public static ExecutorService cached(ThreadFactory factory) {
		return new ThreadPoolExecutor(0, Integer.MAX_VALUE, 10, TimeUnit.SECONDS, new SynchronousQueue<>(), factory);
	}

	private static Thread daemon(Thread thread) {
		thread.setDaemon(true);
		thread.setUncaughtExceptionHandler(
				(failed, failure) -> logger.error("Thread " + failed.getName() + " failed", failure));
		return thread;
	}

	private static final class NonBlockingThread extends Thread implements NonBlocking {

		NonBlockingThread(Runnable task, String name) {
			super(null, task, name, 0, false);
		}

	}

}
