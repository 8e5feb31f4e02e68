package io.github.mcpclient.connection;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * When to list for a cause that the server may repeat as often as it likes: at least some
 * distance from the last listing. The distance is the least one after a listing that
 * brought other items than before, and doubles after each one that did not, or failed. A
 * server whose items differ each time has so many of the former in a row, and then one
 * now and again. Not safe for use by many threads.
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

	private boolean requested;

	private boolean running;

	private long requestedAt;

	private Duration delay = Duration.ZERO;

	ListPace(Duration least, Duration most) {
		this.least = least;
		this.most = most;
		this.distance = least;
	}

	/**
	 * Ask for a listing, not before the delay is over. Does nothing if that was done
	 * since the last listing began.
	 */
	void request(Duration delay, long now) {
		if (!this.requested) {
			this.requested = true;
			this.requestedAt = now;
			this.delay = delay;
		}
	}

	/**
	 * Return the time until the listing that was asked for.
	 * @param lastEnd when the last listing ended, or {@code null} if there was none
	 * @return the time, maybe negative, or {@code null} if none was asked for
	 */
	@Nullable Duration rest(long now, @Nullable Long lastEnd) {
		if (!this.requested) {
			return null;
		}
		Duration delayed = this.delay.minusNanos(now - this.requestedAt);
		Duration distant = (lastEnd != null) ? this.distance.minusNanos(now - lastEnd) : delayed;
		return (delayed.compareTo(distant) > 0) ? delayed : distant;
	}

	void listingBegins() {
		this.running = this.requested;
		this.requested = false;
	}

	/**
	 * Return whether the listing that is running was asked for here.
	 */
	boolean isRunning() {
		return this.running;
	}

	Duration distance() {
		return this.distance;
	}

	/**
	 * A listing that was asked for here ended.
	 * @param changed whether it brought other items than before
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
