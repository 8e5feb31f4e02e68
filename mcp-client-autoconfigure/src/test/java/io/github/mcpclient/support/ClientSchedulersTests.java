package io.github.mcpclient.support;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import reactor.core.scheduler.NonBlocking;
import reactor.core.scheduler.Scheduler;
import reactor.test.scheduler.VirtualTimeScheduler;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ClientSchedulers}.
 */
@Timeout(60)
class ClientSchedulersTests {

	@Test
	void timeIsNotThatOfTheClockWhichSomebodyMaySet() {
		VirtualTimeScheduler clock = VirtualTimeScheduler.create();
		Scheduler scheduler = new MonotonicScheduler(clock);
		long before = scheduler.now(TimeUnit.NANOSECONDS);
		clock.advanceTimeBy(Duration.ofDays(365));
		assertThat(scheduler.now(TimeUnit.NANOSECONDS) - before).isBetween(0L, Duration.ofDays(1).toNanos());
	}

	@Test
	void signalsComeOnThreadsThatMustNotBlock() throws Exception {
		Scheduler scheduler = ClientSchedulers.nonBlocking();
		try {
			assertThat(thread(scheduler)).isInstanceOf(NonBlocking.class);
		}
		finally {
			scheduler.dispose();
		}
	}

	@Test
	void connectionsBeginOnThreadsThatMayBlock() throws Exception {
		Scheduler scheduler = ClientSchedulers.connecting();
		try {
			assertThat(thread(scheduler)).isNotInstanceOf(NonBlocking.class);
		}
		finally {
			scheduler.dispose();
		}
	}

	private static Thread thread(Scheduler scheduler) throws InterruptedException {
		Thread[] thread = new Thread[1];
		CountDownLatch ran = new CountDownLatch(1);
		scheduler.schedule(() -> {
			thread[0] = Thread.currentThread();
			ran.countDown();
		});
		assertThat(ran.await(30, TimeUnit.SECONDS)).isTrue();
		assertThat(thread[0].isDaemon()).isTrue();
		return thread[0];
	}

}
