package io.github.mcpclient.internal.support;

import java.time.Duration;

import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;

/**
 * Tests for {@link Monos}.
 */
class MonosTests {

	private static final Duration LIMIT = Duration.ofSeconds(30);

	@Test
	void valueThatComesBeforeItIsRequestedIsNotLost() {
		StepVerifier.create(Monos.guarded(() -> Mono.just("value")), 0)
			.thenRequest(1)
			.expectNext("value")
			.expectComplete()
			.verify(LIMIT);
	}

	@Test
	void nothingIsNothing() {
		StepVerifier.create(Monos.guarded(Mono::empty)).expectComplete().verify(LIMIT);
	}

	@Test
	void whatIsThrownIsAFailure() {
		StepVerifier.create(Monos.guarded(() -> {
			throw new NoClassDefFoundError("missing");
		})).expectError(NoClassDefFoundError.class).verify(LIMIT);
	}

}
