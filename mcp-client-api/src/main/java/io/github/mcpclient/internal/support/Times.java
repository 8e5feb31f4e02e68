package io.github.mcpclient.internal.support;

import java.time.Duration;

/**
 * Arithmetic of durations that does not overflow.
 */
public final class Times {

	static final Duration FOREVER = Duration.ofDays(36_500);

	private Times() {
	}

	/**
	 * Returns the duration, or a century where that is shorter, which leaves room for
	 * arithmetic, in nanoseconds as well.
	 */
	public static Duration atMostForever(Duration duration) {
		return (duration.compareTo(FOREVER) < 0) ? duration : FOREVER;
	}

}
