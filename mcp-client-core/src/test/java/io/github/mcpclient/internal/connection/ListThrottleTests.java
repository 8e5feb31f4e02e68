package io.github.mcpclient.internal.connection;

import java.time.Duration;
import java.util.function.IntPredicate;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ListThrottle}.
 */
class ListThrottleTests {

	private static final Duration LEAST = Duration.ofSeconds(1);

	private static final Duration MOST = Duration.ofSeconds(60);

	private final ListThrottle throttle = new ListThrottle(LEAST, MOST);

	private Duration now = Duration.ofDays(1000);

	@Test
	void beginsWithTheLeastDistance() {
		assertThat(this.throttle.distance()).isEqualTo(LEAST);
	}

	@Test
	void distanceDoublesUpToTheLargestWhileNothingIsNew() {
		for (int seconds : new int[] { 2, 4, 8, 16, 32, 60, 60 }) {
			list(false);
			assertThat(this.throttle.distance()).isEqualTo(Duration.ofSeconds(seconds));
		}
	}

	@Test
	void changeBringsTheLeastDistanceBack() {
		for (int i = 0; i < 10; i++) {
			list(false);
		}
		list(true);
		assertThat(this.throttle.distance()).isEqualTo(LEAST);
		list(false);
		assertThat(this.throttle.distance()).isEqualTo(LEAST.multipliedBy(2));
	}

	@Test
	void manyChangesInARowAreAtTheLeastDistance() {
		for (int i = 0; i < ListThrottle.CHANGES; i++) {
			list(true);
			assertThat(this.throttle.distance()).isEqualTo(LEAST);
		}
		list(true);
		assertThat(this.throttle.distance()).isGreaterThan(LEAST);
	}

	@Test
	void changesWithoutEndAreListedNowAndAgain() {
		assertThat(listings(Duration.ofHours(24), (listing) -> true)).isBetween(24 * 60, 24 * 60 * 3);
	}

	@Test
	void changesNowAndAgainAreAlwaysAtTheLeastDistance() {
		for (int i = 0; i < 1000; i++) {
			this.now = this.now.plus(ListThrottle.CHANGE_INTERVAL);
			list(true);
			assertThat(this.throttle.distance()).isEqualTo(LEAST);
		}
	}

	@Test
	void quietTimeEarnsChangesButNotWithoutLimit() {
		for (int i = 0; i < 100; i++) {
			list(true);
		}
		this.now = this.now.plus(Duration.ofDays(100));
		for (int i = 0; i < ListThrottle.CHANGES; i++) {
			list(true);
			assertThat(this.throttle.distance()).isEqualTo(LEAST);
		}
		list(true);
		assertThat(this.throttle.distance()).isGreaterThan(LEAST);
	}

	@Test
	void clockThatIsSetBackDoesNoHarm() {
		for (int i = 0; i < 100; i++) {
			list(true);
		}
		this.now = Duration.ofDays(1);
		list(true);
		assertThat(this.throttle.distance()).isEqualTo(MOST);
		this.now = this.now.plus(ListThrottle.CHANGE_INTERVAL);
		list(true);
		assertThat(this.throttle.distance()).isEqualTo(LEAST);
	}

	/**
	 * How often a server is listed that announces a change with each listing.
	 */
	private int listings(Duration duration, IntPredicate changed) {
		Duration end = this.now.plus(duration);
		int listings = 0;
		while (this.now.compareTo(end) < 0) {
			list(changed.test(listings++));
			this.now = this.now.plus(this.throttle.distance());
		}
		return listings;
	}

	private void list(boolean changed) {
		this.throttle.request(Duration.ZERO, this.now.toNanos());
		this.throttle.listingBegins();
		this.throttle.listingEnds(changed, this.now.toNanos());
	}

}
