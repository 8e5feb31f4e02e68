package io.github.mcpclient.internal.support;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

import reactor.core.scheduler.Scheduler;

/**
 * The instant at which the time for something is over. Whoever takes part asks for what
 * remains, and subtracts nothing. Immutable.
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
	 * Return the instant after that time from now, a century at most.
	 * @param clock tells the time. It must be a monotonic one, as that of a
	 * {@link ClientScheduler} is
	 */
	public static Deadline after(Duration time, Scheduler clock) {
		return new Deadline(now(clock) + atMostForever(time).toNanos(), clock);
	}

	/**
	 * Return the duration, or a century where that is shorter, which leaves room for
	 * arithmetic, in nanoseconds as well.
	 */
	public static Duration atMostForever(Duration duration) {
		return (duration.compareTo(FOREVER) < 0) ? duration : FOREVER;
	}

	/**
	 * Return whether nothing remains.
	 */
	public boolean isExpired() {
		return remainingNanos() == 0;
	}

	/**
	 * Return the time that remains, zero once it is over.
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
