package io.github.mcpclient.auth.oauth2;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Hooks;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for {@link SingleFlight}.
 */
@Timeout(30)
class SingleFlightTests {

	private final List<Throwable> dropped = new CopyOnWriteArrayList<>();

	private final Scheduler scheduler = Schedulers.newBoundedElastic(3, 100, "single-flight");

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
	void noneWaitsForWhatAnotherDoesWithTheResult() {
		CountDownLatch subscribed = new CountDownLatch(1);
		CountDownLatch all = new CountDownLatch(2);
		Mono<Boolean> each = this.flight.run("key", () -> {
			subscribed.await();
			return "result";
		}).flatMap((result) -> Mono.fromCallable(() -> {
			all.countDown();
			return all.await(10, TimeUnit.SECONDS);
		}));
		assertThat(Flux.merge(each, each, Mono.fromRunnable(subscribed::countDown)).collectList().block())
			.containsExactly(true, true);
	}

	@Test
	void whatIsRejectedLeavesNothingBehind() {
		Scheduler full = Schedulers.newSingle("full");
		full.dispose();
		AtomicReference<Scheduler> current = new AtomicReference<>(full);
		List<String> ran = new CopyOnWriteArrayList<>();
		SingleFlight<Boolean> flight = new SingleFlight<>(current::get);
		for (int i = 0; i < 40; i++) {
			Mono<Boolean> rejected = flight.run("key" + i, () -> ran.add("rejected"));
			assertThatExceptionOfType(RejectedExecutionException.class)
				.isThrownBy(() -> rejected.block(Duration.ofSeconds(5)));
		}
		current.set(this.scheduler);
		flight.run("key", () -> ran.add("last")).block(Duration.ofSeconds(5));
		assertThat(ran).containsExactly("last");
	}

	@Test
	void taskRunsAgainForWhoComesAfterItsEnd() {
		assertThat(this.flight.run("key", () -> "first").block()).isEqualTo("first");
		assertThat(this.flight.run("key", () -> "second").block()).isEqualTo("second");
	}

}
