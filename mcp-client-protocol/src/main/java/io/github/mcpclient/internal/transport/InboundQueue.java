package io.github.mcpclient.internal.transport;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

import io.github.mcpclient.internal.support.ClientScheduler;
import io.github.mcpclient.internal.support.SerialQueue;

/**
 * Delivers messages one after the other, off the thread that reads them, and notifies
 * that thread when there is room for the next one. A large message is delivered
 * elsewhere, and later messages wait for it. One thread adds.
 */
final class InboundQueue {

	private static final int MAX_MESSAGES = 256;

	// how long the end may be held up by messages that are not accepted
	private static final Duration PATIENCE = Duration.ofSeconds(1);

	private final SerialQueue queue;

	private final Executor large;

	private final long capacity;

	private final Runnable room;

	private final AtomicLong used = new AtomicLong();

	private final AtomicBoolean waiting = new AtomicBoolean();

	// of the serial queue: whether a large message is being delivered, and the messages
	// after it

	private boolean busy;

	private final Queue<Runnable> behind = new ArrayDeque<>(0);

	private volatile boolean finishing;

	private volatile boolean discarding;

	/**
	 * Create a queue.
	 * @param large delivers a large message
	 * @param capacity how many bytes are queued before there is no more room
	 * @param room run once for each message that is added, as soon as there is room for
	 * the next one; on any thread; must not block
	 */
	InboundQueue(ClientScheduler scheduler, Executor large, long capacity, Runnable room) {
		this.queue = new SerialQueue(scheduler, scheduler);
		this.large = large;
		this.capacity = capacity;
		this.room = room;
	}

	/**
	 * Queue the delivery of a message of so many bytes.
	 */
	void add(int size, Runnable delivery) {
		if (!this.finishing) {
			long cost = Math.max(size, this.capacity / MAX_MESSAGES);
			this.used.addAndGet(cost);
			Runnable task = () -> {
				try {
					if (!this.discarding) {
						delivery.run();
					}
				}
				finally {
					this.used.addAndGet(-cost);
					readOn();
				}
			};
			this.queue.execute(MessageReader.isLarge(size) ? () -> deliverElsewhere(task) : () -> deliver(task));
		}
		this.waiting.set(true);
		readOn();
	}

	private void deliver(Runnable task) {
		if (this.busy || !this.behind.isEmpty()) {
			this.behind.add(task);
		}
		else {
			task.run();
		}
	}

	private void deliverElsewhere(Runnable task) {
		deliver(() -> {
			this.busy = true;
			this.large.execute(() -> {
				try {
					task.run();
				}
				finally {
					this.queue.execute(this::goOn);
				}
			});
		});
	}

	private void goOn() {
		this.busy = false;
		try {
			while (!this.busy && !this.behind.isEmpty()) {
				this.behind.remove().run();
			}
		}
		finally {
			if (!this.busy && !this.behind.isEmpty()) {
				// one has failed
				this.queue.execute(this::goOn);
			}
		}
	}

	private void readOn() {
		if ((this.finishing || this.used.get() < this.capacity) && this.waiting.compareAndSet(true, false)) {
			this.room.run();
		}
	}

	/**
	 * End the delivery: later messages are dropped.
	 * @param discard whether to drop queued messages, too
	 * @param last run once, after the last message
	 */
	void finish(boolean discard, Runnable last) {
		this.discarding |= discard;
		this.finishing = true;
		readOn();
		AtomicBoolean once = new AtomicBoolean();
		Runnable end = () -> {
			this.discarding = true;
			if (once.compareAndSet(false, true)) {
				last.run();
			}
		};
		this.queue.execute(() -> deliver(end));
		this.queue.after(PATIENCE, end);
	}

}
