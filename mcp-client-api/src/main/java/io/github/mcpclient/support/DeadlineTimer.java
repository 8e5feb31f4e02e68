package io.github.mcpclient.support;

import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.Disposable;

/**
 * Runs tasks when they are due, on one thread, which sleeps until then: nothing ticks.
 * Nearly all tasks are deadlines of calls, and cancelled. These wake nobody: the thread
 * is woken for a task only that is due before it would wake anyway, and goes on sleeping
 * when that is cancelled. What is cancelled is removed at once.
 */
final class DeadlineTimer implements Disposable {

	private static final Logger logger = LoggerFactory.getLogger(DeadlineTimer.class);

	// far enough, and the difference of two times never overflows
	private static final long LONGEST = Long.MAX_VALUE >> 2;

	private final ReentrantLock lock = new ReentrantLock();

	private final Condition earlier = this.lock.newCondition();

	// the earliest first
	private final NavigableSet<Timeout> timeouts = new TreeSet<>();

	private long count;

	private long wakesAt;

	private @Nullable Thread thread;

	private volatile boolean disposed;

	/**
	 * Runs a task after a delay, unless it is disposed before. It must be quick.
	 */
	Disposable schedule(Runnable task, long nanos) {
		long due = System.nanoTime() + Math.min(nanos, LONGEST);
		this.lock.lock();
		try {
			if (this.disposed) {
				throw new RejectedExecutionException("The timer is stopped");
			}
			Timeout timeout = new Timeout(task, due, this.count++);
			if (this.thread == null) {
				Thread thread = DaemonThreads.nonBlocking("mcp-timer").newThread(this::run);
				thread.start();
				this.thread = thread;
				this.wakesAt = due;
			}
			this.timeouts.add(timeout);
			if (due - this.wakesAt < 0) {
				this.wakesAt = due;
				this.earlier.signal();
			}
			return timeout;
		}
		finally {
			this.lock.unlock();
		}
	}

	private void run() {
		for (Timeout due = await(); due != null; due = await()) {
			try {
				due.task.run();
			}
			catch (Throwable ex) {
				// even an Error: all others wait for this thread
				logger.error("A timer of MCP connections failed", ex);
			}
		}
	}

	// returns the next one when it is due, or null when no more come
	private @Nullable Timeout await() {
		this.lock.lock();
		try {
			while (!this.disposed) {
				Timeout first = this.timeouts.isEmpty() ? null : this.timeouts.first();
				long now = System.nanoTime();
				if (first != null && first.due - now <= 0) {
					this.timeouts.remove(first);
					return first;
				}
				this.wakesAt = (first != null) ? first.due : now + LONGEST;
				sleep(this.wakesAt - now);
			}
		}
		finally {
			this.lock.unlock();
		}
		return null;
	}

	private void sleep(long nanos) {
		try {
			this.earlier.awaitNanos(nanos);
		}
		catch (InterruptedException ex) {
			// is no reason to stop
		}
	}

	/**
	 * Returns how many tasks wait.
	 */
	int size() {
		this.lock.lock();
		try {
			return this.timeouts.size();
		}
		finally {
			this.lock.unlock();
		}
	}

	@Override
	public void dispose() {
		this.lock.lock();
		try {
			this.disposed = true;
			this.earlier.signal();
		}
		finally {
			this.lock.unlock();
		}
	}

	@Override
	public boolean isDisposed() {
		return this.disposed;
	}

	private final class Timeout implements Disposable, Comparable<Timeout> {

		private final Runnable task;

		private final long due;

		// tells those apart that are due at the same time
		private final long number;

		Timeout(Runnable task, long due, long number) {
			this.task = task;
			this.due = due;
			this.number = number;
		}

		@Override
		public int compareTo(Timeout other) {
			long later = this.due - other.due;
			return (later != 0) ? Long.signum(later) : Long.compare(this.number, other.number);
		}

		@Override
		public void dispose() {
			DeadlineTimer.this.lock.lock();
			try {
				DeadlineTimer.this.timeouts.remove(this);
			}
			finally {
				DeadlineTimer.this.lock.unlock();
			}
		}

	}

}
