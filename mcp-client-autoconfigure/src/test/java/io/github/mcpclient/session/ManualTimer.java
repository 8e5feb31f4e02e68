package io.github.mcpclient.session;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

import io.netty.util.Timeout;
import io.netty.util.Timer;
import io.netty.util.TimerTask;

/**
 * A timer driven by hand. Safe for use by many threads.
 */
public class ManualTimer implements Timer {

	private final Set<Waiting> waiting = new LinkedHashSet<>();

	private long now;

	@Override
	public synchronized Timeout newTimeout(TimerTask task, long delay, TimeUnit unit) {
		long nanos = unit.toNanos(delay);
		long due = (Long.MAX_VALUE - this.now < nanos) ? Long.MAX_VALUE : this.now + nanos;
		Waiting timeout = new Waiting(task, due);
		this.waiting.add(timeout);
		return timeout;
	}

	/**
	 * Let time pass, and run what is due by its end.
	 * @param time how much
	 */
	public void advance(Duration time) {
		for (Waiting timeout : due(time)) {
			timeout.run();
		}
	}

	/**
	 * Return how many timeouts neither ran nor were cancelled.
	 * @return the number
	 */
	public synchronized int pending() {
		return this.waiting.size();
	}

	private synchronized List<Waiting> due(Duration time) {
		this.now += time.toNanos();
		List<Waiting> due = new ArrayList<>(
				this.waiting.stream().filter((timeout) -> timeout.due <= this.now).toList());
		due.sort(Comparator.comparingLong((timeout) -> timeout.due));
		return due;
	}

	private synchronized boolean remove(Waiting timeout) {
		return this.waiting.remove(timeout);
	}

	@Override
	public Set<Timeout> stop() {
		throw new UnsupportedOperationException("A session does not own its timer");
	}

	private final class Waiting implements Timeout {

		private final TimerTask task;

		private final long due;

		private volatile boolean expired;

		private volatile boolean cancelled;

		private Waiting(TimerTask task, long due) {
			this.task = task;
			this.due = due;
		}

		private void run() {
			if (remove(this)) {
				this.expired = true;
				try {
					this.task.run(this);
				}
				catch (Exception ex) {
					throw new IllegalStateException(ex);
				}
			}
		}

		@Override
		public Timer timer() {
			return ManualTimer.this;
		}

		@Override
		public TimerTask task() {
			return this.task;
		}

		@Override
		public boolean isExpired() {
			return this.expired;
		}

		@Override
		public boolean isCancelled() {
			return this.cancelled;
		}

		@Override
		public boolean cancel() {
			this.cancelled = remove(this);
			return this.cancelled;
		}

	}

}
