package io.github.mcpclient.auth.oauth2;

import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Hooks;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link SingleFlight}.
 */
class SingleFlightTests {

	private static final Duration LIMIT = Duration.ofSeconds(10);

	private final List<Throwable> dropped = new CopyOnWriteArrayList<>();

	private final Scheduler pool = Schedulers.newBoundedElastic(8, 10_000, "single-flight");

	private final AtomicReference<Scheduler> scheduler = new AtomicReference<>(this.pool);

	private final SingleFlight<String> flight = new SingleFlight<>(this.scheduler::get);

	@BeforeEach
	void recordDropped() {
		Hooks.onErrorDropped(this.dropped::add);
	}

	@AfterEach
	void close() {
		Hooks.resetOnErrorDropped();
	}

	private Mono<String> run(String key, Callable<String> task) {
		return this.flight.run(key, Mono.defer(() -> Mono.fromCallable(task).subscribeOn(this.scheduler.get())));
	}

	@Test
	void whoGivesUpNeitherCancelsTheTaskNorHasItsFailureDropped() {
		CountDownLatch release = new CountDownLatch(1);
		Mono<String> task = run("key", () -> {
			release.await();
			throw new IllegalStateException("failed");
		});
		Disposable hurried = task.subscribe();
		CompletableFuture<String> patient = task.toFuture();
		hurried.dispose();
		release.countDown();
		assertThat(patient).failsWithin(LIMIT).withThrowableThat().withMessageContaining("failed");
		assertThat(this.dropped).isEmpty();
	}

	@Test
	void theFailureOfWhoGivesUpAtThatMomentIsNotDropped() throws Exception {
		for (int i = 0; i < 300; i++) {
			CyclicBarrier moment = new CyclicBarrier(2);
			CountDownLatch failed = new CountDownLatch(1);
			Mono<String> task = run("key" + i, () -> {
				moment.await();
				throw new IllegalStateException("failed");
			});
			Disposable hurried = task.onErrorComplete().subscribe();
			task.subscribe(null, (ex) -> failed.countDown());
			moment.await();
			hurried.dispose();
			assertThat(failed.await(10, TimeUnit.SECONDS)).isTrue();
		}
		assertThat(this.dropped).isEmpty();
	}

	@Test
	void noneWaitsForWhatAnotherDoesWithTheResult() {
		CountDownLatch subscribed = new CountDownLatch(1);
		CountDownLatch all = new CountDownLatch(2);
		Mono<Boolean> each = run("key", () -> {
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
		this.scheduler.set(full);
		List<String> ran = new CopyOnWriteArrayList<>();
		for (int i = 0; i < 40; i++) {
			Mono<String> rejected = run("key", () -> String.valueOf(ran.add("rejected")));
			assertThatExceptionOfType(RejectedExecutionException.class).isThrownBy(() -> rejected.block(LIMIT));
		}
		this.scheduler.set(this.pool);
		run("key", () -> String.valueOf(ran.add("last"))).block(LIMIT);
		assertThat(ran).containsExactly("last");
	}

	@Test
	void anErrorOfTheMachineEndsTheFlight() {
		this.scheduler.set((Scheduler) Proxy.newProxyInstance(getClass().getClassLoader(),
				new Class<?>[] { Scheduler.class }, (proxy, method, args) -> {
					throw new OutOfMemoryError("unable to create native thread");
				}));
		assertThatExceptionOfType(Throwable.class).isThrownBy(() -> run("key", () -> "never").block(LIMIT))
			.withStackTraceContaining("unable to create native thread");
		this.scheduler.set(this.pool);
		assertThat(run("key", () -> "result").block(LIMIT)).isEqualTo("result");
		assertThatExceptionOfType(NoClassDefFoundError.class)
			.isThrownBy(() -> this.flight.run("key", Mono.error(new NoClassDefFoundError("missing"))).block(LIMIT));
		assertThat(run("key", () -> "again").block(LIMIT)).isEqualTo("again");
	}

	@Test
	void taskRunsAgainForWhoComesAfterItsEnd() {
		assertThat(run("key", () -> "first").block()).isEqualTo("first");
		assertThat(run("key", () -> "second").block()).isEqualTo("second");
	}

}
