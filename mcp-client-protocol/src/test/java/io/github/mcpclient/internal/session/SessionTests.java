package io.github.mcpclient.internal.session;

import java.io.IOException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;

import io.github.mcpclient.internal.session.RequestObserver.ObservedRequest;
import io.github.mcpclient.internal.support.ClientScheduler;
import io.github.mcpclient.internal.support.SendState;
import io.modelcontextprotocol.spec.McpError;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCMessage;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCRequest;
import io.modelcontextprotocol.spec.McpSchema.TextContent;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.NonBlocking;
import reactor.test.StepVerifier;
import reactor.util.context.Context;
import tools.jackson.databind.JsonNode;

import static io.github.mcpclient.testsupport.TestDefaults.afterTest;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyLong;
import static org.mockito.ArgumentMatchers.eq;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.verify;

/**
 * Tests for the requests of a session: how they are sent, and all the ways they end.
 */
class SessionTests extends SessionFixture {

	@Test
	void anErrorWhileAnAnswerIsBoundFailsTheCall() {
		openAnswering("{\"content\": [{\"type\": \"text\", \"text\": \"hello\", \"_meta\": {}}]}");
		NoClassDefFoundError missing = new NoClassDefFoundError("a/Class");
		this.transport.unmarshalling(missing);
		AtomicReference<Throwable> failure = new AtomicReference<>();
		call("echo").subscribe(null, failure::set);
		await(() -> failure.get() == missing);
	}

	@Test
	void anErrorOnTheWayOutFailsTheCall() {
		open();
		StackOverflowError deep = new StackOverflowError();
		this.transport.wire((message) -> {
			throw deep;
		});
		AtomicReference<Throwable> failure = new AtomicReference<>();
		call("echo").subscribe(null, failure::set);
		assertThat(failure).hasValue(deep);
	}

	@Test
	void eachObserverAddsToARequestAndSeesItsEnd() {
		List<ObservedRequest> ends = new CopyOnWriteArrayList<>();
		List<RequestObserver> observers = Stream.of("a", "b").map((name) -> {
			ObservedRequest request = mock(ObservedRequest.class);
			given(request.meta()).willReturn(Map.of(name, "1"));
			RequestObserver observer = mock(RequestObserver.class);
			given(observer.begin(any(), anyLong(), any(), any()))
				.willAnswer((call) -> "tools/call".equals(call.<Call<?>>getArgument(0).method()) ? request : null);
			ends.add(request);
			return observer;
		}).toList();
		SessionOptions options = OPTIONS;
		McpSession session = new DefaultSessionFactory(this.timer, (server, task) -> task.run()).create(
				this.transport, new SessionOptions(options.definition(), options.clientInfo(),
						options.initializationTimeout(), ServerRequests.NONE, observers, (context) -> null),
				this.listener);
		this.transport.answer("tools/call", "{\"content\": []}");
		session.open().block(SOON);
		CallToolResult result = session.request(tool(request("echo"), null)).block(SOON);
		assertThat(this.transport.received("tools/call").get(0).params())
			.hasToString("{\"name\":\"echo\",\"arguments\":{\"a\":1},\"_meta\":{\"a\":\"1\",\"b\":\"1\"}}");
		assertThat(ends).allSatisfy((request) -> verify(request).answered(eq(result), any()));
	}

	@Test
	void anErrorInTheCodeOfACallerFailsThatCallAlone() {
		openIgnoring("tools/call");
		List<String> told = new CopyOnWriteArrayList<>();
		for (int i = 0; i < 5; i++) {
			call("echo").doOnError((ex) -> {
				told.add(ex.getMessage());
				throw new NoClassDefFoundError("a/Class");
			}).subscribe(null, (ex) -> {
			});
		}
		this.session.terminate(new IllegalStateException("gone"));
		assertThat(told).hasSize(5).containsOnly("gone");
	}

