package io.github.mcpclient.internal.connection;

import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

import io.github.mcpclient.McpConnectionException;
import io.github.mcpclient.McpException;
import io.github.mcpclient.McpProtocolException;
import io.github.mcpclient.McpRequestTimeoutException;
import io.github.mcpclient.McpServerState;
import io.github.mcpclient.McpServerUnavailableException;
import io.github.mcpclient.NoSuchMcpToolException;
import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.definition.McpServerDefinition.Reconnect;
import io.github.mcpclient.definition.McpServerDefinitionBuilder;
import io.github.mcpclient.internal.connection.FakeSessions.Link;
import io.github.mcpclient.internal.connection.FakeSessions.Request;
import io.github.mcpclient.internal.session.Call;
import io.github.mcpclient.internal.session.SessionProtocolException;
import io.github.mcpclient.internal.session.SessionTimeoutException;
import io.github.mcpclient.internal.support.VirtualScheduler;
import io.github.mcpclient.internal.transport.HttpStatusException;
import io.github.mcpclient.spi.TransportException;
import io.modelcontextprotocol.spec.McpError;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCResponse.JSONRPCError;
import io.modelcontextprotocol.spec.McpTransportException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for the calls of an {@link McpConnection}.
 */
class CallsTests extends ConnectionHarness {

	@Test
	void callGoesToTheSession() {
		ready("echo");
		Answer answer = call();
		Answer own = call(Duration.ofSeconds(3), false);
		assertThat(link().timeouts("tools/call")).containsExactly(Duration.ofSeconds(60), Duration.ofSeconds(3));
		assertThat(answer.isOpen()).isTrue();
		link().calls.get(1).tryEmitValue(FakeSessions.result("two"));
		assertAnswered(0, answer);
		assertThat(own.text()).isEqualTo("two");
		assertThat(this.time.pending()).isZero();
	}

	@Test
	void eachSubscriptionIsACallOfItsOwn() {
		McpConnection connection = ready();
		Mono<?> call = connection
			.call(Call.tool(new CallToolRequest("echo", null, null), Call.Options.of(Duration.ofSeconds(60), false)));
		assertThat(link().calls).isEmpty();
		call.onErrorComplete().subscribe();
		call.onErrorComplete().subscribe();
		assertThat(link().calls).hasSize(2);
	}

	@Test
	void cancelledCallIsCancelledAtTheSession() {
		ready();
		call().cancel();
		assertThat(link().cancelled).hasValue(1);
	}

