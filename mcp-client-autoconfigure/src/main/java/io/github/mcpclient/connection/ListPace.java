package io.github.mcpclient.connection;

import java.time.Duration;

/**
 * How far apart the listings must be that a server causes. The distance is the least one
 * after a listing that brought other items than before, and twice as long after each one
 * that did not, or failed. A server whose items differ each time has so many of the
 * former in a row, and then one now and again. Not safe for use by many threads.
 */
final class ListPace {

	/**
	 * The changes in a row that are listed at the least distance.
	 */
	static final int CHANGES = 20;

	/**
	 * The time in which there may be one more of them.
	 */
	static final Duration CHANGE_INTERVAL = Duration.ofMinutes(5);

	private final Duration least;

	private final Duration most;

	private Duration distance;

	private int changes = CHANGES;

	private long refilled;

	/**
	 * Create a pace.
	 * @param least the least distance
	 * @param most the largest distance
	 */
	ListPace(Duration least, Duration most) {
		this.least = least;
		this.most = most;
		this.distance = least;
	}

	/**
	 * Return the time from the end of the last listing to the next one.
	 * @return the time
	 */
	Duration distance() {
		return this.distance;
	}

	/**
	 * A listing that the server caused ended.
	 * @param changed whether it brought other items than before
	 * @param now a time in nanoseconds that is good for differences only
	 */
	void listed(boolean changed, long now) {
		long earned = (now - this.refilled) / CHANGE_INTERVAL.toNanos();
		if (earned != 0) {
			this.changes = (int) Math.min(CHANGES, this.changes + Math.max(0, earned));
			this.refilled = now;
		}
		if (changed && this.changes > 0) {
			this.changes--;
			this.distance = this.least;
		}
		else {
			Duration twice = this.distance.multipliedBy(2);
			this.distance = (twice.compareTo(this.most) < 0) ? twice : this.most;
		}
	}

}
