package io.github.mcpclient.internal.support;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.netty.http.client.HttpClient;
import reactor.netty.resources.LoopResources;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link ClientThreads}.
 */
@Timeout(60)
class ClientThreadsTests {

	private static final Duration LIMIT = Duration.ofSeconds(30);

	private final ClientThreads threads = new ClientThreads();

	private final Scheduler opening = this.threads.opening();

	@AfterEach
	void dispose() {
		this.threads.dispose();
	}

	@Test
	void whatOpensConnectionsHasSoManyThreadsAndTheRestWaits() throws Exception {
		CountDownLatch over = new CountDownLatch(1);
		CountDownLatch all = new CountDownLatch(500);
		AtomicInteger running = new AtomicInteger();
		for (int i = 0; i < 500; i++) {
			this.opening.schedule(() -> {
				running.incrementAndGet();
				awaitUninterruptibly(over);
				all.countDown();
			});
		}
		Awaitility.await().untilAsserted(() -> assertThat(running).hasValue(128));
		assertThat(Mono.fromCallable(() -> "closed").subscribeOn(this.threads.closing()).block(LIMIT))
			.isEqualTo("closed");
		assertThat(running).hasValue(128);
		over.countDown();
		all.await();
	}

	@Test
	void oneThreadIsEnoughForOneAfterTheOther() {
		Set<Thread> used = ConcurrentHashMap.newKeySet();
		for (int i = 0; i < 20; i++) {
			used.add(Mono.fromCallable(Thread::currentThread).subscribeOn(this.opening).block(LIMIT));
			Thread last = used.iterator().next();
			Awaitility.await().until(() -> last.getState() == Thread.State.TIMED_WAITING);
		}
		assertThat(used).hasSize(1).allMatch((thread) -> thread.isDaemon() && thread.getName().equals("mcp-connect-1"));
	}

	@Test
	void theyEndWithTheClient() throws Exception {
		AtomicInteger interrupted = new AtomicInteger();
		CountDownLatch running = new CountDownLatch(1);
		CountDownLatch ended = new CountDownLatch(1);
		this.opening.schedule(() -> {
			try {
				running.countDown();
				new CountDownLatch(1).await();
			}
			catch (InterruptedException ex) {
				interrupted.incrementAndGet();
			}
			ended.countDown();
		});
		running.await();
		this.threads.dispose();
		ended.await();
		assertThat(interrupted).hasValue(1);
		assertThat(this.opening.isDisposed()).isTrue();
		assertThatExceptionOfType(RejectedExecutionException.class).isThrownBy(() -> this.opening.schedule(() -> {
		}));
	}

	@Test
	void eachProcessorHasAnEventLoop() {
		LoopResources loops = this.threads.onEventLoops(HttpClient.create()).configuration().loopResources();
		assertThat(loops.onClient(false)).hasSize(Math.max(2, Runtime.getRuntime().availableProcessors()));
	}

	private static void awaitUninterruptibly(CountDownLatch latch) {
		try {
			latch.await();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

}
