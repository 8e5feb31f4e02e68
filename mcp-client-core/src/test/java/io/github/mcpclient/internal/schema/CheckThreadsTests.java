package io.github.mcpclient.internal.schema;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static io.github.mcpclient.testsupport.TestDefaults.LIMIT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link SchemaCheck.Threads}.
 */
@ExtendWith(OutputCaptureExtension.class)
class CheckThreadsTests {

	private static final Duration LONG = Duration.ofSeconds(Long.MAX_VALUE);

	private final SchemaCheck.Threads threads = new SchemaCheck.Threads(Schedulers.parallel());

	private final CountDownLatch begun = new CountDownLatch(1);

	private final AtomicReference<Thread> worker = new AtomicReference<>();

	@Test
	void resultComesOnAThreadThatMustNotBlock() {
		Mono<Boolean> nonBlocking = run((budget) -> List.of(Thread.currentThread().getName())).map((names) -> {
			assertThat(names).singleElement().asString().startsWith("mcp-schema-");
			return Schedulers.isInNonBlockingThread();
		});
		assertThat(nonBlocking.block()).isTrue();
	}

	@Test
	void checkThatTakesTooLongFailsAndEndsOnItsThread() {
		assertThatExceptionOfType(RuntimeException.class)
			.isThrownBy(
					() -> this.threads.run("a", this::forEver, Duration.ofMillis(200), TimeoutException::new).block())
			.withCauseInstanceOf(TimeoutException.class);
		awaitIdle();
	}

	@Test
	void checkThatIsCancelledEndsOnItsThread() throws Exception {
		Disposable call = run(this::forEver).subscribe();
		assertThat(this.begun.await(30, TimeUnit.SECONDS)).isTrue();
		call.dispose();
		awaitIdle();
	}

	@Test
	void checksEndWithTheThreads() throws Exception {
		List<CompletableFuture<List<String>>> checks = new ArrayList<>();
		for (int i = 0; i < 5; i++) {
			checks.add(run(this::forEver).toFuture());
		}
		assertThat(this.begun.await(30, TimeUnit.SECONDS)).isTrue();
		this.threads.dispose();
		assertThat(checks).allSatisfy((check) -> assertThat(check).failsWithin(LIMIT)
			.withThrowableThat()
			.isInstanceOf(CancellationException.class));
		assertThat(run((budget) -> List.of()).toFuture()).failsWithin(LIMIT);
		Awaitility.await().until(() -> !this.worker.get().isAlive());
	}

	@Test
	void checkThatFailsIsTold() {
		assertThatExceptionOfType(StackOverflowError.class).isThrownBy(() -> run((budget) -> {
			throw new StackOverflowError();
		}).block());
	}

	@Test
	void valuesPassWhereTooManyWait(CapturedOutput output) {
		List<CompletableFuture<List<String>>> checks = new ArrayList<>();
		for (int i = 0; i < 300; i++) {
			checks.add(run(this::forEver).toFuture());
		}
		Awaitility.await().until(() -> checks.stream().filter(CompletableFuture::isDone).count() == 300 - 2 - 256);
		assertThat(checks).filteredOn(CompletableFuture::isDone)
			.allSatisfy((check) -> assertThat(check.join()).isEmpty());
		assertThat(output).containsOnlyOnce("some are accepted without a check");
		checks.forEach((check) -> check.cancel(true));
		// what was cancelled gives way in a moment
		Awaitility.await().until(() -> List.of("checked").equals(run((budget) -> List.of("checked")).block()));
	}

	@Test
	void realCheckEndsOnItsThreadWithinItsTime() {
		Map<String, Object> twice = Map.of("$ref", "#/items");
		SchemaCheck check = new SchemaCheck("a", "x",
				Map.of("items", Map.of("items", Map.of("allOf", Collections.nCopies(2, twice)))));
		List<Object> value = List.of();
		for (int i = 0; i < 60; i++) {
			value = List.of(value);
		}
		List<Object> deep = value;
		assertThat(this.threads.run("a", (budget) -> {
			this.worker.set(Thread.currentThread());
			return check.check(deep, budget);
		}, Duration.ofMillis(1), TimeoutException::new).onErrorComplete().blockOptional(Duration.ofSeconds(30)))
			.satisfiesAnyOf((result) -> assertThat(result).isEmpty(), (result) -> assertThat(result.get()).isEmpty());
		awaitIdle();
	}

	@Test
	void serversTakeTurns() {
		List<Runnable> held = new ArrayList<>();
		SchemaCheck.Threads threads = new SchemaCheck.Threads((Executor) held::add, Schedulers.parallel());
		List<String> turns = new ArrayList<>();
		for (String server : List.of("a", "a", "a", "b", "c", "b")) {
			threads.run(server, (budget) -> {
				turns.add(server);
				return List.of();
			}, LONG, TimeoutException::new).subscribe();
		}
		held.forEach(Runnable::run);
		assertThat(turns).containsExactly("a", "b", "c", "b", "a", "a");
		threads.dispose();
	}

	private Mono<List<String>> run(Function<CheckBudget, List<String>> check) {
		return this.threads.run("a", check, LONG, TimeoutException::new);
	}

	private List<String> forEver(CheckBudget budget) {
		this.worker.set(Thread.currentThread());
		this.begun.countDown();
		while (true) {
			budget.spend(0);
		}
	}

	private void awaitIdle() {
		Awaitility.await()
			.until(() -> this.worker.get() == null || this.worker.get().getState() == Thread.State.TIMED_WAITING);
	}

}
