package io.github.mcpclient.internal.support;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import io.github.mcpclient.testsupport.VirtualTime;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for {@link SerialQueue}.
 */
class SerialQueueTests {

	private final Time time = new Time();

	@Test
	void taskRunsAfterTheOneThatQueuedIt() {
		SerialQueue queue = new SerialQueue(this.time, this.time);
		List<String> order = new ArrayList<>();
		queue.execute(() -> {
			queue.execute(() -> order.add("second"));
			order.add("first");
		});
		assertThat(order).containsExactly("first", "second");
	}

	@Test
	void tasksOfManyThreadsRunOneAtATimeAndInTheOrderOfEachThread() throws Exception {
		Scheduler scheduler = Schedulers.newParallel("serial-queue", 4, true);
		ExecutorService threads = Executors.newFixedThreadPool(8);
		try {
			SerialQueue queue = new SerialQueue(scheduler, this.time);
			AtomicBoolean busy = new AtomicBoolean();
			AtomicInteger overlaps = new AtomicInteger();
			int[] last = new int[8];
			AtomicInteger disorder = new AtomicInteger();
			CountDownLatch done = new CountDownLatch(8 * 10_000);
			for (int i = 0; i < 8; i++) {
				int thread = i;
				threads.execute(() -> {
					for (int j = 1; j <= 10_000; j++) {
						int number = j;
						queue.execute(() -> {
							if (!busy.compareAndSet(false, true)) {
								overlaps.incrementAndGet();
							}
							if (last[thread] != number - 1) {
								disorder.incrementAndGet();
							}
							last[thread] = number;
							busy.set(false);
							done.countDown();
						});
					}
				});
			}
			assertThat(done.await(30, TimeUnit.SECONDS)).isTrue();
			assertThat(overlaps).hasValue(0);
			assertThat(disorder).hasValue(0);
		}
		finally {
			threads.shutdownNow();
			scheduler.dispose();
		}
	}

	@Test
	void failureOfATaskIsNotThatOfTheNext() {
		SerialQueue queue = new SerialQueue(this.time, this.time);
		AtomicInteger ran = new AtomicInteger();
		queue.execute(() -> {
			queue.execute(ran::incrementAndGet);
			throw new IllegalStateException("expected by this test");
		});
		assertThat(ran).hasValue(1);
	}

	@Test
	void tasksRunWhenTheSchedulerIsGone() {
		ClientScheduler scheduler = ClientScheduler.create();
		scheduler.dispose();
		SerialQueue queue = new SerialQueue(scheduler, scheduler);
		AtomicInteger ran = new AtomicInteger();
		queue.execute(ran::incrementAndGet);
		queue.aside(ran::incrementAndGet);
		assertThat(ran).hasValue(2);
		assertThat(queue.executeAfter(Duration.ofSeconds(1), ran::incrementAndGet).isDisposed()).isTrue();
	}

	@Test
	void goesOnAfterTheSchedulerHadNoThread() {
		List<Runnable> kept = new ArrayList<>();
		AtomicBoolean exhausted = new AtomicBoolean(true);
		Scheduler scheduler = new Scheduler() {

			@Override
			public Disposable schedule(Runnable task) {
				kept.add(task);
				if (exhausted.get()) {
					throw new OutOfMemoryError("unable to create native thread");
				}
				return Disposables.disposed();
			}

			@Override
			public Worker createWorker() {
				throw new UnsupportedOperationException();
			}

		};
		SerialQueue queue = new SerialQueue(scheduler, this.time);
		AtomicInteger ran = new AtomicInteger();
		queue.execute(ran::incrementAndGet);
		assertThat(ran).hasValue(1);
		exhausted.set(false);
		queue.execute(ran::incrementAndGet);
		assertThat(ran).hasValue(1);
		assertThat(kept).hasSize(2).allSatisfy(Runnable::run);
		assertThat(ran).hasValue(2);
	}

	@Test
	void delayedTaskCanBeCancelled() {
		SerialQueue queue = new SerialQueue(this.time, this.time);
		AtomicInteger ran = new AtomicInteger();
		Disposable timer = queue.executeAfter(Duration.ofSeconds(1), ran::incrementAndGet);
		queue.executeAfter(Duration.ofSeconds(2), ran::incrementAndGet);
		timer.dispose();
		this.time.advance(Duration.ofSeconds(2));
		assertThat(ran).hasValue(1);
		assertThat(this.time.pending()).isZero();
	}

	@Test
	void knowsWhetherItIsInside() {
		SerialQueue queue = new SerialQueue(this.time, this.time);
		assertThatIllegalStateException().isThrownBy(queue::assertInside);
		AtomicInteger inside = new AtomicInteger();
		queue.execute(() -> {
			queue.assertInside();
			inside.incrementAndGet();
		});
		assertThat(inside).hasValue(1);
	}

	private static final class Time extends VirtualTime implements ClientScheduler {

	}

}
