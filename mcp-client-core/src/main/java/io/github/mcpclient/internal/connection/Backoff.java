package io.github.mcpclient.internal.connection;

import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.random.RandomGenerator;

import io.github.mcpclient.definition.McpServerDefinition.Reconnect;
import org.jspecify.annotations.Nullable;

/**
 * The delays of {@link Reconnect}. They start over only after a connection that lasted
 * for the maximum delay, so that a server that drops each connection immediately is
 * retried less and less often. A lost session is replaced immediately, unless the session
 * itself was such a replacement, was not used, and did not last that long. Not
 * thread-safe.
 */
final class Backoff {

	// a shorter delay would be a busy loop
	private static final Duration SHORTEST = Duration.ofMillis(1);

	private static final int LONGEST_ASKED = 10;

	// after this number, a delay counts as late even if it grows little, or not at all
	private static final int MANY_DELAYS = 5;

	private final Reconnect settings;

	private final RandomGenerator random;

	private int delays;

	private boolean late;

	// whether a session was replaced immediately, and none has lasted since
	private boolean spared;

	Backoff(Reconnect settings, RandomGenerator random) {
		this.settings = settings;
		this.random = random;
	}

	/**
	 * Return the delay before the next attempt, never zero.
	 */
	Duration next() {
		double delay = nanos(this.settings.initialDelay()) * Math.pow(this.settings.multiplier(), this.delays);
		double bounded = Math.min(delay, nanos(this.settings.maxDelay()));
		boolean longest = bounded >= nanos(this.settings.maxDelay());
		this.late = longest || this.delays >= MANY_DELAYS;
		if (!longest) {
			this.delays++;
		}
		double part = bounded * this.settings.jitter();
		Duration next = Duration.ofNanos((long) (bounded - part + part * this.random.nextDouble()));
		return Collections.max(List.of(next, SHORTEST));
	}

	/**
	 * Return the delay before the next attempt after the server has lost the session.
	 * @param used whether the server responded to a call in the session
	 */
	Duration nextAfterLostSession(boolean used) {
		if (this.spared && !used) {
			return next();
		}
		this.spared = true;
		return Duration.ZERO;
	}

	/**
	 * Return the delay before the next attempt if the server requests one: at most
	 * {@value #LONGEST_ASKED} times the maximum delay, plus at most the maximum delay.
	 */
	Duration next(@Nullable Duration asked) {
		Duration next = next();
		if (asked == null) {
			return next;
		}
		Duration longest = this.settings.maxDelay();
		Duration bounded = Collections.min(List.of(asked, longest.multipliedBy(LONGEST_ASKED)));
		return Collections.max(List.of(next, later(bounded, longest, this.settings.jitter(), this.random)));
	}

	/**
	 * Return whether the last delay was the maximum, or follows many others.
	 */
	boolean isLate() {
		return this.late;
	}

	/**
	 * Return a delay that a server requests of all of its clients, plus a random part.
	 * @param most the maximum of the random part
	 */
	static Duration later(Duration asked, Duration most, double jitter, RandomGenerator random) {
		double part = jitter * Math.min(nanos(asked), nanos(most));
		return asked.plusNanos((long) (part * random.nextDouble()));
	}

	void connectionEnded(Duration lasted) {
		if (lasted.compareTo(this.settings.maxDelay()) >= 0) {
			reset();
		}
	}

	void reset() {
		this.delays = 0;
		this.spared = false;
	}

	private static double nanos(Duration duration) {
		return duration.getSeconds() * 1e9 + duration.getNano();
	}

}
