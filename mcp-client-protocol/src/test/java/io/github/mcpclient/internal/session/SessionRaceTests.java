package io.github.mcpclient.internal.session;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

import io.github.mcpclient.internal.support.VirtualScheduler;
import io.github.mcpclient.testsupport.Endurance;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.TextContent;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.reactivestreams.Subscription;
import reactor.core.Disposable;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Hooks;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.util.context.Context;

import static io.github.mcpclient.testsupport.TestDefaults.LIMIT;
import static io.github.mcpclient.testsupport.TestDefaults.afterTest;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for what happens when much happens at once.
 */
class SessionRaceTests {

	private static final int ROUNDS = Endurance.times(1000);

	private final ExecutorService threads = Executors.newCachedThreadPool();

	private final SessionFixture fixture = new SessionFixture();

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void requestEndsExactlyOnce(boolean cancelled) throws Exception {
		CyclicBarrier barrier = new CyclicBarrier(cancelled ? 4 : 3);
		for (int round = 0; round < ROUNDS; round++) {
			SessionFixture fixture = new SessionFixture();
			fixture.transport.ignore("tools/call");
			fixture.open();
			SignalCounter signals = new SignalCounter();
			fixture.call("echo").subscribe(signals);
			Object id = fixture.transport.received("tools/call").get(0).id();
			List<Callable<Object>> contenders = new ArrayList<>();
			contenders.add(() -> {
				barrier.await();
				fixture.transport.serverAnswers(id, "{\"content\": []}");
				return null;
			});
			contenders.add(() -> {
				barrier.await();
				fixture.timer.advance(SessionFixture.MINUTE);
				return null;
			});
			contenders.add(() -> {
				barrier.await();
				fixture.session.terminate(new IOException("gone"));
				return null;
			});
			if (cancelled) {
				contenders.add(() -> {
					barrier.await();
					signals.cancel();
					return null;
				});
			}
			for (Future<Object> contender : this.threads.invokeAll(contenders)) {
				contender.get();
			}
			if (cancelled) {
				assertThat(signals.ends()).isLessThanOrEqualTo(1);
			}
			else {
				assertThat(signals.ends()).isOne();
			}
			fixture.assertNothingIsLeft();
		}
	}

	@Test
	void aFailureAtTheDeadlineIsNotLogged() {
		List<Throwable> dropped = new ArrayList<>();
		Hooks.onErrorDropped(dropped::add);
		afterTest(Hooks::resetOnErrorDropped);
		Mono<String> late = Mono.fromDirect((subscriber) -> subscriber.onSubscribe(new Subscription() {

			@Override
			public void request(long count) {
			}

			@Override
			public void cancel() {
				subscriber.onError(new IllegalStateException("late"));
			}

		}));
		AtomicReference<Throwable> failure = new AtomicReference<>();
		this.fixture.session.channel().within(late, Duration.ofSeconds(1), "ping").subscribe(null, failure::set);
		this.fixture.timer.advance(Duration.ofSeconds(2));
		assertThat(failure.get()).isInstanceOf(SessionTimeoutException.class);
		assertThat(dropped).isEmpty();
	}

	@Test
	void answerOnAnotherThreadWhileTheMessageIsStillBeingSent() throws Exception {
		this.fixture.transport.forgetful();
		this.fixture.open();
		this.fixture.transport.on("tools/call", (request) -> {
			Future<?> answered = this.threads
				.submit(() -> this.fixture.transport.serverAnswers(request.id(), "{\"content\": []}"));
			return (((Long) request.id()) % 2 == 0) ? Mono.never()
					: Mono.fromCallable(answered::get).then(Mono.never());
		});
		for (int round = 0; round < ROUNDS; round++) {
			assertThat(this.fixture.call("echo").block(LIMIT)).isNotNull();
		}
		this.fixture.assertNothingIsLeft();
	}

	@Test
	void requestsDuringTerminationNeverHang() throws Exception {
		int callers = 16;
		CyclicBarrier barrier = new CyclicBarrier(callers + 1);
		for (int round = 0; round < 200; round++) {
			SessionFixture fixture = new SessionFixture();
			fixture.transport.ignore("tools/call").forgetful();
			fixture.open();
			IOException cause = new IOException("gone");
			List<Future<Integer>> failures = new ArrayList<>();
			for (int caller = 0; caller < callers; caller++) {
				failures.add(this.threads.submit(() -> {
					barrier.await();
					int failed = 0;
					for (int call = 0; call < 20; call++) {
						AtomicReference<Throwable> error = new AtomicReference<>();
						fixture.call("echo").onErrorResume((ex) -> {
							error.set(ex);
							return Mono.empty();
						}).block(LIMIT);
						assertThat(error.get()).isSameAs(cause);
						failed++;
					}
					return failed;
				}));
			}
			barrier.await();
			fixture.session.terminate(cause);
			for (Future<Integer> failure : failures) {
				assertThat(failure.get(30, TimeUnit.SECONDS)).isEqualTo(20);
			}
			fixture.assertNothingIsLeft();
		}
	}

