package io.github.mcpclient.internal.support;

import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.scheduler.Scheduler;

import org.springframework.util.Assert;

/**
 * Runs tasks one after the other on the threads of a scheduler. Unlike a
 * {@link reactor.core.scheduler.Scheduler.Worker}, it occupies no thread, needs no
 * disposal and loses no task: if the scheduler rejects a task, it runs on the calling
 * thread.
 *
 * <p>
 * Similar to {@code SynchronizationContext} of gRPC: the state of one connection is only
 * read and written by tasks of its queue, and needs neither locks nor volatile fields.
 *
 * <pre class="code">
 * queue.execute(() -&gt; this.attempts++);
 * queue.executeAfter(delay, this::connect);
 * queue.aside(listener::stateChanged); // code of others, which may block
 * </pre>
 *
 * <p>
 * Tasks must not block, as all connections share the threads. After a number of tasks, a
 * queue releases its thread for others.
 */
public final class SerialQueue {

	private static final Logger logger = LoggerFactory.getLogger(SerialQueue.class);

	private static final int TURN = 64;

	private final Scheduler threads;

	private final ClientScheduler time;

	private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();

	private final AtomicReference<State> state = new AtomicReference<>(State.IDLE);

	private volatile @Nullable Thread thread;

	/**
	 * Create a queue.
	 */
	public SerialQueue(Scheduler threads, ClientScheduler time) {
		this.threads = threads;
		this.time = time;
	}

	/**
	 * Run a task after the tasks that are already queued.
	 */
	public void execute(Runnable task) {
		this.tasks.add(task);
		start();
	}

	/**
	 * Queue a task after a delay. A task that is cancelled when it is due may still run.
	 */
	public Disposable executeAfter(Duration delay, Runnable task) {
		return after(delay, () -> execute(task));
	}

	/**
	 * Run a task after a delay, outside of the queue.
	 */
	public Disposable after(Duration delay, Runnable task) {
		try {
			return this.time.schedule(task, TimeUnit.NANOSECONDS.convert(delay), TimeUnit.NANOSECONDS);
		}
		catch (RejectedExecutionException ex) {
			return Disposables.disposed();
		}
	}

	/**
	 * Run a task soon, outside of the queue, where application code may run.
	 */
	public void aside(Runnable task) {
		try {
			this.threads.schedule(task);
		}
		catch (RejectedExecutionException ex) {
			task.run();
		}
	}

	/**
	 * Return a time in nanoseconds, for differences only.
	 */
	public long nanoTime() {
		return this.time.now(TimeUnit.NANOSECONDS);
	}

	/**
	 * Return the time since an earlier {@link #nanoTime()}.
	 */
	public Duration since(long nanoTime) {
		return Duration.ofNanos(Math.max(0, nanoTime() - nanoTime));
	}

	/**
	 * Return the clock.
	 */
	public ClientScheduler clock() {
		return this.time;
	}

	/**
	 * Return the scheduler of the tasks.
	 */
	public Scheduler scheduler() {
		return this.threads;
	}

	/**
	 * Fail unless called by a task of the queue.
	 */
	public void assertInside() {
		Assert.state(this.thread == Thread.currentThread(), "Not on the serial queue");
	}

	private void start() {
		while (!this.tasks.isEmpty() && this.state.compareAndSet(State.IDLE, State.SCHEDULED)) {
			try {
				this.threads.schedule(this::turn);
				return;
			}
			catch (RejectedExecutionException | Error ex) {
				// the scheduler may still hold the task for which it could not create a
				// thread
				drain();
			}
		}
	}

	private void turn() {
		drain();
		start();
	}

	private void drain() {
		if (!this.state.compareAndSet(State.SCHEDULED, State.RUNNING)) {
			return;
		}
		this.thread = Thread.currentThread();
		for (int left = TURN; left > 0 && !this.tasks.isEmpty(); left--) {
			try {
				this.tasks.remove().run();
			}
			catch (Throwable ex) {
				logger.error("A task of an MCP connection failed", ex);
			}
		}
		this.thread = null;
		this.state.set(State.IDLE);
	}

	private enum State {

		IDLE, SCHEDULED, RUNNING

	}

}
