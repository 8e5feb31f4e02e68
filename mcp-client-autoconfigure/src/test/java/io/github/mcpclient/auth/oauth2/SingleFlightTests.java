package io.github.mcpclient.auth.oauth2;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import reactor.core.Disposable;
import reactor.core.publisher.Hooks;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for {@link SingleFlight}.
 */
@Timeout(30)
class SingleFlightTests {

	private final List<Throwable> dropped = new CopyOnWriteArrayList<>();

	private final Scheduler scheduler = Schedulers.newSingle("single-flight");

	private final SingleFlight<String> flight = new SingleFlight<>(() -> this.scheduler);

	@BeforeEach
	void recordDropped() {
		Hooks.onErrorDropped(this.dropped::add);
	}

	@AfterEach
	void close() {
		Hooks.resetOnErrorDropped();
		this.scheduler.dispose();
	}

	@Test
	void whoGivesUpNeitherCancelsTheTaskNorHasItsFailureDropped() {
		CountDownLatch release = new CountDownLatch(1);
		Mono<String> task = this.flight.run("key", () -> {
			release.await();
			throw new IllegalStateException("failed");
		});
		Disposable hurried = task.subscribe();
		Mono<String> patient = task.doOnSubscribe((ignored) -> {
			hurried.dispose();
			release.countDown();
		});
		assertThatIllegalStateException().isThrownBy(patient::block).withMessage("failed");
		assertThat(this.dropped).isEmpty();
	}

	@Test
	void taskRunsAgainForWhoComesAfterItsEnd() {
		assertThat(this.flight.run("key", () -> "first").block()).isEqualTo("first");
		assertThat(this.flight.run("key", () -> "second").block()).isEqualTo("second");
	}

}
