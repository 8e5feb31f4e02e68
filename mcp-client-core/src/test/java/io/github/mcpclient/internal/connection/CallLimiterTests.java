package io.github.mcpclient.internal.connection;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import io.github.mcpclient.internal.support.ClientScheduler;
import io.github.mcpclient.internal.support.Deadline;
import io.github.mcpclient.internal.support.VirtualScheduler;
import io.github.mcpclient.testsupport.Endurance;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

import static io.github.mcpclient.testsupport.TestDefaults.LIMIT;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link CallLimiter}.
 */
class CallLimiterTests {

	private static final Duration TIMEOUT = Duration.ofSeconds(10);

	private final VirtualScheduler time = new VirtualScheduler();

	private final CallLimiter limiter = new CallLimiter(2, this.time);

	private final List<Sinks.One<String>> calls = new ArrayList<>();

	private final List<String> ends = new ArrayList<>();

	@Test
	void letsTheNextThroughInOrder() {
		for (int i = 0; i < 5; i++) {
			call("call" + i);
		}
		assertThat(this.calls).hasSize(2);
		this.time.advance(Duration.ofSeconds(1));
		this.calls.get(1).tryEmitValue("b");
		assertThat(this.ends).containsExactly("call1 b");
		assertThat(this.calls).hasSize(3);
		this.calls.get(2).tryEmitError(new IllegalStateException("c"));
		this.calls.get(0).tryEmitEmpty();
		assertThat(this.ends).containsExactly("call1 b", "call2 failed c", "call0 empty");
		assertThat(this.calls).hasSize(5);
		this.calls.get(3).tryEmitValue("d");
		this.calls.get(4).tryEmitValue("e");
		assertThat(this.ends).endsWith("call3 d", "call4 e");
		assertThat(this.time.pending()).isZero();
		assertAllFree();
	}

	@Test
	void waitingIsLimited() {
		call("call0");
		call("call1");
		call("call2");
		this.time.advance(TIMEOUT.minusNanos(1));
		assertThat(this.ends).isEmpty();
		this.time.advance(Duration.ofNanos(1));
		assertThat(this.ends).containsExactly("call2 failed too long");
		// It does not come back when there is room
		this.calls.get(0).tryEmitValue("a");
		assertThat(this.calls).hasSize(2);
		this.calls.get(1).tryEmitValue("b");
		assertAllFree();
	}

	@Test
	void runningIsNotLimitedHere() {
		call("call0");
		this.time.advance(TIMEOUT.multipliedBy(2));
		assertThat(this.ends).isEmpty();
		assertThat(this.time.pending()).isZero();
	}

	@Test
	void cancelledWaiterLeaves() {
		call("call0");
		call("call1");
		Disposable third = call("call2");
		call("call3");
		third.dispose();
		assertThat(this.time.pending()).isEqualTo(1);
		this.calls.get(0).tryEmitValue("a");
		assertThat(this.calls).hasSize(3);
		this.calls.get(2).tryEmitValue("d");
		assertThat(this.ends).containsExactly("call0 a", "call3 d");
	}

	@Test
	void cancelledCallMakesRoom() {
		Disposable first = call("call0");
		call("call1");
		call("call2");
		first.dispose();
		assertThat(this.calls).hasSize(3);
		assertThat(this.calls.get(0).currentSubscriberCount()).isZero();
		first.dispose();
		call("call3");
		assertThat(this.calls).hasSize(3);
	}

	@Test
	void callThatCannotBeMadeMakesRoom() {
		for (int i = 0; i < 5; i++) {
			this.limiter.<String>limit(TIMEOUT, TimeoutException::new, () -> {
				throw new IllegalStateException("no");
			}).subscribe(this.ends::add, (ex) -> this.ends.add(ex.getMessage()));
		}
		assertThat(this.ends).hasSize(5).containsOnly("no");
		assertAllFree();
	}

	@Test
	void callThatEndsWithAnErrorMakesRoomAndTellsSo() {
		for (int i = 0; i < 3; i++) {
			this.limiter.<String>limit(TIMEOUT, TimeoutException::new, () -> {
				throw new NoClassDefFoundError("no class");
			}).subscribe(this.ends::add, (ex) -> this.ends.add(ex.getMessage()));
			this.limiter.<String>limit(TIMEOUT, TimeoutException::new, () -> Mono.from((subscriber) -> {
				throw new StackOverflowError("too deep");
			})).subscribe(this.ends::add, (ex) -> this.ends.add(ex.getMessage()));
		}
		assertThat(this.ends).hasSize(6).containsOnly("no class", "too deep");
		assertAllFree();
	}

