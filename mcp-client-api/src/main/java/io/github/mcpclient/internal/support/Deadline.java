package io.github.mcpclient.internal.support;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

import reactor.core.scheduler.Scheduler;

/**
 * The instant at which the time for an operation is over. All participants read the
 * remaining time from it, without subtracting anything. Immutable.
 */
public final class Deadline {

	static final Duration FOREVER = Duration.ofDays(36_500);

	private final long end;

	private final Scheduler clock;

	private Deadline(long end, Scheduler clock) {
		this.end = end;
		this.clock = clock;
	}

	/**
	 * Return the deadline after the given time, a century at most.
	 * @param clock the clock, which must be monotonic, such as a {@link ClientScheduler}
	 */
	public static Deadline after(Duration time, Scheduler clock) {
		return new Deadline(now(clock) + atMostForever(time).toNanos(), clock);
	}

	/**
	 * Return the duration, limited to a century, which leaves room for arithmetic, in
	 * nanoseconds as well.
	 */
	public static Duration atMostForever(Duration duration) {
		return (duration.compareTo(FOREVER) < 0) ? duration : FOREVER;
	}

	/**
	 * Return whether no time remains.
	 */
	public boolean isExpired() {
		return remainingNanos() == 0;
	}

	/**
	 * Return the remaining time, zero after the deadline.
	 */
	public Duration remaining() {
		return Duration.ofNanos(remainingNanos());
	}

	private long remainingNanos() {
		return Math.max(0, this.end - now(this.clock));
	}

	private static long now(Scheduler clock) {
		return clock.now(TimeUnit.NANOSECONDS);
	}

	@Override
	public String toString() {
		return "in " + remaining();
	}

}
