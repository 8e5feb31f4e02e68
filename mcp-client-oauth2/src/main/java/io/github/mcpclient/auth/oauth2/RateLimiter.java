package io.github.mcpclient.auth.oauth2;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

import io.github.mcpclient.internal.support.ClientScheduler;

/**
 * Limits how often an action is performed that others notice and that may have no effect:
 * a few times immediately, and then once per interval.
 */
final class RateLimiter {

	private final ClientScheduler time;

	private final long interval;

	private final long burst;

	// the time until which it is used up, with one interval per use
	private final AtomicLong usedUntil;

	RateLimiter(ClientScheduler time, int burst, Duration interval) {
		this.time = time;
		this.interval = interval.toNanos();
		this.burst = burst * this.interval;
		this.usedUntil = new AtomicLong(time.now(TimeUnit.NANOSECONDS));
	}

	/**
	 * Use one permit if available, and return whether there was one.
	 */
	boolean take() {
		long now = this.time.now(TimeUnit.NANOSECONDS);
		long used = this.usedUntil.get();
		long next = ((used - now > 0) ? used : now) + this.interval;
		return next - now <= this.burst && (this.usedUntil.compareAndSet(used, next) || take());
	}

	/**
	 * Return one permit, which was not needed.
	 */
	void giveBack() {
		this.usedUntil.addAndGet(-this.interval);
	}

}
