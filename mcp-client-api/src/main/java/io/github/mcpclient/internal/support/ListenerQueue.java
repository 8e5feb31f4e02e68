package io.github.mcpclient.internal.support;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Executor;

import org.jspecify.annotations.Nullable;

/**
 * Passes items to code of the application: in order, one at a time, off the threads that
 * add them. When that code is too slow, the oldest items are dropped. Unlike
 * {@code publishOn} it holds no thread while idle.
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
	 * Create a queue of so many items, and that size, at most; one item may be larger.
	 * @param memory the memory that items take until they are delivered
	 */
	protected ListenerQueue(Executor executor, int capacity, long maxSize, MemoryBudget memory) {
		this.executor = executor;
		this.capacity = capacity;
		this.maxSize = maxSize;
		this.memory = memory;
	}

	/**
	 * Pass an item on; may block, and fails with nothing.
	 */
	protected abstract void deliver(T item);

	/**
	 * Return roughly how many bytes an item holds.
	 */
	protected abstract long sizeOf(T item);

	/**
	 * Note that items were dropped.
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
	 * Forget what was not delivered yet.
	 */
	public final void clear() {
		synchronized (this.queue) {
			this.queue.clear();
			this.memory.give(this.size);
			this.size = 0;
		}
	}

	/**
	 * Run a task, which must not block, on the thread that delivers once all that was
	 * added so far is delivered; return {@code false} if it is already.
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
			// the application is going down, all threads are blocked, or there can be no
			// more
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
