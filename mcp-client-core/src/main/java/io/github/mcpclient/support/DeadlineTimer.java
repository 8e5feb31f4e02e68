package io.github.mcpclient.support;

import java.util.Arrays;
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

	// a binary heap: what is at i is not due before what is at (i - 1) / 2
	private @Nullable Timeout[] heap = new Timeout[64];

	private int size;

	private long wakesAt;

	private @Nullable Thread thread;

	private volatile boolean disposed;

	/**
	 * Runs a task after a delay, unless it is disposed before. It must be quick.
	 */
	Disposable schedule(Runnable task, long nanos) {
		Timeout timeout = new Timeout(task, System.nanoTime() + Math.min(nanos, LONGEST));
		this.lock.lock();
		try {
			if (this.disposed) {
				throw new RejectedExecutionException("The timer is stopped");
			}
			if (this.thread == null) {
				Thread thread = DaemonThreads.nonBlocking("mcp-timer").newThread(this::run);
				thread.start();
				this.thread = thread;
				this.wakesAt = timeout.due;
			}
			if (this.size == this.heap.length) {
				this.heap = Arrays.copyOf(this.heap, 2 * this.size);
			}
			raise(timeout, this.size++);
			if (timeout.due - this.wakesAt < 0) {
				this.wakesAt = timeout.due;
				this.earlier.signal();
			}
		}
		finally {
			this.lock.unlock();
		}
		return timeout;
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
				Timeout first = this.heap[0];
				long now = System.nanoTime();
				if (first != null && first.due - now <= 0) {
					remove(first);
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

	private void remove(Timeout timeout) {
		int index = timeout.index;
		Timeout last = this.heap[--this.size];
		this.heap[this.size] = null;
		timeout.index = -1;
		if (last != null && last != timeout) {
			sink(last, index);
			raise(last, last.index);
		}
	}

	private void raise(Timeout timeout, int from) {
		int index = from;
		for (Timeout above = above(index); above != null && timeout.due - above.due < 0; above = above(index)) {
			int next = above.index;
			put(above, index);
			index = next;
		}
		put(timeout, index);
	}

	private @Nullable Timeout above(int index) {
		return (index > 0) ? this.heap[(index - 1) / 2] : null;
	}

	private void sink(Timeout timeout, int from) {
		int index = from;
		for (Timeout below = below(index); below != null && below.due - timeout.due < 0; below = below(index)) {
			int next = below.index;
			put(below, index);
			index = next;
		}
		put(timeout, index);
	}

	// the earlier one of those two
	private @Nullable Timeout below(int index) {
		int left = 2 * index + 1;
		Timeout one = (left < this.size) ? this.heap[left] : null;
		Timeout other = (left + 1 < this.size) ? this.heap[left + 1] : null;
		return (one != null && other != null && other.due - one.due < 0) ? other : one;
	}

	private void put(Timeout timeout, int index) {
		this.heap[index] = timeout;
		timeout.index = index;
	}

	/**
	 * Returns how many tasks wait.
	 */
	int size() {
		this.lock.lock();
		try {
			return this.size;
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

	private final class Timeout implements Disposable {

		private final Runnable task;

		private final long due;

		// in the heap, or -1
		private int index;

		Timeout(Runnable task, long due) {
			this.task = task;
			this.due = due;
		}

		@Override
		public void dispose() {
			DeadlineTimer.this.lock.lock();
			try {
				if (this.index >= 0) {
					remove(this);
				}
			}
			finally {
				DeadlineTimer.this.lock.unlock();
			}
		}

	}

}