	@Test
	void anErrorInACallersCodeIsToldThere() {
		openAnswering("{\"content\": [{\"type\": \"text\", \"text\": \"hello\"}]}");
		NoClassDefFoundError missing = new NoClassDefFoundError("a/Class");
		AtomicReference<Throwable> failure = new AtomicReference<>();
		call("echo").map((result) -> {
			throw missing;
		}).subscribe(null, failure::set);
		await(() -> failure.get() == missing);
	}

	@Test
	void toolIsCalled() {
		openAnswering("{\"content\": [{\"type\": \"text\", \"text\": \"hello\"}]}");
		assertThat(call("echo").block(SOON).content()).containsExactly(TextContent.builder("hello").build());
		assertThat(this.transport.received("tools/call").get(0).params()).hasToString("""
				{"name":"echo","arguments":{"a":1}}""");
	}

	@Test
	void eachSubscriptionIsARequestOfItsOwn() {
		openAnswering("{\"content\": []}");
		Mono<CallToolResult> call = call("echo");
		assertThat(this.transport.received("tools/call")).isEmpty();
		call.block(SOON);
		call.block(SOON);
		assertThat(this.transport.received("tools/call")).extracting(ScriptedTransport.Received::id)
			.doesNotHaveDuplicates()
			.hasSize(2);
	}

	@Test
	void nothingIsSentBeforeTheResultIsAskedFor() {
		openAnswering("{\"content\": []}");
		StepVerifier.create(call("echo"), 0)
			.expectSubscription()
			.then(() -> assertThat(this.transport.received("tools/call")).isEmpty())
			.thenRequest(1)
			.expectNextCount(1)
			.expectComplete()
			.verify(SOON);
		StepVerifier.create(call("echo"), 0).thenCancel().verify(SOON);
		assertThat(this.transport.received("tools/call")).hasSize(1);
		assertThat(this.transport.received("notifications/cancelled")).isEmpty();
	}

	@Test
	void answerIsMatchedInWhateverFormTheServerEchoesTheId() {
		openIgnoring("tools/call");
		for (int i = 0; i < 4; i++) {
			AtomicReference<CallToolResult> result = new AtomicReference<>();
			call("echo").subscribe(result::set);
			long id = (Long) this.transport.received("tools/call").get(i).id();
			Object echoed = switch (i) {
				case 0 -> (int) id;
				case 1 -> id;
				case 2 -> String.valueOf(id);
				default -> "0" + id;
			};
			this.transport.serverAnswers(echoed, "{\"content\": []}");
			assertThat(result).as(echoed.getClass().getSimpleName()).doesNotHaveNullValue();
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "x", "-1", "99999999999999999999999", "999999999999999999", "\u0663" })
	void answerWithAStrangeIdIsIgnored(String id) {
		open();
		this.transport.serverAnswers(id, "{}");
		this.transport.serverAnswers(4711L, "{}");
		this.session.ping(MINUTE).block(SOON);
	}

	@Test
	void idsOfSessionsBeginAtDifferentPositiveIntegers() {
		McpSession.Factory factory = new DefaultSessionFactory(this.timer, (server, task) -> task.run());
		Set<Long> first = new HashSet<>();
		for (int i = 0; i < 20; i++) {
			ScriptedTransport transport = new ScriptedTransport();
			factory.create(transport, OPTIONS, this.listener).open().block(SOON);
			first.add((Long) transport.received("initialize").get(0).id());
		}
		assertThat(first).hasSize(20).allSatisfy((id) -> assertThat(id).isBetween(1L, (1L << 30) - 1));
	}

	@Test
	void errorAnswerFailsTheCall() {
		open();
		assertThatExceptionOfType(McpError.class).isThrownBy(() -> call("echo").block(SOON))
			.satisfies((ex) -> assertThat(ex.getJsonRpcError().code()).isEqualTo(-32601));
	}

	@Test
	void transportFindsTheIdEqualToThatOfTheAnswer() {
		AtomicReference<Object> id = new AtomicReference<>();
		open();
		this.transport.wire((message) -> {
			id.set(((JSONRPCRequest) message).id());
			return Mono.empty();
		});
		this.session.ping(MINUTE).block(SOON);
		int first = ((Long) this.transport.received("initialize").get(0).id()).intValue();
		assertThat(id.get()).isEqualTo(first + 1);
	}

