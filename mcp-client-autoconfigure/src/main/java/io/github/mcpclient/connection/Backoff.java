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
 */
final class Backoff {

	/**
	 * Whatever the settings: less would be a busy loop.
	 */
	private static final Duration SHORTEST = Duration.ofMillis(1);

	private final Reconnect settings;

	private final RandomGenerator random;

	private int delays;

	private boolean fresh = true;

	Backoff(Reconnect settings, RandomGenerator random) {
		this.settings = settings;
		this.random = random;
	}

	/**
	 * Return the delay before the next attempt.
	 * @return the delay, never zero
	 */
	Duration next() {
		this.fresh = false;
		double longest = nanos(this.settings.maxDelay());
		double delay = nanos(this.settings.initialDelay()) * Math.pow(this.settings.multiplier(), this.delays);
		if (delay < longest) {
			this.delays++;
		}
		double bounded = Math.min(delay, longest);
		double part = bounded * this.settings.jitter();
		Duration next = Duration.ofNanos((long) (bounded - part + part * this.random.nextDouble()));
		return (next.compareTo(SHORTEST) > 0) ? next : SHORTEST;
	}

	/**
	 * Return the delay before the next attempt, where the server is known to answer: none
	 * if this is the first delay since the last reset.
	 * @return the delay
	 */
	Duration nextAtOnceIfFirst() {
		if (this.fresh) {
			this.fresh = false;
			return Duration.ZERO;
		}
		return next();
	}

	/**
	 * Start over with the shortest delay if a connection lasted long enough.
	 * @param lasted how long it lasted
	 */
	void connectionEnded(Duration lasted) {
		if (lasted.compareTo(this.settings.maxDelay()) >= 0) {
			reset();
		}
	}

	void reset() {
		this.delays = 0;
		this.fresh = true;
	}

	private static double nanos(Duration duration) {
		return duration.getSeconds() * 1e9 + duration.getNano();
	}

}
