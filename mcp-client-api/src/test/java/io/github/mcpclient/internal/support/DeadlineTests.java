package io.github.mcpclient.internal.support;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

import io.github.mcpclient.testsupport.VirtualTime;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

class DeadlineTests {

	private static final Duration MINUTE = Duration.ofMinutes(1);

	private final VirtualTime clock = new VirtualTime();

	private final Deadline deadline = Deadline.after(MINUTE, this.clock);

	@Test
	void remainsUntilItsTimeIsOver() {
		this.clock.advance(Duration.ofSeconds(59));
		assertThat(this.deadline.remaining()).isEqualTo(Duration.ofSeconds(1));
		assertThat(this.deadline.isExpired()).isFalse();
		assertThat(this.deadline).hasToString("in PT1S");
		this.clock.advance(Duration.ofSeconds(1));
		assertThat(this.deadline.isExpired()).isTrue();
	}

	@Test
	void nothingIsLeftOnceItIsOver() {
		this.clock.advance(Duration.ofHours(1));
		assertThat(this.deadline.remaining()).isZero();
		assertThat(this.deadline.isExpired()).isTrue();
	}

	@ParameterizedTest
	@ValueSource(longs = { Long.MIN_VALUE, 0, Long.MAX_VALUE - 10 })
	void theLongestTimeFitsAnyClock(long now) {
		ClientScheduler clock = mock();
		given(clock.now(TimeUnit.NANOSECONDS)).willReturn(now);
		Deadline century = Deadline.after(Duration.ofSeconds(Long.MAX_VALUE), clock);
		assertThat(century.remaining()).isEqualTo(Duration.ofDays(36_500));
	}

}
