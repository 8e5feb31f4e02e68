package io.github.mcpclient.internal.support;

import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import io.github.mcpclient.internal.support.ServerThreads.Limits;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import reactor.core.Disposable;
import reactor.core.scheduler.Schedulers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link TimerScheduler}.
 */
@Timeout(60)
class TimerSchedulerTests {

	private static final long HOUR = Duration.ofHours(1).toNanos();

	private static final long MILLISECOND = Duration.ofMillis(1).toNanos();

	private final ScheduledThreadPoolExecutor timer = TimerScheduler.create();

	private final ClientScheduler scheduler = new TimerScheduler(this.timer, Schedulers.immediate(),
			new ServerThreads("test", new Limits(1, 1), Runnable::run, Schedulers.immediate()));

	@AfterEach
	void dispose() {
		this.scheduler.dispose();
	}

	@Test
	void tasksRunWhenTheyAreDueInTheirOrder() throws InterruptedException {
		Random random = new Random(1);
		int number = 2000;
		List<Due> ran = Collections.synchronizedList(new ArrayList<>());
		AtomicInteger wrong = new AtomicInteger();
		List<Disposable> cancelled = new ArrayList<>();
		CountDownLatch all = new CountDownLatch(number);
		for (int i = 0; i < number; i++) {
			long delay = 300 * MILLISECOND + random.nextLong(300 * MILLISECOND);
			Due due = new Due();
			due.first = System.nanoTime() + delay;
			schedule(() -> {
				wrong.addAndGet((System.nanoTime() - due.first < 0) ? 1 : 0);
				ran.add(due);
				all.countDown();
			}, delay);
			due.last = System.nanoTime() + delay;
			cancelled.add(schedule(wrong::incrementAndGet, HOUR + random.nextLong(HOUR)));
		}
		Collections.shuffle(cancelled, random);
		cancelled.forEach(Disposable::dispose);
		all.await();
		assertThat(wrong).hasValue(0);
		for (int i = 1; i < number; i++) {
			assertThat(ran.get(i).last - ran.get(i - 1).first).isPositive();
		}
		assertThat(waiting()).isLessThanOrEqualTo(1);
	}

	@Test
	void taskIsNotHeldUpByALaterOneThatIsWaitedFor() {
		schedule(() -> {
		}, HOUR);
		awaitAsleep(threadOfTimer());
		CompletableFuture<Void> sooner = new CompletableFuture<>();
		schedule(() -> sooner.complete(null), MILLISECOND);
		sooner.join();
	}

	@Test
	void taskRunsAlthoughTheOneThatIsWaitedForWasCancelled() {
		Thread thread = threadOfTimer();
		Disposable first = schedule(() -> {
		}, 20 * MILLISECOND);
		CompletableFuture<Void> second = new CompletableFuture<>();
		schedule(() -> second.complete(null), 40 * MILLISECOND);
		awaitAsleep(thread);
		first.dispose();
		second.join();
	}

	@Test
	void cancelledDeadlinesWakeNobodyAndLeaveNothing() {
		Thread thread = threadOfTimer();
		schedule(() -> {
		}, HOUR).dispose();
		awaitAsleep(thread);
		long waits = waits(thread);
		for (int i = 0; i < 10_000; i++) {
			schedule(() -> {
			}, HOUR).dispose();
		}
		assertThat(waiting()).isLessThanOrEqualTo(1);
		awaitAsleep(thread);
		// once for the first of them, perhaps, and to wait for the lock then
		assertThat(waits(thread) - waits).isLessThan(100);
	}

	@Test
	void sleepsWhenNothingWaits() throws InterruptedException {
		Thread thread = threadOfTimer();
		awaitAsleep(thread);
		long waits = waits(thread);
		Thread.sleep(200);
		assertThat(waits(thread)).isEqualTo(waits);
	}

	@Test
	void noTaskIsLostAmongThoseThatComeAndGo() throws Exception {
		ExecutorService executor = Executors.newFixedThreadPool(4);
		List<Future<List<AtomicInteger>>> kept = new ArrayList<>();
		for (int i = 0; i < 4; i++) {
			Random random = new Random(i);
			kept.add(executor.submit(() -> scheduleAndCancel(random)));
		}
		for (Future<List<AtomicInteger>> ofThread : kept) {
			for (AtomicInteger runs : ofThread.get()) {
				while (runs.get() == 0) {
					Thread.onSpinWait();
				}
				assertThat(runs).hasValue(1);
			}
		}
		executor.shutdown();
		assertThat(waiting()).isLessThanOrEqualTo(1);
	}

	private List<AtomicInteger> scheduleAndCancel(Random random) throws InterruptedException {
		List<AtomicInteger> kept = new ArrayList<>();
		for (int i = 0; i < 5000; i++) {
			AtomicInteger runs = new AtomicInteger();
			Disposable task = schedule(runs::incrementAndGet, random.nextLong(2 * MILLISECOND));
			Disposable deadline = schedule(runs::incrementAndGet, HOUR);
			if (random.nextInt(16) == 0) {
				// the timer's thread sleeps for the next one, or has nothing to wait for
				Thread.sleep(0, random.nextInt(500_000));
			}
			deadline.dispose();
			if (random.nextInt(4) == 0) {
				task.dispose();
			}
			else {
				kept.add(runs);
			}
		}
		return kept;
	}

	@Test
	void nothingButItsEndStopsTheThread() {
		Thread thread = threadOfTimer();
		schedule(() -> {
			throw new LinkageError("on purpose");
		}, 0);
		assertThat(threadOfTimer()).isSameAs(thread);
		thread.interrupt();
		assertThat(threadOfTimer()).isSameAs(thread);
	}

	@Test
	void endIsTheEndOfItsThread() throws InterruptedException {
		Thread thread = threadOfTimer();
		AtomicInteger ran = new AtomicInteger();
		Disposable task = schedule(ran::incrementAndGet, HOUR);
		awaitAsleep(thread);
		this.scheduler.dispose();
		thread.join();
		task.dispose();
		assertThatExceptionOfType(RejectedExecutionException.class)
			.isThrownBy(() -> schedule(ran::incrementAndGet, MILLISECOND));
		assertThat(ran).hasValue(0);
	}

	@Test
	void mayBeAskedToWaitForEver() {
		schedule(() -> {
		}, Long.MAX_VALUE);
		schedule(() -> {
		}, Long.MAX_VALUE);
		threadOfTimer();
		assertThat(waiting()).isEqualTo(2);
	}

	private Disposable schedule(Runnable task, long nanos) {
		return this.scheduler.schedule(task, Math.max(1, nanos), TimeUnit.NANOSECONDS);
	}

	// the first of these may be one that was cancelled
	private int waiting() {
		return this.timer.getQueue().size();
	}

	private Thread threadOfTimer() {
		CompletableFuture<Thread> thread = new CompletableFuture<>();
		schedule(() -> thread.complete(Thread.currentThread()), 0);
		return thread.join();
	}

	private static void awaitAsleep(Thread thread) {
		while (thread.getState() != Thread.State.TIMED_WAITING && thread.getState() != Thread.State.WAITING) {
			Thread.onSpinWait();
		}
	}

	private static long waits(Thread thread) {
		return ManagementFactory.getThreadMXBean().getThreadInfo(thread.getId()).getWaitedCount();
	}

	private static final class Due {

		private long first;

		private volatile long last = Long.MAX_VALUE;

	}

}
