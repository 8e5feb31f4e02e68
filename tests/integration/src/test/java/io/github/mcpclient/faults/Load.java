package io.github.mcpclient.faults;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantReadWriteLock;

import io.github.mcpclient.testsupport.ClientApplication;
import org.jspecify.annotations.Nullable;

/**
 * Calls tools of servers with which nothing is wrong, one after the other on a thread for
 * each, until one fails or gives a wrong answer.
 */
final class Load implements AutoCloseable {

	// between two calls, unless somebody waits for the next one
	private static final Duration BREATH = Duration.ofMillis(100);

	private final List<Caller> callers = new ArrayList<>();

	// callers hold it for reading, who pauses them for writing
	private final ReentrantReadWriteLock pause = new ReentrantReadWriteLock(true);

	private volatile boolean stopped;

	/**
	 * Begin to call.
	 * @param application the application
	 * @param tools the tools, each with the answer that begins with the given text
	 */
	Load(ClientApplication application, Map<String, String> tools) {
		tools.forEach((tool, prefix) -> {
			Caller caller = new Caller(application, tool, prefix);
			this.callers.add(caller);
			caller.start();
		});
	}

	/**
	 * Wait until each server was called again, and fail if ever a call failed.
	 */
	void assertGoesOn() {
		long[] before = this.callers.stream().mapToLong((caller) -> caller.answers).toArray();
		for (int i = 0; i < before.length; i++) {
			Caller caller = this.callers.get(i);
			long answers = before[i];
			Waiting.await().until(() -> {
				LockSupport.unpark(caller);
				return caller.answers > answers + 1 || caller.failure.get() != null;
			});
			caller.assertNoFailure();
		}
	}

	/**
	 * Do something while no call is under way.
	 */
	void paused(Runnable task) {
		this.pause.writeLock().lock();
		try {
			task.run();
		}
		finally {
			this.pause.writeLock().unlock();
		}
	}

	@Override
	public void close() {
		this.stopped = true;
		this.callers.forEach((caller) -> {
			try {
				caller.join();
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
		});
	}

	private final class Caller extends Thread {

		private final ClientApplication application;

		private final String tool;

		private final String prefix;

		private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

		private volatile long answers;

		Caller(ClientApplication application, String tool, String prefix) {
			super("load-" + tool);
			this.application = application;
			this.tool = tool;
			this.prefix = prefix;
			setDaemon(true);
		}

		@Override
		public void run() {
			while (!Load.this.stopped && this.failure.get() == null) {
				Load.this.pause.readLock().lock();
				try {
					call();
				}
				catch (Throwable ex) {
					this.failure.set(ex);
				}
				finally {
					Load.this.pause.readLock().unlock();
				}
				LockSupport.parkNanos(BREATH.toNanos());
			}
		}

		private void call() {
			String message = "m" + this.answers;
			String answer = this.application.text(this.tool, Map.of("message", message));
			if (!answer.equals(this.prefix + message)) {
				throw new AssertionError("Wrong answer of " + this.tool + ": " + answer);
			}
			this.answers++;
		}

		void assertNoFailure() {
			Throwable failure = this.failure.get();
			if (failure != null) {
				throw new AssertionError("A call of " + this.tool + " failed, with whose server nothing is wrong",
						failure);
			}
		}

	}

}
