package io.github.mcpclient.connection;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

import reactor.core.Disposable;
import reactor.core.scheduler.Scheduler;
import reactor.test.scheduler.VirtualTimeScheduler;

/**
 * Virtual time that knows which timers are pending, with a clock that agrees.
 */
final class ManualScheduler implements Scheduler {

	static final Instant START = Instant.parse("2026-11-21T10:00:00Z");

	private final VirtualTimeScheduler time = VirtualTimeScheduler.create();

	private final Set<Timer> timers = ConcurrentHashMap.newKeySet();

	void advance(Duration duration) {
		this.time.advanceTimeBy(duration);
	}

	int pendingTimers() {
		return this.timers.size();
	}

	Clock clock() {
		return new Clock() {

			@Override
			public ZoneId getZone() {
				return ZoneOffset.UTC;
			}

			@Override
			public Clock withZone(ZoneId zone) {
				throw new UnsupportedOperationException();
			}

			@Override
			public Instant instant() {
				return START.plusNanos(now(TimeUnit.NANOSECONDS));
			}

		};
	}

	@Override
	public long now(TimeUnit unit) {
		return this.time.now(unit);
	}

	@Override
	public Disposable schedule(Runnable task) {
		return this.time.schedule(task);
	}

	@Override
	public Disposable schedule(Runnable task, long delay, TimeUnit unit) {
		Timer timer = new Timer(task);
		this.timers.add(timer);
		timer.scheduled = this.time.schedule(timer, delay, unit);
		return timer;
	}

	@Override
	public Worker createWorker() {
		return this.time.createWorker();
	}

	@Override
	public void dispose() {
		this.time.dispose();
	}

	private final class Timer implements Disposable, Runnable {

		private final Runnable task;

		private volatile Disposable scheduled;

		private Timer(Runnable task) {
			this.task = task;
		}

		@Override
		public void run() {
			if (ManualScheduler.this.timers.remove(this)) {
				this.task.run();
			}
		}

		@Override
		public void dispose() {
			ManualScheduler.this.timers.remove(this);
			if (this.scheduled != null) {
				this.scheduled.dispose();
			}
		}

		@Override
		public boolean isDisposed() {
			return !ManualScheduler.this.timers.contains(this);
		}

	}

}
