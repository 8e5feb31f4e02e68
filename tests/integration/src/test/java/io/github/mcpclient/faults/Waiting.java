package io.github.mcpclient.faults;

import java.time.Duration;

import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;

/**
 * Waits that look often at first, as a hundred cycles of a fault have many of them.
 */
final class Waiting {

	/**
	 * What a busy machine may need for something that takes no time.
	 */
	static final Duration LIMIT = Duration.ofSeconds(30);

	private Waiting() {
	}

	private static Duration interval(int polls, Duration last) {
		return Duration.ofMillis(Math.min(1 + polls, 20));
	}

	static ConditionFactory await() {
		return await(LIMIT);
	}

	static ConditionFactory await(Duration limit) {
		return Awaitility.await().atMost(limit).pollDelay(Duration.ZERO).pollInterval(Waiting::interval);
	}

}
