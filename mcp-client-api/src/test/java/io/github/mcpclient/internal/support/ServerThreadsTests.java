package io.github.mcpclient.internal.support;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

import io.github.mcpclient.internal.support.ServerThreads.Limits;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Hooks;
import reactor.core.publisher.Mono;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link ServerThreads}.
 */
@Timeout(30)
class ServerThreadsTests {

	private static final Duration LIMIT = Duration.ofSeconds(10);

	private final ClientThreads all = new ClientThreads();

	private final ServerThreads threads = this.all.authorization();

	@Test
	void silentSharesLeaveAThreadToEachOther() {
		CountDownLatch over = new CountDownLatch(1);
		Callable<String> silent = () -> {
			over.await();
			return "late";
		};
		for (int share = 0; share < 80; share++) {
			for (int task = 0; task < 100; task++) {
				this.threads.call("silent" + share, silent).onErrorComplete().subscribe();
			}
		}
		List<Mono<String>> others = Flux.range(0, 300)
			.map((other) -> this.threads.call("other" + other % 3, () -> "result"))
			.collectList()
			.block();
		assertThat(Flux.merge(others).collectList().block(LIMIT)).hasSize(300);
		over.countDown();
		assertThat(this.threads.call("silent1", () -> "at last").block(LIMIT)).isEqualTo("at last");
	}

	@Test
	void whoGivesUpBeforeItsTurnTakesItsTaskOutOfTheQueue() {
		CountDownLatch over = new CountDownLatch(1);
		for (int task = 0; task < 32; task++) {
			this.threads.call("share", () -> String.valueOf(over.await(10, TimeUnit.SECONDS)))
				.onErrorComplete()
				.subscribe();
		}
		List<String> ran = new CopyOnWriteArrayList<>();
		this.threads.call("share", () -> ran.add("given up")).subscribe().dispose();
		Mono<Boolean> last = this.threads.call("share", () -> ran.add("last"));
		assertThat(Mono.when(last, Mono.fromRunnable(over::countDown)).thenReturn(true).block(LIMIT)).isTrue();
		assertThat(ran).containsExactly("last");
	}

	@Test
	void theFailureOfWhoGivesUpAtThatMomentIsNotDropped() throws Exception {
		List<Throwable> dropped = new CopyOnWriteArrayList<>();
		Hooks.onErrorDropped(dropped::add);
		try {
			for (int i = 0; i < 300; i++) {
				CyclicBarrier moment = new CyclicBarrier(2);
				Disposable hurried = this.threads.call("share", () -> {
					moment.await();
					throw new IllegalStateException("failed");
				}).onErrorComplete().subscribe();
				moment.await();
				hurried.dispose();
			}
			assertThat(this.threads.call("share", () -> "last").block(LIMIT)).isEqualTo("last");
		}
		finally {
			Hooks.resetOnErrorDropped();
		}
		assertThat(dropped).isEmpty();
	}

	@Test
	void whatGetsNoThreadLeavesNothingBehind() {
		AtomicReference<Error> failure = new AtomicReference<>(new OutOfMemoryError("unable to create native thread"));
		ServerThreads few = new ServerThreads("few", new Limits(2, 1), new AbstractExecutorService() {

			@Override
			public void execute(Runnable task) {
				if (failure.get() != null) {
					throw failure.get();
				}
				task.run();
			}

			@Override
			public void shutdown() {
			}

			@Override
			public List<Runnable> shutdownNow() {
				return List.of();
			}

			@Override
			public boolean isShutdown() {
				return false;
			}

			@Override
			public boolean isTerminated() {
				return false;
			}

			@Override
			public boolean awaitTermination(long timeout, TimeUnit unit) {
				return true;
			}

		}, this.all.scheduler());
		for (int i = 0; i < 10; i++) {
			assertThatExceptionOfType(Throwable.class).isThrownBy(() -> few.call("share", () -> "never").block(LIMIT))
				.withStackTraceContaining("unable to create native thread");
		}
		failure.set(null);
		assertThat(few.call("share", () -> "result").block(LIMIT)).isEqualTo("result");
	}

	@Test
	void whereTooManyWaitTheNextFailsAndAtTheEndAll() {
		CountDownLatch over = new CountDownLatch(1);
		List<CompletableFuture<Boolean>> calls = Flux.range(0, 8 + 10_000)
			.map((call) -> this.all.naming().call("one", () -> over.await(1, TimeUnit.MINUTES)).toFuture())
			.collectList()
			.block();
		assertThatExceptionOfType(RejectedExecutionException.class)
			.isThrownBy(() -> this.all.naming().call("one", () -> "too many").block(LIMIT))
			.withMessageContaining(
					"All 8 threads mcp-naming of MCP server 'one' are blocked, and 10000 tasks wait for them");
		assertThat(this.all.naming().call("two", () -> "other").block(LIMIT)).isEqualTo("other");
		this.all.naming().dispose();
		assertThat(calls).allSatisfy((call) -> assertThat(call).failsWithin(LIMIT)
			.withThrowableThat()
			.isInstanceOf(CancellationException.class));
		over.countDown();
	}

}
