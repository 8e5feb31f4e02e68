package io.github.mcpclient.support;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

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
		ClientScheduler scheduler = new TimerScheduler(new DeadlineTimer(), clock);
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
