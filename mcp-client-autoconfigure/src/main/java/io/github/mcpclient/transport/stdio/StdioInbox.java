package io.github.mcpclient.transport.stdio;

import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

import io.modelcontextprotocol.spec.McpSchema.JSONRPCMessage;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import reactor.core.scheduler.Scheduler;

/**
 * Hands messages from the thread that reads them to another one, one after the other, and
 * makes the reader wait while too many bytes are under way. One thread writes.
 */
final class StdioInbox {

	private static final Log logger = LogFactory.getLog(StdioInbox.class);

	/**
	 * How many messages to deliver before other servers have their turn on the thread.
	 */
	private static final int TURN = 64;

	private static final int MAX_MESSAGES = 256;

	/**
	 * How long the end may be held up by messages that are not accepted.
	 */
	private static final Duration PATIENCE = Duration.ofSeconds(1);

	private final Scheduler scheduler;

	private final Consumer<JSONRPCMessage> handler;

	private final int capacity;

	private final Semaphore room;

	private final Queue<Item> queue = new ConcurrentLinkedQueue<>();

	private final AtomicInteger pending = new AtomicInteger();

	private volatile boolean finishing;

	private volatile boolean discarding;

	StdioInbox(Scheduler scheduler, long capacity, Consumer<JSONRPCMessage> handler) {
		this.scheduler = scheduler;
		this.handler = handler;
		this.capacity = (int) Math.min(Integer.MAX_VALUE / 2, Math.max(capacity, MAX_MESSAGES));
		this.room = new Semaphore(this.capacity);
	}

	/**
	 * Deliver a message, waiting for room.
	 * @param message the message
	 * @param size its size in bytes
	 */
	void put(JSONRPCMessage message, int size) {
		int cost = Math.min(this.capacity, Math.max(size, this.capacity / MAX_MESSAGES));
		this.room.acquireUninterruptibly(cost);
		if (!this.finishing) {
			add(new Item(cost, () -> this.handler.accept(message)));
		}
	}

	/**
	 * End the delivery: later messages are dropped.
	 * @param discard whether to drop those that wait, too
	 * @param last run once, after the last message
	 */
	void finish(boolean discard, Runnable last) {
		this.discarding |= discard;
		this.finishing = true;
		// a reader that waits has a message that will be dropped
		this.room.release(this.capacity);
		AtomicBoolean once = new AtomicBoolean();
		Runnable end = () -> {
			this.discarding = true;
			if (once.compareAndSet(false, true)) {
				last.run();
			}
		};
		add(new Item(0, end));
		this.scheduler.schedule(end, PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
	}

	private void add(Item item) {
		this.queue.add(item);
		if (this.pending.getAndIncrement() == 0) {
			this.scheduler.schedule(this::drain);
		}
	}

	private void drain() {
		int delivered = 0;
		do {
			Item item = this.queue.remove();
			deliver(item);
			this.room.release(item.cost());
			if (++delivered == TURN && this.pending.get() > 1) {
				this.pending.decrementAndGet();
				this.scheduler.schedule(this::drain);
				return;
			}
		}
		while (this.pending.decrementAndGet() != 0);
	}

	private void deliver(Item item) {
		if (this.discarding && item.cost() != 0) {
			return;
		}
		try {
			item.delivery().run();
		}
		catch (RuntimeException | Error ex) {
			logger.warn("A message of a server could not be handled", ex);
		}
	}

	private record Item(int cost, Runnable delivery) {
	}

}
