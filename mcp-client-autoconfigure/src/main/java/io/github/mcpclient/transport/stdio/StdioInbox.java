package io.github.mcpclient.transport.stdio;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

import io.github.mcpclient.support.ClientScheduler;
import io.github.mcpclient.support.SerialQueue;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCMessage;

/**
 * Delivers messages of one thread, which reads them, on others, one after the other. The
 * reader waits while too many bytes are undelivered.
 */
final class StdioInbox {

	private static final int MAX_MESSAGES = 256;

	/**
	 * How long messages that are not accepted may delay the end.
	 */
	private static final Duration PATIENCE = Duration.ofSeconds(1);

	private final SerialQueue queue;

	private final Consumer<JSONRPCMessage> handler;

	private final int capacity;

	private final Semaphore room;

	private volatile boolean finishing;

	private volatile boolean discarding;

	StdioInbox(ClientScheduler scheduler, long capacity, Consumer<JSONRPCMessage> handler) {
		this.queue = new SerialQueue(scheduler, scheduler);
		this.handler = handler;
		this.capacity = (int) Math.min(Integer.MAX_VALUE / 2, Math.max(capacity, MAX_MESSAGES));
		this.room = new Semaphore(this.capacity);
	}

	/**
	 * Delivers a message, waiting for room.
	 * @param size its size in bytes
	 */
	void put(JSONRPCMessage message, int size) {
		int cost = Math.min(this.capacity, Math.max(size, this.capacity / MAX_MESSAGES));
		this.room.acquireUninterruptibly(cost);
		if (!this.finishing) {
			this.queue.execute(() -> {
				try {
					if (!this.discarding) {
						this.handler.accept(message);
					}
				}
				finally {
					this.room.release(cost);
				}
			});
		}
	}

	/**
	 * Ends the delivery: later messages are dropped.
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
		this.queue.execute(end);
		this.queue.after(PATIENCE, end);
	}

}
