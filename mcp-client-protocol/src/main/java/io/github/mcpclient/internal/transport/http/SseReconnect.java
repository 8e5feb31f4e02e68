package io.github.mcpclient.internal.transport.http;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

import org.jspecify.annotations.Nullable;

/**
 * The position in an event stream, and the time to open the stream again: after the delay
 * that the server sets with {@code retry}, else after a second, doubled after each
 * attempt without an event. A delay other than {@code retry} is prolonged by up to a
 * quarter, at random, as streams tend to end together. To be used by one stream at a
 * time.
 */
final class SseReconnect {

	static final long DEFAULT_DELAY = 1000;

	static final long MAX_DELAY = 30_000;

	// the longest pause after a response that does not indicate a temporary problem, and
	// the
	// longest one that a server can request with Retry-After
	static final long MAX_REFUSED_DELAY = Duration.ofMinutes(5).toMillis();

	// the server cannot cause attempts without a pause
	static final long MIN_DELAY = 100;

	private volatile @Nullable String lastEventId;

	private volatile long retryMillis = -1;

	private volatile int fruitless;

	/**
	 * A stream ended.
	 * @param retryMillis the delay that the server wants, or -1
	 */
	void ended(@Nullable String lastEventId, long retryMillis, boolean fruitful) {
		this.lastEventId = lastEventId;
		this.retryMillis = (retryMillis != -1) ? retryMillis : this.retryMillis;
		this.fruitless = fruitful ? 0 : this.fruitless;
	}

	/**
	 * Do not continue where the stream stood.
	 */
	void forget() {
		this.lastEventId = null;
	}

	void succeeded() {
		this.fruitless = 0;
	}

	@Nullable String lastEventId() {
		return this.lastEventId;
	}

	/**
	 * How many attempts in a row brought nothing.
	 */
	int fruitless() {
		return this.fruitless;
	}

	/**
	 * Return the delay before the next attempt in milliseconds. That is taken to bring
	 * nothing until it has ended.
	 */
	long nextDelay() {
		return nextDelay(MAX_DELAY);
	}

	/**
	 * Return the same, or the delay that the server requests if that is longer.
	 */
	long nextDelay(@Nullable Duration retryAfter) {
		long asked = (retryAfter != null) ? Math.min(MAX_REFUSED_DELAY, retryAfter.toMillis()) : 0;
		return Math.max(nextDelay(), prolonged(asked));
	}

	/**
	 * Return the same, limited to the given maximum, except for the delay that the server
	 * requests.
	 */
	long nextDelay(long most) {
		long retry = this.retryMillis;
		long first = (retry != -1) ? Math.max(MIN_DELAY, retry) : DEFAULT_DELAY;
		int doublings = Math.min(16, this.fruitless);
		this.fruitless = doublings + 1;
		long delay = Math.min(Math.max(most, first), first << doublings);
		return (delay == retry) ? delay : prolonged(delay);
	}

	private static long prolonged(long delay) {
		return delay + ThreadLocalRandom.current().nextLong(delay / 4 + 1);
	}

}
