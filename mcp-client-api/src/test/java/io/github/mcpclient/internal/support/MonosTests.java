package io.github.mcpclient.internal.support;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;

import static org.assertj.core.api.Assertions.assertThat;

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
	void endIsToldOnceBeforeItIsSignalled() {
		List<String> events = new ArrayList<>();
		IllegalStateException failure = new IllegalStateException();
		watched(Mono.just("value"), events).doOnNext((value) -> events.add("next")).block(LIMIT);
		watched(Mono.error(failure), events).doOnError((ex) -> events.add("error")).onErrorComplete().block(LIMIT);
		watched(Mono.never(), events).subscribe().dispose();
		StepVerifier.create(watched(Mono.just("cancelled"), events)).expectNextCount(1).thenCancel().verify(LIMIT);
		watched(Mono.empty(), events).block(LIMIT);
		assertThat(events).containsExactly("value null", "next", "null " + failure, "error", "null null",
				"cancelled null", "null null");
	}

	private static Mono<String> watched(Mono<String> source, List<String> events) {
		return Monos.watched(source, (value, failure) -> events.add(value + " " + failure));
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