	@Test
	void failureToSendFailsTheCallAtOnce() {
		IOException cause = new IOException("reset");
		openIgnoring("tools/call");
		this.transport.wire((message) -> Mono.error(cause));
		assertThat(catchThrowable(() -> call("echo").block(SOON))).hasCause(cause);
		assertThat(this.transport.received("notifications/cancelled")).isEmpty();
	}

	@Test
	void transportThatThrowsFailsTheCallAtOnce() {
		IllegalArgumentException cause = new IllegalArgumentException("cannot be written");
		open();
		SessionFixture other = new SessionFixture();
		other.open();
		other.transport.wire((message) -> {
			throw cause;
		});
		assertThat(catchThrowable(() -> other.call("echo").block(SOON))).isSameAs(cause);
		other.assertNothingIsLeft();
	}

	@Test
	void answerMayComeAfterTheMessageWasSent() {
		this.transport.on("tools/call", (request) -> Mono.empty());
		open();
		AtomicReference<CallToolResult> result = new AtomicReference<>();
		call("echo").subscribe(result::set);
		assertThat(result).hasNullValue();
		assertThat(this.session.pendingCount()).isOne();
		this.transport.serverAnswers(this.transport.received("tools/call").get(0).id(), "{\"content\": []}");
		assertThat(result).doesNotHaveNullValue();
	}

	@Test
	void messageOnItsWayIsNotCancelledByTheAnswer() {
		openIgnoring("tools/call");
		call("echo").subscribe();
		this.transport.serverAnswers(this.transport.received("tools/call").get(0).id(), "{\"content\": []}");
		assertThat(this.transport.cancelledSends()).isZero();
	}

	@Test
	void secondAnswerIsIgnored() {
		openIgnoring("tools/call");
		StepVerifier.create(call("echo"))
			.then(() -> answerTwice(this.transport.received("tools/call").get(0).id()))
			.expectNextCount(1)
			.expectComplete()
			.verify(SOON);
	}

	private void answerTwice(Object id) {
		this.transport.serverAnswers(id, "{\"content\": []}");
		this.transport.serverAnswers(id, "{\"content\": []}");
	}

	@Test
	void requestBeforeTheSessionIsOpenFails() {
		assertThatIllegalStateException().isThrownBy(() -> call("echo").block(SOON))
			.withMessage("The session is not open yet");
		assertThatIllegalStateException().isThrownBy(() -> this.session.list(ItemKind.TOOLS).block(SOON));
		assertThatIllegalStateException().isThrownBy(() -> this.session.ping(MINUTE).block(SOON));
		assertThat(this.transport.received()).isEmpty();
	}

	@Test
	void contextOfTheCallerReachesTheTransport() {
		openAnswering("{\"content\": []}");
		call("echo").contextWrite(Context.of("user", "alice")).block(SOON);
		Context context = Context.of(this.transport.received("tools/call").get(0).context());
		assertThat((String) context.get("user")).isEqualTo("alice");
		assertThat((String) context.get("io.modelcontextprotocol.client.negotiated-protocol-version"))
			.isEqualTo("2025-11-25");
	}

	@Test
	void resultArrivesOnTheThreadThatDeliversIt() {
		openIgnoring("tools/call");
		AtomicReference<Thread> thread = new AtomicReference<>();
		call("echo").subscribe((result) -> thread.set(Thread.currentThread()));
		this.transport.serverAnswers(this.transport.received("tools/call").get(0).id(), "{\"content\": []}");
		assertThat(thread).hasValue(Thread.currentThread());
	}

