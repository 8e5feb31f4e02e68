package io.github.mcpclient.connection;

import java.time.Duration;
import java.util.random.RandomGenerator;

import io.github.mcpclient.McpServerDefinition.Reconnect;

/**
 * When to try again: the delays of {@link Reconnect}. Not safe for use by many threads.
 *
 * <p>
 * A connection starts over with the shortest delay only when it lasted for the longest
 * one. A server that accepts every connection and drops it at once is therefore tried
 * less and less often, like one that refuses.
 *
 * <p>
 * A lost session is replaced at once, unless it replaced another one at once and was
 * neither used nor lasted that long.
 */
final class Backoff {

	/**
	 * Whatever the settings: less would be a busy loop.
	 */
	private static final Duration SHORTEST = Duration.ofMillis(1);

	private static final int LONGEST_ASKED = 10;

	private final Reconnect settings;

	private final RandomGenerator random;

	private int delays;

	/**
	 * Whether a session was replaced at once, and none has lasted since.
	 */
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
		if (bounded < nanos(this.settings.maxDelay())) {
			this.delays++;
		}
		double part = bounded * this.settings.jitter();
		Duration next = Duration.ofNanos((long) (bounded - part + part * this.random.nextDouble()));
		return (next.compareTo(SHORTEST) > 0) ? next : SHORTEST;
	}

	/**
	 * Return the delay before the next attempt, where the server is known to answer but
	 * not to know the session any more.
	 * @param used whether a call was answered in the session
	 */
	Duration nextAfterLostSession(boolean used) {
		if (this.spared && !used) {
			return next();
		}
		this.spared = true;
		return Duration.ZERO;
	}

	/**
	 * Return the delay that a server asks for, within reason: it may ask for up to
	 * {@value #LONGEST_ASKED} times the longest delay.
	 */
	Duration bounded(Duration asked) {
		Duration longest = this.settings.maxDelay().multipliedBy(LONGEST_ASKED);
		return (asked.compareTo(longest) < 0) ? asked : longest;
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
