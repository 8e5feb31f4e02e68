package io.github.mcpclient.support;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;

import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import reactor.core.Disposable;
import reactor.core.Disposables;

/**
 * Time that stands still until a test advances it. What is due runs on the thread that
 * advances it, what has no delay on the thread that schedules it, after what that thread
 * runs already. Safe for use by many threads.
 */
public final class VirtualScheduler implements ClientScheduler {

	public static final Instant START = Instant.parse("2026-11-21T10:00:00Z");

	private final Set<Timer> timers = new LinkedHashSet<>();

	private final ThreadLocal<Queue<Runnable>> running = new ThreadLocal<>();

	private final Set<Duration> background;

	private volatile long now;

	private volatile long end;

	private volatile @Nullable Thread advancing;

	/**
	 * Creates a scheduler.
	 * @param background the delays of timers that are no pending ones, as they go on for
	 * ever
	 */
	public VirtualScheduler(Duration... background) {
		this.background = Set.of(background);
	}

	/**
	 * Lets time pass, and runs what is due by its end. What other threads schedule
	 * meanwhile is scheduled after it.
	 */
	public void advance(Duration time) {
		this.end = saturated(this.now, time.toNanos());
		this.advancing = Thread.currentThread();
		for (Timer timer = due(this.end); timer != null; timer = due(this.end)) {
			schedule(timer.task);
		}
		this.advancing = null;
	}

	private synchronized @Nullable Timer due(long end) {
		Timer first = this.timers.stream()
			.filter((timer) -> timer.due <= end)
			.min(Comparator.comparingLong((timer) -> timer.due))
			.orElse(null);
		this.timers.remove(first);
		this.now = (first != null) ? Math.max(first.due, this.now) : end;
		return first;
	}

	/**
	 * Returns how many timers neither ran nor were cancelled.
	 */
	public synchronized int pending() {
		return (int) this.timers.stream().filter((timer) -> !this.background.contains(timer.delay)).count();
	}

	/**
	 * Waits until just as many timers are pending.
	 */
	public void awaitPending(int count) {
		Awaitility.await().pollDelay(Duration.ZERO).pollInterval(Duration.ofMillis(5)).until(() -> pending() == count);
	}

	/**
	 * Waits until there is a timer for a lambda of a class, whatever others there are.
	 */
	public void awaitTimer(Class<?> owner) {
		Awaitility.await().pollDelay(Duration.ZERO).pollInterval(Duration.ofMillis(5)).until(() -> {
			synchronized (this) {
				return this.timers.stream().anyMatch((timer) -> timer.task.getClass().getNestHost() == owner);
			}
		});
	}

	@Override
	public Instant instant() {
		return START.plusNanos(this.now);
	}

	@Override
	public long now(TimeUnit unit) {
		return unit.convert(this.now, TimeUnit.NANOSECONDS);
	}

	@Override
	public Disposable schedule(Runnable task) {
		Queue<Runnable> queue = this.running.get();
		if (queue != null) {
			queue.add(task);
			return Disposables.single();
		}
		queue = new ArrayDeque<>();
		this.running.set(queue);
		try {
			for (Runnable next = task; next != null; next = queue.poll()) {
				next.run();
			}
		}
		finally {
			this.running.remove();
		}
		return Disposables.disposed();
	}

	@Override
	public void execute(String server, Runnable task) {
		schedule(task);
	}

	@Override
	public synchronized Disposable schedule(Runnable task, long delay, TimeUnit unit) {
		if (delay <= 0) {
			return schedule(task);
		}
		Thread advancing = this.advancing;
		long from = (advancing != null && advancing != Thread.currentThread()) ? this.end : this.now;
		long nanos = unit.toNanos(delay);
		Timer timer = new Timer(task, Duration.ofNanos(nanos), saturated(from, nanos));
		this.timers.add(timer);
		return timer;
	}

	private static long saturated(long time, long delay) {
		return (Long.MAX_VALUE - time < delay) ? Long.MAX_VALUE : time + delay;
	}

	private synchronized void remove(Timer timer) {
		this.timers.remove(timer);
	}

	@Override
	public Worker createWorker() {
		return new VirtualWorker();
	}

	private final class Timer implements Disposable {

		private final Runnable task;

		private final Duration delay;

		private final long due;

		private Timer(Runnable task, Duration delay, long due) {
			this.task = task;
			this.delay = delay;
			this.due = due;
		}

		@Override
		public void dispose() {
			remove(this);
		}

	}

	private final class VirtualWorker implements Worker {

		private final Disposable.Composite tasks = Disposables.composite();

		@Override
		public Disposable schedule(Runnable task) {
			return schedule(task, 0, TimeUnit.NANOSECONDS);
		}

		@Override
		public Disposable schedule(Runnable task, long delay, TimeUnit unit) {
			if (this.tasks.isDisposed()) {
				throw new RejectedExecutionException();
			}
			Disposable scheduled = VirtualScheduler.this.schedule(() -> {
				if (!this.tasks.isDisposed()) {
					task.run();
				}
			}, delay, unit);
			this.tasks.add(scheduled);
			return scheduled;
		}

		@Override
		public void dispose() {
			this.tasks.dispose();
		}

		@Override
		public boolean isDisposed() {
			return this.tasks.isDisposed();
		}

	}

}