	@Test
	void nothingHappensAMomentBeforeTheDeadline() {
		openIgnoring("tools/call");
		StepVerifier.create(call("echo"))
			.then(() -> this.timer.advance(MINUTE.minusNanos(1)))
			.then(() -> assertThat(this.session.pendingCount()).isOne())
			.then(() -> this.timer.advance(Duration.ofNanos(1)))
			.expectErrorSatisfies(this::isTimeout)
			.verify(SOON);
		awaitReceived("notifications/cancelled", 1);
		JsonNode params = this.transport.received("notifications/cancelled").get(0).params();
		assertThat(params.get("requestId").asLong()).isEqualTo(this.transport.received("tools/call").get(0).id());
		assertThat(params.get("reason").asString()).isEqualTo("No response within PT1M");
		assertThat(this.transport.cancelledSends()).isOne();
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void aRequestThatTheTransportHoldsBackHasNotBeenSent(boolean sent) {
		class Holding extends ScriptedTransport implements SendState.Reporter {

			@Override
			public Mono<Void> sendMessage(JSONRPCMessage message) {
				if (!(message instanceof JSONRPCRequest request) || !request.method().equals("tools/call")) {
					return super.sendMessage(message);
				}
				return Mono.deferContextual((context) -> {
					if (sent) {
						SendState.sent(context);
					}
					return Mono.never();
				});
			}

		}
		Session session = (Session) new DefaultSessionFactory(this.timer, (server, task) -> task.run())
			.create(new Holding(), OPTIONS, this.listener);
		session.open().block(SOON);
		SendState whole = new SendState();
		Mono<CallToolResult> call = session.request(tool(request("echo"), null)).contextWrite(whole::in);
		assertFailure(call, () -> this.timer.advance(MINUTE)).isInstanceOf(SessionTimeoutException.class)
			.hasFieldOrPropertyWithValue("unsent", !sent)
			.hasFieldOrPropertyWithValue("cancelled", sent);
		assertThat(whole.isSent()).isEqualTo(sent);
		RuntimeException cause = new IllegalStateException("pending");
		RuntimeException unsent = new IllegalStateException("unsent");
		assertFailure(call, () -> session.terminate(cause, unsent)).isSameAs(sent ? cause : unsent);
		assertFailure(call).isSameAs(unsent);
	}

	private void isTimeout(Throwable ex) {
		assertThat(ex).isInstanceOf(SessionTimeoutException.class)
			.hasMessage("No response to tools/call echo within 60000 ms")
			.hasFieldOrPropertyWithValue("timeout", MINUTE)
			.hasFieldOrPropertyWithValue("cancelled", true)
			.hasFieldOrPropertyWithValue("request", "tools/call echo");
	}

	@Test
	void lateAnswerIsIgnored() {
		openIgnoring("tools/call");
		assertFailure(call("echo"), () -> this.timer.advance(MINUTE)).isInstanceOf(SessionTimeoutException.class);
		Object id = this.transport.received("tools/call").get(0).id();
		for (Object late : List.of(id, id, String.valueOf(id))) {
			this.transport.serverAnswers(late, "{\"content\": []}");
		}
		this.session.ping(MINUTE).block(SOON);
		assertThat(this.listener.deviations()).isEmpty();
	}

	@Test
	void responseThatNobodyAskedForIsADeviation() {
		openIgnoring("tools/call");
		Disposable call = call("echo").subscribe();
		long id = ((Number) this.transport.received("tools/call").get(0).id()).longValue();
		long before = id - 1000;
		for (Object unknown : List.of(id + 1, before, "7f-a", "" + (id + 1), -1, Long.MAX_VALUE, "")) {
			this.transport.serverAnswers(unknown, "{\"content\": []}");
		}
		assertThat(this.listener.deviations()).containsExactly("UNKNOWN_ID '" + (id + 1) + "'",
				"UNKNOWN_ID '" + before + "'", "UNKNOWN_ID '7f-a'", "UNKNOWN_ID '" + (id + 1) + "'", "UNKNOWN_ID '-1'",
				"UNKNOWN_ID '" + Long.MAX_VALUE + "'", "UNKNOWN_ID ''");
		assertThat(this.session.pendingCount()).isOne();
		call.dispose();
	}

	@Test
	void cancellationReachesTheServerWithTheContextOfTheCaller() {
		openIgnoring("tools/call");
		Disposable call = call("echo").contextWrite(Context.of("user", "alice")).subscribe();
		call.dispose();
		assertThat(this.transport.cancelledSends()).isOne();
		ScriptedTransport.Received cancelled = this.transport.received("notifications/cancelled").get(0);
		assertThat(cancelled.params().get("requestId").asLong())
			.isEqualTo(this.transport.received("tools/call").get(0).id());
		assertThat((String) cancelled.context().get("user")).isEqualTo("alice");
		assertThat(this.session.pendingCount()).isZero();
	}

	@Test
	void cancellationAfterTheAnswerDoesNothing() {
		openAnswering("{\"content\": []}");
		Disposable call = call("echo").subscribe();
		call.dispose();
		assertThat(this.transport.received("notifications/cancelled")).isEmpty();
	}

	@Test
	void cancellationThatCannotBeSentIsForgotten() {
		openIgnoring("tools/call");
		Disposable call = call("echo").subscribe();
		this.transport.wire((message) -> Mono.error(new IOException("reset")));
		call.dispose();
		assertThat(this.session.channel().quietSends()).isZero();
	}

	@Test
	void cancellationsToAServerThatDoesNotReadAreBounded() {
		openIgnoring("tools/call");
		AtomicReference<Integer> stuck = new AtomicReference<>(0);
		this.transport.wire((message) -> (message instanceof JSONRPCRequest) ? Mono.empty()
				: Mono.<Void>never().doOnSubscribe((subscription) -> stuck.updateAndGet((count) -> count + 1)));
		for (int i = 0; i < RequestChannel.MAX_QUIET_SENDS + 10; i++) {
			call("echo").subscribe().dispose();
		}
		assertThat(stuck).hasValue(RequestChannel.MAX_QUIET_SENDS);
		assertThat(this.session.channel().quietSends()).isEqualTo(RequestChannel.MAX_QUIET_SENDS);
		this.timer.advance(RequestChannel.QUIET_SEND_TIMEOUT);
		await(() -> this.session.channel().quietSends() == 0);
	}

	@Test
	void hugeTimeoutWorks() {
		this.transport.answer("tools/call", "{\"content\": []}").ignore("ping");
		open();
		Duration forever = Duration.ofSeconds(Long.MAX_VALUE, 999_999_999);
		assertThat(this.session.request(tool(request("echo"), forever, null, null)).block(SOON)).isNotNull();
		Disposable ping = this.session.ping(forever).subscribe();
		this.timer.advance(Duration.ofDays(99 * 365));
		assertThat(this.session.pendingCount()).isOne();
		ping.dispose();
		assertThat(new SessionTimeoutException("ping", forever)).hasMessageContaining("No response to ping within PT");
	}

	@ParameterizedTest
	@ValueSource(longs = { 1, 0, -1 })
	void tinyTimeoutWorks(long nanos) {
		ClientScheduler scheduler = ClientScheduler.create();
		afterTest(scheduler::dispose);
		Session session = openSession(scheduler);
		AtomicReference<Thread> thread = new AtomicReference<>();
		assertThatExceptionOfType(SessionTimeoutException.class).isThrownBy(() -> session.ping(Duration.ofNanos(nanos))
			.doOnError((ex) -> thread.set(Thread.currentThread()))
			.block(SOON));
		assertThat(thread.get()).isNotSameAs(Thread.currentThread()).isInstanceOf(NonBlocking.class);
		assertThat(session.pendingCount()).isZero();
	}

	@Test
	void schedulerThatIsGoneFailsTheCall() {
		ClientScheduler scheduler = ClientScheduler.create();
		Session session = openSession(scheduler);
		scheduler.dispose();
		assertThatExceptionOfType(RejectedExecutionException.class).isThrownBy(() -> session.ping(MINUTE).block(SOON));
		assertThat(session.pendingCount()).isZero();
	}

	private Session openSession(ClientScheduler scheduler) {
		ScriptedTransport transport = new ScriptedTransport().ignore("ping");
		Session session = (Session) new DefaultSessionFactory(scheduler, (server, task) -> scheduler.schedule(task))
			.create(transport, OPTIONS, this.listener);
		session.open().block(SOON);
		return session;
	}

	@Test
	void terminationFailsAllThatIsUnderWayAndAllThatFollows() {
		this.transport.ignore("tools/call").ignore("ping").ignore("tools/list");
		open();
		AtomicReference<Throwable> call = new AtomicReference<>();
		AtomicReference<Throwable> ping = new AtomicReference<>();
		AtomicReference<Throwable> list = new AtomicReference<>();
		call("echo").subscribe(null, call::set);
		this.session.ping(MINUTE).subscribe(null, ping::set);
		this.session.list(ItemKind.TOOLS).subscribe(null, list::set);
		IOException cause = new IOException("the child exited");
		this.session.terminate(cause);
		this.session.terminate(new IOException("later"));
		assertThat(call.get()).isSameAs(cause);
		assertThat(ping.get()).isSameAs(cause);
		assertThat(list.get()).isSameAs(cause);
		assertThat(this.transport.cancelledSends()).isEqualTo(3);
		assertThat(this.transport.received("notifications/cancelled")).isEmpty();
		assertFails(call("echo"), cause);
		assertFails(this.session.list(ItemKind.TOOLS), cause);
		assertThat(this.transport.received("tools/call")).hasSize(1);
		assertThat(this.transport.closeCount()).isZero();
	}

	@Test
	void nothingIsToldToTheServerAfterTermination() {
		openIgnoring("tools/call");
		this.session.terminate(new IOException("gone"));
		int sent = this.transport.received().size();
		this.transport.serverAsks(1, "ping", null);
		this.transport.serverNotifies("notifications/tools/list_changed", null);
		assertThat(this.transport.received()).hasSize(sent);
		assertThat(this.listener.listChanges()).isEmpty();
	}

	@Test
	void closeFailsWhatIsUnderWayAndClosesTheTransport() {
		openIgnoring("tools/call");
		assertFailure(call("echo"), () -> this.session.close().block(SOON)).isInstanceOf(CancellationException.class)
			.hasMessage("The session was closed");
		assertThat(this.transport.closeCount()).isOne();
	}

	@Test
	void closeAfterTerminationKeepsTheCause() {
		open();
		IOException cause = new IOException("gone");
		this.session.terminate(cause);
		this.session.close().block(SOON);
		assertThat(this.transport.closeCount()).isOne();
		assertFails(call("echo"), cause);
	}

	@Test
	void pingIsAnswered() {
		open();
		StepVerifier.create(this.session.ping(MINUTE)).expectComplete().verify(SOON);
		assertThat(this.transport.received("ping").get(0).json().has("params")).isFalse();
	}

	@Test
	void errorIsAnAnswerToPing() {
		this.transport.on("ping", (request) -> Mono.error(McpError.builder(-32601).message("no such method").build()));
		open();
		StepVerifier.create(this.session.ping(MINUTE)).expectComplete().verify(SOON);
	}

	@Test
	void strangeResultIsAnAnswerToPing() {
		this.transport.answer("ping", "\"pong\"");
		open();
		StepVerifier.create(this.session.ping(MINUTE)).expectComplete().verify(SOON);
	}

	@Test
	void silenceIsNoAnswerToPing() {
		openIgnoring("ping");
		assertFailure(this.session.ping(Duration.ofSeconds(5)), () -> this.timer.advance(Duration.ofSeconds(5)))
			.hasMessage("No response to ping within 5000 ms");
		awaitReceived("notifications/cancelled", 1);
	}

	@Test
	void metaOfACallIsPassedOn() {
		openAnswering("{\"content\": []}");
		CallToolRequest request = CallToolRequest.builder("echo").meta(Map.of("trace", "t1")).build();
		this.session.request(tool(request, null)).block(SOON);
		assertThat(this.transport.received("tools/call").get(0).params().get("_meta"))
			.hasToString("{\"trace\":\"t1\"}");
	}

}
