package io.github.mcpclient.session;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;

import io.modelcontextprotocol.spec.McpSchema.ProgressNotification;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.scheduler.Scheduler;

/**
 * Passes the progress of one call to its consumer: in order, one at a time, off the
 * transport's threads. When the consumer is too slow, the oldest notifications are
 * dropped. Unlike {@code publishOn} it holds no thread of the scheduler while idle.
 */
final class ProgressQueue {

	static final int CAPACITY = 256;

	private static final Logger logger = LoggerFactory.getLogger(ProgressQueue.class);

	private final Consumer<ProgressNotification> consumer;

	private final Scheduler scheduler;

	private final String serverName;

	private final Deque<ProgressNotification> queue = new ArrayDeque<>();

	private boolean draining;

	private @Nullable Runnable afterwards;

	private boolean failed;

	ProgressQueue(Consumer<ProgressNotification> consumer, Scheduler scheduler, String serverName) {
		this.consumer = consumer;
		this.scheduler = scheduler;
		this.serverName = serverName;
	}

	void add(ProgressNotification notification) {
		synchronized (this.queue) {
			if (this.queue.size() == CAPACITY) {
				this.queue.removeFirst();
			}
			this.queue.addLast(notification);
			if (this.draining) {
				return;
			}
			this.draining = true;
		}
		try {
			this.scheduler.schedule(this::drain);
		}
		catch (RejectedExecutionException ex) {
			logger.debug("Dropped progress of MCP server '{}', the scheduler is closed", this.serverName);
			clear();
			drain();
		}
	}

	void clear() {
		synchronized (this.queue) {
			this.queue.clear();
		}
	}

	/**
	 * Runs a task, which must not block, on the consumer's thread once the consumer has
	 * seen all that was added so far; returns {@code false} if it has already.
	 */
	boolean afterwards(Runnable task) {
		synchronized (this.queue) {
			this.afterwards = this.draining ? task : null;
			return this.draining;
		}
	}

	private void drain() {
		for (ProgressNotification next = poll(); next != null; next = poll()) {
			try {
				this.consumer.accept(next);
			}
			catch (Throwable ex) {
				// only the draining task writes it, and one follows the other
				if (!this.failed) {
					this.failed = true;
					logger.warn("The progress listener of a call to MCP server '{}' failed. Further failures "
							+ "during this call are not logged", this.serverName, ex);
				}
			}
		}
	}

	private @Nullable ProgressNotification poll() {
		ProgressNotification next;
		Runnable afterwards;
		synchronized (this.queue) {
			next = this.queue.pollFirst();
			this.draining = (next != null);
			afterwards = this.draining ? null : this.afterwards;
		}
		if (afterwards != null) {
			afterwards.run();
		}
		return next;
	}

}
