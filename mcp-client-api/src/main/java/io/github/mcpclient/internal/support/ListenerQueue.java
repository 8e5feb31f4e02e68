package io.github.mcpclient.internal.support;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Executor;

import org.jspecify.annotations.Nullable;

/**
 * Passes items to code of the application: in order, one at a time, on other threads than
 * the threads that add them. If that code is too slow, the oldest items are dropped.
 * Unlike {@code publishOn}, it occupies no thread while idle.
 *
 * @param <T> the type of the items
 */
public abstract class ListenerQueue<T> {

	private static final int TURN = 64;

	private final Executor executor;

	private final int capacity;

	private final long maxSize;

	private final MemoryBudget memory;

	private final Deque<Sized<T>> queue = new ArrayDeque<>(0);

	private long size;

	private boolean draining;

	private @Nullable Runnable afterwards;

	/**
	 * Create a queue with a maximum number and total size of items; a single item may be
	 * larger.
	 * @param memory the memory budget of items until they are delivered
	 */
	protected ListenerQueue(Executor executor, int capacity, long maxSize, MemoryBudget memory) {
		this.executor = executor;
		this.capacity = capacity;
		this.maxSize = maxSize;
		this.memory = memory;
	}

	/**
	 * Deliver an item; may block, and must not throw an exception.
	 */
	protected abstract void deliver(T item);

	/**
	 * Return the approximate size of an item in bytes.
	 */
	protected abstract long sizeOf(T item);

	/**
	 * Receive the number of items that were dropped.
	 */
	protected void dropped(int count) {
	}

	/**
	 * Add an item, from any thread.
	 */
	public final void add(T item) {
		int dropped = 0;
		long itemSize = sizeOf(item);
		boolean start;
		synchronized (this.queue) {
			while (!this.queue.isEmpty()
					&& (this.queue.size() >= this.capacity || this.size + itemSize > this.maxSize)) {
				long freed = this.queue.removeFirst().size;
				this.size -= freed;
				this.memory.give(freed);
				dropped++;
			}
			boolean fits = this.memory.take(itemSize);
			if (fits) {
				this.queue.addLast(new Sized<>(item, itemSize));
				this.size += itemSize;
			}
			else {
				dropped++;
			}
			start = fits && !this.draining;
			this.draining |= fits;
		}
		if (dropped > 0) {
			dropped(dropped);
		}
		if (start) {
			schedule();
		}
	}

	/**
	 * Discard the items that were not delivered yet.
	 */
	public final void clear() {
		synchronized (this.queue) {
			this.queue.clear();
			this.memory.give(this.size);
			this.size = 0;
		}
	}

	/**
	 * Run a task, which must not block, on the delivering thread after all items added so
	 * far are delivered. Return {@code false} if they already are.
	 */
	public final boolean afterwards(Runnable task) {
		synchronized (this.queue) {
			this.afterwards = this.draining ? task : null;
			return this.draining;
		}
	}

	private void schedule() {
		try {
			this.executor.execute(this::drain);
		}
		catch (Throwable ex) {
			// the application is shutting down, all threads are blocked, or no more
			// threads can be created
			clear();
			drain();
		}
	}

	private void drain() {
		for (int left = TURN; left > 0; left--) {
			Sized<T> next = poll();
			if (next == null) {
				return;
			}
			try {
				deliver(next.item);
			}
			finally {
				this.memory.give(next.size);
			}
		}
		schedule();
	}

	private @Nullable Sized<T> poll() {
		Sized<T> next;
		Runnable afterwards;
		synchronized (this.queue) {
			next = this.queue.pollFirst();
			this.size -= (next != null) ? next.size : 0;
			this.draining = (next != null);
			afterwards = this.draining ? null : this.afterwards;
		}
		if (afterwards != null) {
			afterwards.run();
		}
		return next;
	}

	private record Sized<T>(T item, long size) {

	}

}
