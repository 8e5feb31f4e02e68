package io.github.mcpclient.internal.connection;

import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

import io.github.mcpclient.definition.McpServerDefinition.Reconnect;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Backoff}.
 */
class BackoffTests {

	private static final Duration INITIAL = Duration.ofSeconds(1);

	private static final Duration LONGEST = Duration.ofSeconds(30);

	@Test
	void growsToTheCap() {
		assertThat(seconds(backoff(2, 0, new Random(42)), 7)).containsExactly(1L, 2L, 4L, 8L, 16L, 30L, 30L);
	}

	@Test
	void multiplierOfOneIsConstant() {
		assertThat(seconds(backoff(1, 0, new Random(42)), 3)).containsExactly(1L, 1L, 1L);
	}

	@Test
	void isLateAtTheCapAndAfterManyDelays() {
		assertThat(late(backoff(2, 0, new Random(42)))).containsExactly(false, false, false, false, false, true, true);
		assertThat(late(backoff(1, 0, new Random(42)))).containsExactly(false, false, false, false, false, true, true);
		assertThat(late(backoff(100, 0, new Random(42)))).startsWith(false, true);
		Backoff backoff = backoff(1, 0, new Random(42));
		late(backoff);
		backoff.connectionEnded(LONGEST);
		backoff.next();
		assertThat(backoff.isLate()).isFalse();
	}

	@Test
	void staysAtTheCapForEver() {
		Backoff backoff = backoff(1e9, 0, new Random(42));
		backoff.next();
		for (int i = 0; i < 10_000; i++) {
			assertThat(backoff.next()).isEqualTo(LONGEST);
		}
	}

	@Test
	void jitterIsARandomPartOfTheDelay() {
		Backoff backoff = backoff(1, 0.25, new Random(1));
		Duration smallest = LONGEST;
		Duration largest = Duration.ZERO;
		for (int i = 0; i < 1000; i++) {
			Duration delay = backoff.next();
			assertThat(delay).isBetween(Duration.ofMillis(750), INITIAL);
			smallest = (delay.compareTo(smallest) < 0) ? delay : smallest;
			largest = (delay.compareTo(largest) > 0) ? delay : largest;
		}
		assertThat(largest.minus(smallest)).isGreaterThan(Duration.ofMillis(240));
	}

	@Test
	void isNeverABusyLoop() {
		RandomGenerator zero = () -> 0;
		assertThat(backoff(2, 1, zero).next()).isEqualTo(Duration.ofMillis(1));
		Backoff careless = new Backoff(new Reconnect(true, Duration.ZERO, 2.0, LONGEST, 0.0), zero);
		assertThat(careless.next()).isEqualTo(Duration.ofMillis(1));
	}

	@Test
	void initialDelayBeyondTheCapIsCapped() {
		Backoff backoff = new Backoff(new Reconnect(true, Duration.ofMinutes(5), 2.0, LONGEST, 0.0), new Random(42));
		assertThat(backoff.next()).isEqualTo(LONGEST);
	}

	@Test
	void startsOverAfterAConnectionThatLastedForTheLongestDelay() {
		Backoff backoff = backoff(2, 0, new Random(42));
		seconds(backoff, 3);
		backoff.connectionEnded(LONGEST.minusNanos(1));
		assertThat(seconds(backoff, 1)).containsExactly(8L);
		backoff.connectionEnded(LONGEST);
		assertThat(seconds(backoff, 2)).containsExactly(1L, 2L);
	}

	@Test
	void lostSessionIsReplacedAtOnceWhateverFailedBefore() {
		Backoff backoff = backoff(2, 0, new Random(42));
		seconds(backoff, 3);
		assertThat(backoff.nextAfterLostSession(false)).isZero();
		// It says nothing of what comes next
		assertThat(seconds(backoff, 1)).containsExactly(8L);
	}

	@Test
	void sessionsThatAreLostUnusedAreReplacedLessAndLessOften() {
		Backoff backoff = backoff(2, 0, new Random(42));
		assertThat(Stream.generate(() -> backoff.nextAfterLostSession(false)).limit(8).map(Duration::toSeconds))
			.containsExactly(0L, 1L, 2L, 4L, 8L, 16L, 30L, 30L);
	}

	@Test
	void sessionInWhichACallWasAnsweredIsReplacedAtOnceEachTime() {
		Backoff backoff = backoff(2, 0, new Random(42));
		for (int i = 0; i < 100; i++) {
			assertThat(backoff.nextAfterLostSession(true)).isZero();
		}
		assertThat(backoff.nextAfterLostSession(false)).isEqualTo(INITIAL);
	}

	@Test
	void sessionThatLastedForTheLongestDelayIsReplacedAtOnceEachTime() {
		Backoff backoff = backoff(2, 0, new Random(42));
		for (int i = 0; i < 100; i++) {
			backoff.connectionEnded(LONGEST);
			assertThat(backoff.nextAfterLostSession(false)).isZero();
		}
		backoff.connectionEnded(LONGEST.minusNanos(1));
		assertThat(backoff.nextAfterLostSession(false)).isEqualTo(INITIAL);
	}

	@Test
	void serverMayAskForTenTimesTheLongestDelay() {
		Backoff backoff = backoff(2, 0, new Random(42));
		assertThat(backoff.next(Duration.ofSeconds(299))).isEqualTo(Duration.ofSeconds(299));
		assertThat(backoff.next(Duration.ofDays(1))).isEqualTo(Duration.ofSeconds(300));
		assertThat(backoff.next(Duration.ZERO)).isEqualTo(Duration.ofSeconds(4));
	}

	@Test
	@DisplayName("What a server asks all of its clients for is spread over as long again, but not longer than the longest delay")
	void waitThatAServerAsksOfAllItsClientsIsSpread() {
		RandomGenerator most = () -> -1;
		RandomGenerator least = () -> 0;
		for (long seconds : new long[] { 10, 100 }) {
			Duration asked = Duration.ofSeconds(seconds);
			assertThat(backoff(2, 1, least).next(asked)).isEqualTo(asked);
			assertThat(backoff(2, 1, most).next(asked)).isCloseTo(asked.plusSeconds(Math.min(seconds, 30)),
					Duration.ofMillis(1));
			assertThat(backoff(2, 0.5, most).next(asked)).isCloseTo(asked.plusSeconds(Math.min(seconds, 30) / 2),
					Duration.ofMillis(1));
		}
	}

	private static Backoff backoff(double multiplier, double jitter, RandomGenerator random) {
		return new Backoff(new Reconnect(true, INITIAL, multiplier, LONGEST, jitter), random);
	}

	private static List<Boolean> late(Backoff backoff) {
		return Stream.generate(() -> {
			backoff.next();
			return backoff.isLate();
		}).limit(7).toList();
	}

	private static Stream<Long> seconds(Backoff backoff, int count) {
		return Stream.generate(backoff::next).limit(count).map(Duration::toSeconds).toList().stream();
	}

}