	@Test
	void waitingWithoutEnd() {
		call("call0");
		call("call1");
		this.limiter
			.<String>limit(Deadline.atMostForever(ChronoUnit.FOREVER.getDuration()), TimeoutException::new,
					() -> Mono.just("at last"))
			.subscribe(this.ends::add, (ex) -> this.ends.add("failed " + ex));
		assertThat(this.ends).isEmpty();
		this.calls.get(0).tryEmitValue("a");
		assertThat(this.ends).containsExactlyInAnyOrder("call0 a", "at last");
	}

	@Test
	void nextCallFindsRoomWhenTheResultIsThere() {
		CallLimiter one = new CallLimiter(1, this.time);
		Mono<String> nested = one.limit(TIMEOUT, TimeoutException::new, () -> Mono.just("a"))
			.flatMap((value) -> one.limit(TIMEOUT, TimeoutException::new, () -> Mono.just(value + "b")));
		assertThat(nested.block(LIMIT)).isEqualTo("ab");
	}

	@Test
	void contextReachesTheCall() {
		Mono<String> call = this.limiter.limit(TIMEOUT, TimeoutException::new,
				() -> Mono.deferContextual((context) -> Mono.just(context.get("key"))));
		assertThat(call.contextWrite((context) -> context.put("key", "value")).block(LIMIT)).isEqualTo("value");
	}

	@Test
	void manyCallsThatEndAtOnceDoNotOverflowTheStack() {
		Sinks.One<String> first = Sinks.one();
		CallLimiter one = new CallLimiter(1, this.time);
		AtomicInteger ended = new AtomicInteger();
		one.limit(TIMEOUT, TimeoutException::new, () -> first.asMono()).subscribe();
		for (int i = 0; i < 20_000; i++) {
			one.limit(TIMEOUT, TimeoutException::new, () -> Mono.just("x"))
				.subscribe((value) -> ended.incrementAndGet());
		}
		first.tryEmitValue("go");
		assertThat(ended).hasValue(20_000);
	}

	@Test
	void neverMoreThanTheLimitAndNoneIsLostWhateverRaces() throws Exception {
		ClientScheduler scheduler = ClientScheduler.create();
		ExecutorService threads = Executors.newFixedThreadPool(8);
		try {
			CallLimiter limiter = new CallLimiter(3, scheduler);
			AtomicInteger running = new AtomicInteger();
			AtomicInteger most = new AtomicInteger();
			int each = Endurance.times(2000);
			int count = 8 * each;
			CountDownLatch ended = new CountDownLatch(count);
			for (int i = 0; i < 8; i++) {
				threads.execute(() -> {
					for (int j = 0; j < each; j++) {
						ThreadLocalRandom random = ThreadLocalRandom.current();
						int kind = random.nextInt(4);
						Mono<String> call = Mono.defer(() -> {
							most.accumulateAndGet(running.incrementAndGet(), Math::max);
							AtomicBoolean over = new AtomicBoolean();
							Runnable end = () -> {
								if (over.compareAndSet(false, true)) {
									running.decrementAndGet();
								}
							};
							Mono<String> result = (kind == 0) ? Mono.empty()
									: Mono.delay(Duration.ofNanos(random.nextInt(50_000)), scheduler).thenReturn("x");
							return result.doOnTerminate(end).doOnCancel(end);
						});
						Duration timeout = (kind == 1) ? Duration.ofNanos(random.nextInt(2_000_000))
								: Duration.ofSeconds(30);
						Disposable subscription = limiter.limit(timeout, TimeoutException::new, () -> call)
							.doFinally((signal) -> ended.countDown())
							.subscribe((value) -> {
							}, (ex) -> {
							});
						if (kind == 2) {
							scheduler.schedule(subscription::dispose, random.nextInt(200), TimeUnit.MICROSECONDS);
						}
					}
				});
			}
			assertThat(ended.await(40, TimeUnit.SECONDS)).isTrue();
			assertThat(most.get()).isBetween(1, 3);
			// All permits are back
			Sinks.One<String> open = Sinks.one();
			AtomicInteger through = new AtomicInteger();
			for (int i = 0; i < 3; i++) {
				limiter.limit(TIMEOUT, TimeoutException::new, () -> {
					through.incrementAndGet();
					return open.asMono();
				}).subscribe();
			}
			Awaitility.await().until(() -> through.get() == 3);
		}
		finally {
			threads.shutdownNow();
			scheduler.dispose();
		}
	}

	private Disposable call(String name) {
		return this.limiter.limit(TIMEOUT, () -> new TimeoutException("too long"), () -> {
			Sinks.One<String> call = Sinks.one();
			this.calls.add(call);
			return call.asMono();
		})
			.switchIfEmpty(Mono.just("empty"))
			.subscribe((value) -> this.ends.add(name + " " + value),
					(ex) -> this.ends.add(name + " failed " + ex.getMessage()));
	}

	private void assertAllFree() {
		int before = this.calls.size();
		call("x");
		call("y");
		call("z");
		assertThat(this.calls).hasSize(before + 2);
	}

}