	@Test
	void sixtyFourThreadsEachGetTheirOwnAnswers() throws Exception {
		VirtualScheduler time = new VirtualScheduler();
		ScriptedTransport transport = new ScriptedTransport().forgetful();
		transport.on("tools/call",
				(request) -> Mono
					.fromSupplier(() -> Map.of("content",
							List.of(Map.of("type", "text", "text",
									request.params().get("arguments").get("who").asString()))))
					.publishOn(Schedulers.parallel()));
		Session session = (Session) new DefaultSessionFactory(time,
				(server, task) -> Schedulers.boundedElastic().schedule(task))
			.create(transport, SessionFixture.OPTIONS, this.fixture.listener);
		session.open().block(LIMIT);
		List<Future<Integer>> callers = new ArrayList<>();
		for (int caller = 0; caller < 64; caller++) {
			int number = caller;
			callers.add(this.threads.submit(() -> calls(session, number)));
		}
		for (Future<Integer> caller : callers) {
			assertThat(caller.get(120, TimeUnit.SECONDS)).isEqualTo(1000);
		}
		assertThat(session.pendingCount()).isZero();
		SessionFixture.await(() -> time.pending() == 0);
	}

	private static int calls(McpSession session, int caller) {
		int right = 0;
		for (int call = 0; call < 1000; call++) {
			String who = caller + "/" + call;
			CallToolRequest request = CallToolRequest.builder("echo").arguments(Map.of("who", who)).build();
			CallToolResult result = session.request(SessionFixture.tool(request, null)).block(LIMIT);
			if (((TextContent) result.content().get(0)).text().equals(who)) {
				right++;
			}
		}
		return right;
	}

	@Test
	void progressThatRacesWithTheAnswerLeavesNoTimer() throws Exception {
		CyclicBarrier barrier = new CyclicBarrier(3);
		Call<?> call = SessionFixture.tool(SessionFixture.request("slow"), SessionFixture.MINUTE,
				SessionFixture.MINUTE.multipliedBy(2), null);
		this.fixture.transport.ignore("tools/call");
		this.fixture.open();
		for (int round = 0; round < ROUNDS; round++) {
			this.fixture.session.request(call).subscribe();
			Object id = this.fixture.transport.received("tools/call").get(round).id();
			String progress = "{\"progressToken\": " + id + ", \"progress\": 1}";
			Callable<Object> notifies = () -> {
				barrier.await();
				this.fixture.transport.serverNotifies("notifications/progress", progress);
				return null;
			};
			List<Callable<Object>> contenders = List.of(notifies, notifies, () -> {
				barrier.await();
				this.fixture.transport.serverAnswers(id, "{\"content\": []}");
				return null;
			});
			for (Future<Object> contender : this.threads.invokeAll(contenders)) {
				contender.get();
			}
			assertThat(this.fixture.timer.pending()).isZero();
		}
	}

	@Test
	void cancellingWhileTheRequestIsBeingSentLeavesNothing() throws Exception {
		CyclicBarrier barrier = new CyclicBarrier(2);
		this.fixture.transport.ignore("tools/call").forgetful();
		this.fixture.open();
		for (int round = 0; round < ROUNDS; round++) {
			SignalCounter signals = new SignalCounter(0);
			this.fixture.call("echo").subscribe(signals);
			Future<Object> asking = this.threads.submit(() -> {
				barrier.await();
				signals.request(1);
				return null;
			});
			barrier.await();
			signals.cancel();
			asking.get();
			assertThat(signals.ends()).isZero();
			this.fixture.assertNothingIsLeft();
		}
	}

	@Test
	void openingAndClosingAtOnceNeverHangs() throws Exception {
		CyclicBarrier barrier = new CyclicBarrier(2);
		for (int round = 0; round < ROUNDS; round++) {
			SessionFixture fixture = new SessionFixture();
			fixture.transport.ignore("initialize");
			Future<Object> closing = this.threads.submit(() -> {
				barrier.await();
				fixture.session.close().block(LIMIT);
				return null;
			});
			barrier.await();
			AtomicInteger ends = new AtomicInteger();
			Disposable opening = fixture.session.open().doOnTerminate(ends::incrementAndGet).subscribe((server) -> {
			}, (ex) -> assertThat(ex).isInstanceOf(CancellationException.class));
			closing.get();
			SessionFixture.await(opening::isDisposed);
			assertThat(ends).hasValue(1);
			fixture.assertNothingIsLeft();
		}
	}

	/**
	 * Counts how often a request ended, and sees to it that a value is followed by
	 * completion.
	 */
	private static final class SignalCounter extends BaseSubscriber<CallToolResult> {

		private final AtomicInteger values = new AtomicInteger();

		private final AtomicInteger completions = new AtomicInteger();

		private final AtomicInteger errors = new AtomicInteger();

		private final long demand;

		private SignalCounter() {
			this(Long.MAX_VALUE);
		}

		private SignalCounter(long demand) {
			this.demand = demand;
		}

		@Override
		public Context currentContext() {
			// an error that meets a cancellation is dropped, which is no news here
			return Context.of("reactor.onErrorDropped.local", (Consumer<Throwable>) (ex) -> {
			});
		}

		@Override
		protected void hookOnSubscribe(Subscription subscription) {
			if (this.demand > 0) {
				subscription.request(this.demand);
			}
		}

		@Override
		protected void hookOnNext(CallToolResult value) {
			this.values.incrementAndGet();
		}

		@Override
		protected void hookOnComplete() {
			this.completions.incrementAndGet();
		}

		@Override
		protected void hookOnError(Throwable throwable) {
			this.errors.incrementAndGet();
		}

		private int ends() {
			SessionFixture.await(() -> isDisposed() || this.completions.get() + this.errors.get() > 0);
			assertThat(this.completions.get()).isLessThanOrEqualTo(this.values.get());
			return this.completions.get() + this.errors.get();
		}

	}

}
