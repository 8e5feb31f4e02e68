package io.github.mcpclient.connection;

import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.scheduler.Scheduler;

/**
 * Runs tasks one after the other on the threads of a scheduler, and tells the time.
 * Unlike a {@link reactor.core.scheduler.Scheduler.Worker} it holds no thread, needs no
 * disposal and loses no task: one that comes when the scheduler is gone runs on the
 * thread that brings it.
 */
final class SerialQueue {

	private static final Logger logger = LoggerFactory.getLogger(SerialQueue.class);

	private final Scheduler scheduler;

	private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();

	private final AtomicInteger pending = new AtomicInteger();

	private volatile @Nullable Thread thread;

	SerialQueue(Scheduler scheduler) {
		this.scheduler = scheduler;
	}

	/**
	 * Run a task after those that are queued already, never on the way.
	 * @param task the task; must not block
	 */
	void execute(Runnable task) {
		this.tasks.add(task);
		if (this.pending.getAndIncrement() == 0) {
			aside(this::drain);
		}
	}

	/**
	 * Queue a task after a delay. A cancelled task may be queued all the same, where it
	 * is due at that moment.
	 * @param delay the delay
	 * @param task the task
	 * @return cancels the task
	 */
	Disposable executeAfter(Duration delay, Runnable task) {
		return after(delay, () -> execute(task));
	}

	/**
	 * Run a task after a delay, outside of the queue.
	 * @param delay the delay
	 * @param task the task
	 * @return cancels the task
	 */
	Disposable after(Duration delay, Runnable task) {
		try {
			return this.scheduler.schedule(task, TimeUnit.NANOSECONDS.convert(delay), TimeUnit.NANOSECONDS);
		}
		catch (RejectedExecutionException ex) {
			return Disposables.disposed();
		}
	}

	/**
	 * Run a task soon and outside of the queue: where code that is not ours may run.
	 * @param task the task
	 */
	void aside(Runnable task) {
		try {
			this.scheduler.schedule(task);
		}
		catch (RejectedExecutionException ex) {
			task.run();
		}
	}

	/**
	 * Return a time that is good for differences only.
	 * @return nanoseconds
	 */
	long nanoTime() {
		return this.scheduler.now(TimeUnit.NANOSECONDS);
	}

	Duration since(long nanoTime) {
		// The scheduler's clock may be set back
		return Duration.ofNanos(Math.max(0, nanoTime() - nanoTime));
	}

	Scheduler scheduler() {
		return this.scheduler;
	}

	void assertInside() {
		if (this.thread != Thread.currentThread()) {
			throw new IllegalStateException("Not on the serial queue");
		}
	}

	private void drain() {
		do {
			Runnable task = this.tasks.poll();
			this.thread = Thread.currentThread();
			try {
				if (task != null) {
					task.run();
				}
			}
			catch (Throwable ex) {
				logger.error("A task of an MCP connection failed", ex);
			}
			finally {
				this.thread = null;
			}
		}
		while (this.pending.decrementAndGet() != 0);
	}

}
