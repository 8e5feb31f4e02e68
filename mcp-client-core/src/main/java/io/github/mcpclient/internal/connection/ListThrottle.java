package io.github.mcpclient.internal.connection;

import java.time.Duration;
import java.util.Collections;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * Limits how often a server is listed for a cause that it may repeat endlessly, such as
 * announced changes. The delay after a listing is the minimum one if the items have
 * changed, and doubles otherwise. A server whose items change each time gets the minimum
 * delay a limited number of times in a row, and then only occasionally. Not thread-safe.
 */
final class ListThrottle {

	static final int CHANGES = 20;

	// the time after which another change is allowed
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

	ListThrottle(Duration least, Duration most) {
		this.least = least;
		this.most = most;
		this.distance = least;
	}

	/**
	 * Request a listing after a delay, unless one was requested since the last listing
	 * began.
	 */
	void request(Duration delay, long now) {
		if (!this.requested) {
			this.requested = true;
			this.requestedAt = now;
			this.delay = delay;
		}
	}

	/**
	 * Return the time until the requested listing, which may be negative, or {@code null}
	 * if no listing is requested.
	 * @param lastEnd when the last listing ended
	 */
	@Nullable Duration rest(long now, @Nullable Long lastEnd) {
		if (!this.requested) {
			return null;
		}
		Duration delayed = this.delay.minusNanos(now - this.requestedAt);
		Duration distant = (lastEnd != null) ? this.distance.minusNanos(now - lastEnd) : delayed;
		return Collections.max(List.of(delayed, distant));
	}

	void listingBegins() {
		this.running = this.requested;
		this.requested = false;
	}

	/**
	 * Return whether the current listing was requested here.
	 */
	boolean isRunning() {
		return this.running;
	}

	Duration distance() {
		return this.distance;
	}

	/**
	 * Receive the end of a listing, which is only relevant if it was requested here.
	 * @param changed whether the items differ from the previous ones
	 */
	void listingEnds(boolean changed, long now) {
		if (!this.running) {
			return;
		}
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
			this.distance = Collections.min(List.of(this.distance.multipliedBy(2), this.most));
		}
	}

}
