package io.github.mcpclient.internal.support;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import io.github.mcpclient.internal.support.ServerThreads.Limits;
import io.github.mcpclient.testsupport.Unchecked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;
import reactor.core.scheduler.NonBlocking;
import reactor.test.scheduler.VirtualTimeScheduler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link ClientScheduler}.
 */
class ClientSchedulerTests {

	private final ClientScheduler scheduler = ClientScheduler.create();

	@AfterEach
	void dispose() {
		this.scheduler.dispose();
		assertThat(this.scheduler.isDisposed()).isTrue();
	}

	@Test
	void timeIsNotThatOfTheClockWhichSomebodyMaySet() {
		VirtualTimeScheduler clock = VirtualTimeScheduler.create();
		ClientScheduler scheduler = new TimerScheduler(TimerScheduler.create(), clock,
				new ServerThreads("test", new Limits(1, 1), Runnable::run, clock));
		long before = scheduler.now(TimeUnit.NANOSECONDS);
		clock.advanceTimeBy(Duration.ofDays(365));
		assertThat(scheduler.now(TimeUnit.NANOSECONDS) - before).isBetween(0L, Duration.ofDays(1).toNanos());
		assertThat(scheduler.instant()).isAfter(Instant.EPOCH);
	}

	@Test
	void tasksRunOnDaemonThreadsThatMustNotBlock() {
		CompletableFuture<Thread> now = new CompletableFuture<>();
		CompletableFuture<Thread> later = new CompletableFuture<>();
		this.scheduler.schedule(() -> now.complete(Thread.currentThread()));
		this.scheduler.schedule(() -> later.complete(Thread.currentThread()), 1, TimeUnit.MILLISECONDS);
		assertThat(now.join()).isInstanceOf(NonBlocking.class).matches(Thread::isDaemon);
		assertThat(later.join()).isInstanceOf(NonBlocking.class).matches(Thread::isDaemon);
	}

	@Test
	void longTasksOfAServerHoldUpNothingElse() {
		CountDownLatch over = new CountDownLatch(1);
		List<CompletableFuture<Thread>> busy = IntStream.range(0, 100)
			.mapToObj((task) -> run("busy", () -> Unchecked.run(over::await)))
			.toList();
		assertThat(run("other", () -> {
		}).orTimeout(30, TimeUnit.SECONDS).join()).isInstanceOf(NonBlocking.class).matches(Thread::isDaemon);
		CompletableFuture<Void> brief = new CompletableFuture<>();
		this.scheduler.schedule(() -> brief.complete(null));
		assertThat(brief).succeedsWithin(Duration.ofSeconds(30));
		assertThat(busy).noneMatch(CompletableFuture::isDone);
		over.countDown();
		assertThat(busy).allSatisfy((task) -> assertThat(task).succeedsWithin(Duration.ofSeconds(30)));
		assertThat(busy.stream().map(CompletableFuture::join).distinct().count())
			.isLessThanOrEqualTo(Math.max(1, Runtime.getRuntime().availableProcessors() / 2));
	}

	private CompletableFuture<Thread> run(String server, Runnable task) {
		CompletableFuture<Thread> ran = new CompletableFuture<>();
		this.scheduler.execute(server, () -> {
			task.run();
			ran.complete(Thread.currentThread());
		});
		return ran;
	}

	@Test
	void longTaskThatNoThreadTakesRunsAllTheSame() {
		this.scheduler.dispose();
		assertThat(run("server", () -> {
		})).isCompletedWithValue(Thread.currentThread());
	}

	@Test
	void cancelledTaskDoesNotRun() {
		AtomicInteger ran = new AtomicInteger();
		Disposable cancelled = this.scheduler.schedule(ran::incrementAndGet, 50, TimeUnit.MILLISECONDS);
		cancelled.dispose();
		CompletableFuture<Void> later = new CompletableFuture<>();
		this.scheduler.schedule(() -> later.complete(null), 100, TimeUnit.MILLISECONDS);
		later.join();
		assertThat(ran).hasValue(0);
	}

	@Test
	void nothingIsTakenWhenItIsGone() {
		this.scheduler.dispose();
		assertThatExceptionOfType(RejectedExecutionException.class).isThrownBy(() -> this.scheduler.schedule(() -> {
		}, 1, TimeUnit.MILLISECONDS));
		assertThatExceptionOfType(RejectedExecutionException.class).isThrownBy(() -> this.scheduler.schedule(() -> {
		}));
	}

}