	@Test
	void unavailableServerFailsAtOnce() {
		ready();
		link().die("The process exited with code 1");
		Answer answer = call(null, true);
		assertThatExceptionOfType(McpServerUnavailableException.class).isThrownBy(() -> {
			throw answer.failure;
		})
			.withMessage(
					"MCP server 'x' (server) is UNAVAILABLE: The process exited with code 1. Check mcp.servers.x.command. Next attempt at 2026-11-21T10:00:01Z.")
			.satisfies((ex) -> {
				assertThat(ex.getServerName()).isEqualTo("x");
				assertThat(ex.getState()).isEqualTo(McpServerState.UNAVAILABLE);
				assertThat(ex.getNextRetry()).isEqualTo(VirtualScheduler.START.plusSeconds(1));
			});
		advanceToRetry();
		assertThat(call(null, true).failure).isInstanceOf(McpServerUnavailableException.class)
			.hasMessageContaining("is CONNECTING");
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void timeoutNamesServerAndTool(boolean cancelled) {
		ready();
		Answer answer = call(Duration.ofSeconds(3), true);
		fail(0, new SessionTimeoutException("tools/call echo", Duration.ofSeconds(3), cancelled));
		assertThat(answer.failure).isInstanceOf(McpRequestTimeoutException.class)
			.hasMessage("MCP server 'x' did not respond to tools/call echo within 3000 ms."
					+ (cancelled ? " The request was cancelled." : "")
					+ " Raise mcp.servers.x.request-timeout, or the timeout of the call, if the request needs longer.");
		// Neither the end of the connection nor a reason to ask again
		assertThat(state()).isEqualTo(McpServerState.READY);
		assertThat(link().calls).hasSize(1);
	}

	@Test
	void progressMayExtendTheTimeout() {
		McpConnection connection = create();
		Answer answer = new Answer(connection
			.call(Call.tool(new CallToolRequest("echo", null, null), new Call.Options(Duration.ofSeconds(3),
					Duration.ofSeconds(10), null, null, null, true, Call.UNCHECKED))));
		this.time.advance(Duration.ofSeconds(2));
		link().ready();
		assertThat(link().timeouts("tools/call")).containsExactly(Duration.ofSeconds(3));
		assertThat(link().requests).extracting(Request::longest).containsExactly(Duration.ofSeconds(8));
		this.time.advance(Duration.ofSeconds(5));
		link().die(sessionLost());
		link().ready();
		// 3 s are left, of the longest time
		assertThat(link().requests).extracting(Request::longest).containsExactly(Duration.ofSeconds(3));
		this.time.advance(Duration.ofSeconds(3));
		fail(0, new SessionTimeoutException("tools/call echo", Duration.ofSeconds(3)));
		assertThat(answer.failure).isInstanceOf(McpRequestTimeoutException.class);
	}

	@Test
	void headersTakeOfTheTimeout() {
		provideHeaders((request) -> Mono.delay(Duration.ofSeconds(2), this.time).thenReturn(Map.of("X-Name", "x")));
		overHttp();
		call(Duration.ofSeconds(3), true);
		assertThat(link().calls).isEmpty();
		this.time.advance(Duration.ofSeconds(2));
		assertThat(link().timeouts("tools/call")).containsExactly(Duration.ofSeconds(1));
		Answer late = call(Duration.ofSeconds(1), true);
		this.time.advance(Duration.ofSeconds(1));
		assertThat(late.failure).isInstanceOf(McpRequestTimeoutException.class)
			.hasMessage(
					"MCP server 'x' did not respond to tools/call echo (it waited for the headers of an McpHeadersProvider; nothing was sent) within 1000 ms. Raise mcp.servers.x.request-timeout, or the timeout of the call, if the request needs longer.");
		this.time.advance(Duration.ofSeconds(2));
		assertThat(link().calls).hasSize(1);
	}

	@Test
	void headersAreNotAskedForACallThatCannotBeMade() {
		AtomicInteger asked = new AtomicInteger();
		provideHeaders((request) -> {
			asked.incrementAndGet();
			return Mono.empty();
		});
		overHttp();
		call();
		assertThat(asked).hasValue(1);
		link().die("The server has gone");
		assertThat(call().failure).isInstanceOf(McpServerUnavailableException.class);
		assertThat(asked).hasValue(1);
	}

	private void overHttp() {
		create(McpServerDefinition.http("x", URI.create("http://localhost/mcp")), (builder) -> builder).start();
		link().ready("echo");
	}

	@Test
	void errorOfTheServerKeepsCodeMessageAndData() {
		ready();
		Answer answer = call(null, true);
		fail(0, new McpError(new JSONRPCError(-32602, "Unknown tool", List.of(1))));
		assertThat(answer.failure).isInstanceOf(McpProtocolException.class)
			.hasMessage("MCP server 'x' returned error -32602 for tools/call echo: Unknown tool");
		assertThat(((McpProtocolException) answer.failure).getCode()).isEqualTo(-32602);
		assertThat(((McpProtocolException) answer.failure).getData()).isEqualTo(List.of(1));
		assertThat(link().calls).hasSize(1);
	}

	@Test
	void failureOfOneExchangeIsNotTheEndOfTheConnection() {
		ready();
		Answer answer = call(null, true);
		fail(0, new TransportException("The server's message is too large", null, null));
		assertThat(answer.failure).isInstanceOf(McpConnectionException.class)
			.hasMessage("MCP server 'x' (server): The server's message is too large. Check mcp.servers.x.command.");
		assertThat(((McpConnectionException) answer.failure).isOutcomeKnown()).isFalse();
		assertThat(state()).isEqualTo(McpServerState.READY);
		assertThat(link().calls).hasSize(1);
		assertThat(link().pings).isEmpty();
	}

	@Test
	void callThatWasCutOffFailsAtOnceAndTheServerIsProbed() {
		ready();
		Answer answer = call(null, false);
		fail(0, cutOff());
		assertThat(answer.failure).isInstanceOf(McpConnectionException.class)
			.hasMessage("MCP server 'x' (server): The connection broke. Check mcp.servers.x.command.");
		assertThat(link().pings).hasSize(1);
		assertThat(link().pingTimeouts).containsExactly(Duration.ofSeconds(10));
		link().pings.get(0).tryEmitEmpty();
		assertThat(state()).isEqualTo(McpServerState.READY);
		assertThat(link().calls).hasSize(1);
	}

	@Test
	void repeatableCallIsRepeatedWhereTheServerIsStillThere() {
		ready();
		Answer answer = call(Duration.ofSeconds(10), true);
		fail(0, cutOff());
		this.time.advance(Duration.ofSeconds(2));
		assertThat(link().calls).hasSize(1);
		link().pings.get(0).tryEmitEmpty();
		assertThat(link().timeouts("tools/call")).containsExactly(Duration.ofSeconds(10), Duration.ofSeconds(8));
		fail(1, cutOff());
		// Once
		assertThat(answer.failure).isInstanceOf(McpConnectionException.class);
		assertThat(link().calls).hasSize(2);
		assertThat(this.server.attempts()).isEqualTo(1);
	}

	@Test
	void callsThatAreCutOffTogetherShareOneProbe() {
		ready();
		List<Answer> answers = new ArrayList<>();
		IntStream.range(0, 20).forEach((i) -> answers.add(call(null, true)));
		IntStream.range(0, 20).forEach((i) -> fail(i, cutOff()));
		Link link = this.server.last();
		assertThat(link.pings).hasSize(1);
		link.answer = (request) -> Mono.just(FakeSessions.result("ok"));
		link.pings.get(0).tryEmitEmpty();
		assertThat(answers).allSatisfy((answer) -> assertThat(answer.text()).isEqualTo("ok"));
		call(null, false);
		link.answer = null;
		call(null, false);
		fail(link.calls.size() - 1, cutOff());
		assertThat(link.pings).hasSize(2);
	}

	@Test
	void probeThatIsCutOffIsTheEndOfTheConnection() {
		ready();
		Answer safe = call(null, true);
		Answer other = call(null, false);
		fail(0, cutOff());
		assertThat(other.isOpen()).isTrue();
		link().pings.get(0).tryEmitError(cutOff());
		assertThat(state()).isEqualTo(McpServerState.UNAVAILABLE);
		assertThat(status().lastError()).startsWith("The connection broke. ");
		assertThat(other.failure).isInstanceOf(McpConnectionException.class);
		readyAgain();
		assertAnswered(0, safe);
	}

	@Test
	void refusedProbeEndsTheConnectionUntilTheBackoffIsOver() {
		ready();
		Answer safe = call(null, true);
		fail(0, cutOff());
		// The ping was not processed, but that does not mean that the server is there
		link().pings.get(0)
			.tryEmitError(new TransportException("Connection refused", "Start it.", false, new ConnectException()));
		assertThat(state()).isEqualTo(McpServerState.UNAVAILABLE);
		assertThat(status().nextRetry()).isEqualTo(this.time.instant().plusSeconds(1));
		assertThat(safe.isOpen()).isTrue();
		readyAgain();
		assertAnswered(0, safe);
	}

	@Test
	void probeThatIsNotAnsweredProvesNothing() {
		ready();
		Answer answer = call(null, true);
		fail(0, cutOff());
		link().pings.get(0).tryEmitError(new SessionTimeoutException("ping", Duration.ZERO));
		assertThat(state()).isEqualTo(McpServerState.READY);
		assertAnswered(1, answer);
	}

	@Test
	void probeIsPartOfTheTimeout() {
		ready();
		Answer answer = call(Duration.ofMillis(100), true);
		fail(0, cutOff());
		this.time.advance(Duration.ofMillis(100));
		assertThat(answer.failure).isInstanceOf(McpConnectionException.class);
		link().pings.get(0).tryEmitEmpty();
		assertThat(link().calls).hasSize(1);
	}

	@Test
	void errorStatusIsAnAnswer() {
		ready();
		Answer answer = call(null, true);
		fail(0, new HttpStatusException(503, "HTTP 503 Service Unavailable", null, false));
		assertThat(answer.failure).isInstanceOf(McpConnectionException.class)
			.hasMessage(
					"MCP server 'x' (server): HTTP 503 Service Unavailable. Check the log of the server, or of the gateway in front of it.");
		assertThat(this.time.pending()).isZero();
	}

	@Test
	void exchangeThatNeverBeganHasAKnownOutcome() {
		ready();
		Answer answer = call(null, false);
		fail(0, new TransportException("All connections are in use", "Limit the calls.", false, null));
		assertThat(answer.failure).isInstanceOf(McpConnectionException.class)
			.hasMessage("MCP server 'x' (server): All connections are in use. Limit the calls.");
		assertThat(((McpConnectionException) answer.failure).isOutcomeKnown()).isTrue();
	}

	@Test
	void answerThatCannotBeUnderstoodIsNotAskedForAgain() {
		ready();
		Answer answer = call(null, true);
		fail(0, new SessionProtocolException("The answer cannot be understood", null,
				new IllegalStateException("token x")));
		assertThat(answer.failure).isInstanceOf(McpConnectionException.class)
			.hasMessage("MCP server 'x' (server): The answer cannot be understood. Check the server's log.");
		assertThat(state()).isEqualTo(McpServerState.READY);
	}

	@Test
	void lossFailsPendingCallsAtOnceWithTheCause() {
		ready();
		Answer answer = call();
		this.server.last()
			.die(new TransportException("The process exited with code 137 (SIGKILL)", "Look at its log.",
					new IllegalStateException("inner")));
		assertThat(answer.failure).isInstanceOf(McpConnectionException.class)
			.hasMessage("MCP server 'x' (server): The process exited with code 137 (SIGKILL). Look at its log.");
		assertThat(((McpConnectionException) answer.failure).isOutcomeKnown()).isFalse();
	}

	@Test
	void repeatableCallIsRepeatedOnceOnTheNextConnection() {
		ready();
		Answer answer = call(Duration.ofSeconds(10), true);
		link().die("The connection broke");
		this.time.advance(Duration.ofSeconds(1));
		assertThat(answer.isOpen()).isTrue();
		this.time.advance(Duration.ofSeconds(2));
		link().ready();
		assertThat(link().calls).hasSize(1);
		assertThat(link().timeouts("tools/call")).containsExactly(Duration.ofSeconds(7));
		assertAnswered(0, answer);
	}

	@Test
	void repetitionIsNotRepeated() {
		ready();
		Answer answer = call(null, true);
		link().die("broke once");
		readyAgain();
		link().die("broke twice");
		assertThat(answer.failure).isInstanceOf(McpConnectionException.class).hasMessageContaining("broke twice");
		readyAgain();
		assertThat(link().calls).isEmpty();
	}

	@Test
	void theFirstTryMayHaveActedWhateverBecomesOfTheNextOne() {
		ready();
		Answer answer = call(null, true);
		link().die("broke once");
		readyAgain();
		fail(0, new TransportException("All connections are in use", "Limit the calls.", false, null));
		assertThat(answer.failure).isInstanceOf(McpConnectionException.class)
			.hasMessageContaining("All connections are in use");
		assertThat(((McpException) answer.failure).isOutcomeKnown()).isFalse();
	}

	@Test
	void aToolThatIsGoneWhenItIsToBeCalledAgainMayHaveActed() {
		McpConnection connection = ready();
		AtomicInteger tries = new AtomicInteger();
		Answer answer = new Answer(connection
			.call(Call.tool(new CallToolRequest("echo", null, null), Call.Options.of(Duration.ofSeconds(60), true))
				.checkedBy(() -> (tries.getAndIncrement() == 0) ? null
						: NoSuchMcpToolException.because("x_echo", "x", "it is gone"))));
		link().die("The connection broke");
		readyAgain();
		assertThat(tries).hasValue(2);
		assertThat(answer.failure).isInstanceOf(McpConnectionException.class)
			.hasMessageContaining("The connection broke");
		assertThat(((McpException) answer.failure).isOutcomeKnown()).isFalse();
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void headersThatFailAreNotSent(boolean processed) {
		provideHeaders((request) -> request.forCaller()
				? Mono.error(new TransportException("No token", "Ask again.", processed, null)) : Mono.empty());
		overHttp();
		Answer answer = call();
		assertThat(answer.failure).isInstanceOf(McpConnectionException.class).hasMessageContaining("No token");
		assertThat(((McpException) answer.failure).isOutcomeKnown()).isTrue();
		assertThat(link().calls).isEmpty();
	}

	@Test
	void callThatMayHaveActedIsNotRepeated() {
		ready();
		Answer answer = call(null, false);
		link().die("The connection broke");
		assertThat(answer.failure).isInstanceOf(McpConnectionException.class);
		readyAgain();
		assertThat(link().calls).isEmpty();
	}

	@Test
	void attemptThatFailsEndsTheCallWithItsOwnFailure() {
		ready();
		Answer answer = call(null, true);
		link().die("The connection broke");
		advanceToRetry();
		link().die("Connection refused");
		assertThat(answer.failure).isInstanceOf(McpConnectionException.class)
			.hasMessageContaining("The connection broke");
	}

	@Test
	void callThatWaitsForTheNextConnectionEndsAtItsTimeout() {
		ready();
		Answer answer = call(Duration.ofMillis(500), true);
		link().die("The connection broke");
		this.time.advance(Duration.ofMillis(500).minusNanos(1));
		assertThat(answer.isOpen()).isTrue();
		this.time.advance(Duration.ofNanos(1));
		assertThat(answer.failure).isInstanceOf(McpConnectionException.class)
			.hasMessageContaining("The connection broke");
	}

	@Test
	void callThatWaitsForTheNextConnectionCanBeCancelled() {
		ready();
		Answer answer = call(null, true);
		link().die("The connection broke");
		answer.cancel();
		assertThat(this.time.pending()).isEqualTo(1);
		readyAgain();
		assertThat(link().calls).isEmpty();
	}

	@Test
	void callDoesNotWaitForAnAttemptThatIsNotPlanned() {
		ready(reconnectDisabled());
		Answer answer = call(null, true);
		link().die("The connection broke");
		assertThat(answer.failure).isInstanceOf(McpConnectionException.class);
	}

	@Test
	void callIsRepeatedWhenTheConnectionIsDroppedToConnectAnew() {
		McpConnection connection = ready();
		Answer safe = call(null, true);
		Answer unsafe = call(null, false);
		connection.reconnect();
		assertThat(unsafe.failure).isInstanceOf(McpConnectionException.class)
			.hasMessage(
					"MCP server 'x' (server): The connection was dropped to connect again, as requested. Call again if the call may be repeated.");
		link().ready();
		assertAnswered(0, safe);
	}

	@Test
	void closeFailsPendingCalls() {
		McpConnection connection = ready();
		Answer pending = call(null, true);
		connection.close();
		assertThat(pending.failure).isInstanceOf(McpServerUnavailableException.class)
			.hasMessage("MCP server 'x' (server) is CLOSED");
	}

	@Test
	void closeFailsCallsThatWaitForTheNextConnection() {
		McpConnection connection = ready();
		Answer waiting = call(null, true);
		link().die("The connection broke");
		assertThat(waiting.isOpen()).isTrue();
		connection.close();
		assertThat(waiting.failure).isInstanceOf(McpConnectionException.class);
	}

	@Test
	void callsThatMeetALostSessionShareOneAttemptAndAreAllAnswered() {
		ready("echo");
		List<Answer> answers = new ArrayList<>();
		IntStream.range(0, 20).forEach((i) -> answers.add(call(null, false)));
		Link lost = this.server.last();
		this.server.script = (link) -> {
			link.initialize();
			link.tools = List.of(FakeSessions.tool("echo"));
			link.answer = (request) -> Mono.just(FakeSessions.result("ok"));
		};
		// Each meets it by itself, as over HTTP: its request was not looked at
		this.time.schedule(() -> {
			lost.die(sessionLost());
			lost.calls.forEach((call) -> call.tryEmitError(sessionLost()));
		});
		assertThat(answers).allSatisfy((answer) -> assertThat(answer.text()).isEqualTo("ok"));
		assertThat(this.server.attempts()).isEqualTo(2);
		assertThat(link().calls).hasSize(20);
	}

	@Test
	void lostSessionUnderTwentySafeCallsIsOneAttemptAndTwentyAnswers() {
		ready("echo");
		List<Answer> answers = new ArrayList<>();
		IntStream.range(0, 20).forEach((i) -> answers.add(call(null, true)));
		link().die(sessionLost());
		assertThat(this.server.attempts()).isEqualTo(2);
		link().answer = (request) -> Mono.just(FakeSessions.result("ok"));
		link().initialize().list("echo");
		assertThat(answers).allSatisfy((answer) -> assertThat(answer.text()).isEqualTo("ok"));
		assertThat(link().calls).hasSize(20);
		assertThat(this.server.attempts()).isEqualTo(2);
	}

	@Test
	void callThatWasAnsweredIsNotRepeatedThoughTheSessionIsLost() {
		ready();
		Answer answered = call(null, false);
		Answer safe = call(null, true);
		Link lost = this.server.last();
		HttpStatusException answer = HttpStatusException.sessionLost(404, "The server no longer knows the session", "",
				null, true, new JSONRPCError(-32000, "Sold out", List.of(7)));
		this.time.schedule(() -> {
			lost.die(sessionLost());
			lost.calls.forEach((call) -> call.tryEmitError(answer));
		});
		assertThat(answered.failure).isInstanceOf(McpProtocolException.class)
			.hasMessage("MCP server 'x' returned error -32000 for tools/call echo: Sold out")
			.hasFieldOrPropertyWithValue("code", -32000)
			.hasFieldOrPropertyWithValue("data", List.of(7));
		assertThat(state()).isEqualTo(McpServerState.CONNECTING);
		link().ready();
		assertThat(link().calls).hasSize(1);
		assertAnswered(0, safe);
	}

	@Test
	void answerIsToldWhereTheCallCannotBeRepeated() {
		ready();
		Answer safe = call(null, true);
		Link lost = this.server.last();
		this.time.schedule(() -> {
			lost.die(sessionLost());
			lost.calls.get(0)
				.tryEmitError(HttpStatusException.sessionLost(404, "The server no longer knows the session", "", null,
						true, new JSONRPCError(-32000, "Sold out", null)));
		});
		link().die("Connection refused");
		assertThat(safe.failure).isInstanceOf(McpProtocolException.class)
			.hasMessageContaining("-32000")
			.hasMessageEndingWith(": Sold out");
	}

	@Test
	void callThatIsRefusedForNowIsRepeatedWhenTheServerSays() {
		ready();
		Answer answer = call(Duration.ofSeconds(10), false);
		fail(0, refusedForNow(429, false, Duration.ofSeconds(3)));
		this.time.advance(Duration.ofSeconds(3).minusNanos(1));
		assertThat(link().calls).hasSize(1);
		this.time.advance(Duration.ofNanos(1));
		assertThat(link().timeouts("tools/call")).containsExactly(Duration.ofSeconds(10), Duration.ofSeconds(7));
		// Once
		fail(1, refusedForNow(429, false, Duration.ofSeconds(3)));
		assertThat(answer.failure).isInstanceOf(McpConnectionException.class).hasMessageContaining("HTTP 429");
		assertThat(state()).isEqualTo(McpServerState.READY);
	}

	@Test
	void callsThatAreRefusedTogetherAreNotRepeatedTogether() {
		ready((builder) -> builder
			.reconnect(new Reconnect(true, Duration.ofSeconds(1), 2.0, Duration.ofSeconds(30), 1.0)));
		for (int i = 0; i < 10; i++) {
			call(Duration.ofSeconds(9), false);
		}
		for (int i = 0; i < 10; i++) {
			fail(i, refusedForNow(429, false, Duration.ofSeconds(3)));
		}
		this.time.advance(Duration.ofSeconds(3).minusNanos(1));
		assertThat(link().calls).hasSize(10);
		this.time.advance(Duration.ofSeconds(3));
		assertThat(link().timeouts("tools/call")).hasSize(20)
			.allSatisfy((timeout) -> assertThat(timeout).isBetween(Duration.ofSeconds(3), Duration.ofSeconds(9)));
		assertThat(link().timeouts("tools/call").distinct()).hasSizeGreaterThan(6);
	}

	@Test
	void callThatTheServerWantsLaterThanTheCallerDoesFailsAtOnce() {
		ready();
		Answer answer = call(Duration.ofSeconds(3), true);
		fail(0, refusedForNow(429, false, Duration.ofSeconds(3)));
		assertThat(answer.failure).isInstanceOf(McpConnectionException.class);
		// It may have been acted on
		Answer unsafe = call(null, false);
		fail(1, refusedForNow(503, true, Duration.ZERO));
		assertThat(unsafe.failure).isInstanceOf(McpConnectionException.class);
		Answer safe = call(null, true);
		fail(2, refusedForNow(503, true, Duration.ofSeconds(1)));
		this.time.advance(Duration.ofSeconds(1));
		assertAnswered(3, safe);
	}

	@Test
	void onlyTheCallThatWasRefusedIsKnownNotToHaveActed() {
		ready();
		Answer refused = call(null, false);
		Answer other = call(null, false);
		Link lost = this.server.last();
		// The order of a transport: its end, then the failure of the request
		this.time.schedule(() -> {
			lost.die(sessionLost());
			lost.calls.get(0).tryEmitError(sessionLost());
		});
		link().ready();
		assertThat(other.failure).isInstanceOf(McpConnectionException.class);
		assertThat(((McpConnectionException) other.failure).isOutcomeKnown()).isFalse();
		assertThat(link().calls).hasSize(1);
		assertAnswered(0, refused);
	}

	@Test
	void refusedCallIsRepeatedAlsoWhereTheTransportTellsOfItsEndLater() {
		ready();
		Answer refused = call(null, false);
		Link lost = this.server.last();
		this.time.schedule(() -> {
			lost.ended = true;
			lost.calls.get(0).tryEmitError(sessionLost());
			lost.die(sessionLost());
		});
		link().ready();
		assertAnswered(0, refused);
	}

	@Test
	void refusedCallIsRepeatedThoughTheTransportTellsOfItsEndLate() {
		ready();
		Answer refused = call(null, false);
		Link lost = this.server.last();
		lost.ended = true;
		lost.calls.get(0).tryEmitError(sessionLost());
		this.time.advance(Duration.ofSeconds(1));
		assertThat(refused.isOpen()).isTrue();
		lost.die(HttpStatusException.sessionLost(404, "The server no longer knows the session (HTTP 404)", "", null,
				true, null));
		link().ready();
		assertAnswered(0, refused);
	}

	@Test
	void callsMadeWhileALostSessionIsReplacedWaitForIt() {
		ready();
		link().die(sessionLost());
		assertThat(state()).isEqualTo(McpServerState.CONNECTING);
		Answer answer = call(null, false);
		assertThat(answer.isOpen()).isTrue();
		link().ready();
		assertAnswered(0, answer);
	}

	@Test
	void callsMadeWhileALostSessionIsReplacedFailWithTheAttempt() {
		ready();
		link().die(sessionLost());
		Answer answer = call(null, false);
		link().die("Connection refused");
		assertThat(answer.failure).isInstanceOf(McpServerUnavailableException.class)
			.hasMessageContaining("Connection refused");
		assertThat(call().failure).isInstanceOf(McpServerUnavailableException.class);
	}

	@Test
	void callThatMeetsADeadGenerationBeforeTheQueueDoesIsNotSent() {
		ready();
		Link dead = this.server.last();
		List<Answer> late = new ArrayList<>();
		// On the scheduler, so that the queue cannot run in between
		this.time.schedule(() -> {
			dead.die(sessionLost());
			late.add(call(null, false));
		});
		assertThat(dead.calls).isEmpty();
		link().ready();
		link().calls.get(0).tryEmitValue(FakeSessions.result("ok"));
		assertThat(late.get(0).text()).isEqualTo("ok");
	}

	@Test
	void firstCallConnectsAndOthersShareTheAttempt() {
		create();
		Answer first = call();
		Answer second = call();
		assertThat(this.server.attempts()).isEqualTo(1);
		this.time.advance(Duration.ofSeconds(2));
		link().ready("echo");
		assertThat(link().timeouts("tools/call")).containsOnly(Duration.ofSeconds(58)).hasSize(2);
		link().calls.forEach((call) -> call.tryEmitValue(FakeSessions.result("ok")));
		assertThat(first.text()).isEqualTo("ok");
		assertThat(second.text()).isEqualTo("ok");
		assertThat(this.server.attempts()).isEqualTo(1);
	}

	@Test
	void callerThatGivesUpDoesNotCancelTheAttempt() {
		create();
		Answer cancelled = call();
		Answer timedOut = call(Duration.ofSeconds(1), false);
		Answer patient = call();
		cancelled.cancel();
		this.time.advance(Duration.ofSeconds(1));
		assertThat(timedOut.failure).isInstanceOf(McpServerUnavailableException.class)
			.hasMessage("MCP server 'x' (server) is CONNECTING");
		assertThat(state()).isEqualTo(McpServerState.CONNECTING);
		link().ready();
		assertThat(link().calls).hasSize(1);
		assertAnswered(0, patient);
	}

	@Test
	void firstCallFailsWithTheAttempt() {
		create();
		Answer answer = call();
		link().die("Connection refused");
		assertThat(answer.failure).isInstanceOf(McpServerUnavailableException.class)
			.hasMessageContaining("Connection refused");
	}

	@Test
	void foreignTransportThatCannotSendIsDead() {
		this.server.supervised = false;
		ready();
		Answer answer = call(null, true);
		fail(0, new McpTransportException("Connection reset"));
		assertThat(state()).isEqualTo(McpServerState.UNAVAILABLE);
		readyAgain();
		assertAnswered(0, answer);
	}

	@Test
	void foreignTransportSurvivesAMessageThatCannotBeWritten() {
		this.server.supervised = false;
		ready();
		Answer answer = call(null, true);
		fail(0, new IllegalArgumentException("No serializer"));
		assertThat(answer.failure).isInstanceOf(McpConnectionException.class);
		assertThat(state()).isEqualTo(McpServerState.READY);
	}

	@Test
	void callsBeyondTheLimitWaitForTheirTurn() {
		ready(limit(2));
		Answer first = call();
		call();
		Answer third = call();
		assertThat(link().calls).hasSize(2);
		this.time.advance(Duration.ofSeconds(10));
		assertAnswered(0, first);
		assertThat(link().calls).hasSize(3);
		assertThat(link().requests.get(2).timeout()).isEqualTo(Duration.ofSeconds(50));
		assertAnswered(2, third);
	}

	@Test
	void callThatWaitsForItsTurnTimesOut() {
		ready(limit(1));
		call();
		Answer second = call(Duration.ofSeconds(3), false);
		this.time.advance(Duration.ofSeconds(3));
		assertThat(second.failure).isInstanceOf(McpRequestTimeoutException.class)
			.hasMessageStartingWith(
					"MCP server 'x' did not respond to tools/call echo (it waited for its turn, since max-concurrent-calls is 1; nothing was sent) within 3000 ms. Raise ");
		assertThat(link().calls).hasSize(1);
	}

	@Test
	void callsThatWaitForTheirTurnFailWithTheConnection() {
		ready(limit(1));
		call();
		Answer second = call();
		link().die("gone");
		assertThat(second.failure).isInstanceOf(McpServerUnavailableException.class);
		assertThat(call().failure).isInstanceOf(McpServerUnavailableException.class);
	}

	private Link link() {
		return this.server.last();
	}

	private void assertAnswered(int call, Answer answer) {
		link().calls.get(call).tryEmitValue(FakeSessions.result("the answer"));
		assertThat(answer.text()).isEqualTo("the answer");
	}

	private void fail(int call, Throwable failure) {
		link().calls.get(call).tryEmitError(failure);
	}

	private static UnaryOperator<McpServerDefinitionBuilder> limit(int calls) {
		return (builder) -> builder.maxConcurrentCalls(calls);
	}

	private static TransportException cutOff() {
		return new TransportException("The connection broke", null, new IOException("Connection reset"));
	}

	private static TransportException refusedForNow(int status, boolean processed, Duration retryAfter) {
		return new HttpStatusException(status, "HTTP " + status, "", null, processed, retryAfter);
	}

	private static TransportException sessionLost() {
		return HttpStatusException.sessionLost(404, "The server no longer knows the session", "", null, false, null);
	}

}
