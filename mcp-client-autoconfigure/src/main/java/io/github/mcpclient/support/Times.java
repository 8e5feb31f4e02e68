package io.github.mcpclient.support;

import java.time.Duration;

/**
 * Arithmetic of durations that does not overflow.
 */
public final class Times {

	private static final Duration FOREVER = Duration.ofDays(36_500);

	private Times() {
	}

	/**
	 * Return a duration that leaves room for arithmetic, in nanoseconds as well.
	 * @param duration a duration, as long as it likes
	 * @return the duration, or a century where that is shorter
	 */
	public static Duration atMostForever(Duration duration) {
		return (duration.compareTo(FOREVER) < 0) ? duration : FOREVER;
	}

}
