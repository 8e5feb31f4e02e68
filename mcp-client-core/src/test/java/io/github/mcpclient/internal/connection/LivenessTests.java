package io.github.mcpclient.internal.connection;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.function.UnaryOperator;

import ch.qos.logback.classic.Level;
import io.github.mcpclient.McpConnectionException;
import io.github.mcpclient.McpRequestTimeoutException;
import io.github.mcpclient.McpServerState;
import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.definition.McpServerDefinitionBuilder;
import io.github.mcpclient.internal.connection.FakeSessions.Link;
import io.github.mcpclient.internal.session.SessionTimeoutException;
import io.github.mcpclient.internal.transport.HttpStatusException;
import io.github.mcpclient.spi.TransportException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Liveness}.
 */
class LivenessTests extends ConnectionHarness {

	private static final Duration INTERVAL = Duration.ofSeconds(30);

	private static final Duration NANO = Duration.ofNanos(1);

	@Test
	void withoutAnIntervalThereIsNoPing() {
		ready();
		this.time.advance(Duration.ofHours(1));
		assertThat(this.server.last().pings).isEmpty();
	}

	@Test
	void pingsAfterTheIntervalAndNotANanosecondEarlier() {
		ready(keepAlive());
		Link link = this.server.last();
		this.time.advance(INTERVAL.minus(NANO));
		assertThat(link.pings).isEmpty();
		this.time.advance(NANO);
		assertThat(link.pings).hasSize(1);
		// One at a time
		this.time.advance(INTERVAL);
		assertThat(link.pings).hasSize(1);
		link.pings.get(0).tryEmitEmpty();
		this.time.advance(INTERVAL.minus(NANO));
		assertThat(link.pings).hasSize(1);
		this.time.advance(NANO);
		assertThat(link.pings).hasSize(2);
		assertThat(this.time.pending()).isZero();
	}

	@Test
	void answerTellsTheLatency() {
		ready(keepAlive());
		this.time.advance(INTERVAL);
		this.time.advance(Duration.ofMillis(7));
		this.server.last().pings.get(0).tryEmitEmpty();
		assertThat(status().latency()).isEqualTo(Duration.ofMillis(7));
		assertThat(state()).isEqualTo(McpServerState.READY);
	}

	@Test
	void answeredCallIsASignOfLife() {
		ready(keepAlive());
		Link link = this.server.last();
		Answer answer = call();
		this.time.advance(Duration.ofSeconds(20));
		link.calls.get(0).tryEmitValue(FakeSessions.result("ok"));
		assertThat(answer.text()).isEqualTo("ok");
		this.time.advance(INTERVAL.minus(NANO));
		assertThat(link.pings).isEmpty();
		this.time.advance(NANO);
		assertThat(link.pings).hasSize(1);
	}

	@Test
	void callThatIsNotAnsweredIsNoSignOfLife() {
		ready(keepAlive());
		this.time.advance(Duration.ofSeconds(20));
		call();
		this.time.advance(Duration.ofSeconds(10));
		assertThat(this.server.last().pings).hasSize(1);
	}

	@Test
	void messageOfAnyKindIsASignOfLife() {
		ready(keepAlive());
		Link link = this.server.last();
		this.time.advance(Duration.ofSeconds(20));
		link.listener.messageReceived();
		this.time.advance(INTERVAL.minus(NANO));
		assertThat(link.pings).isEmpty();
		this.time.advance(NANO);
		assertThat(link.pings).hasSize(1);
	}

	@Test
	void noAnswerIsTheEndOfTheConnection() {
		ready(keepAlive());
		Link link = this.server.last();
		Answer answer = call(Duration.ofSeconds(1), false);
		this.time.advance(Duration.ofSeconds(1));
		link.calls.get(0).tryEmitError(new SessionTimeoutException("tools/call echo", Duration.ofSeconds(1)));
		assertThat(answer.failure).isInstanceOf(McpRequestTimeoutException.class);
		this.time.advance(INTERVAL.minusSeconds(1));
		assertThat(state()).isEqualTo(McpServerState.READY);
		missPing(link);
		assertThat(log(Level.WARN)).containsExactly(
				"MCP server 'x' (server) is UNAVAILABLE: No response to ping within 30000 ms. Check that server is alive, or raise mcp.servers.x.keep-alive-interval. Next attempt in 1 s (attempt 1)");
		assertThat(link.closes).hasValue(1);
		readyAgain();
		this.time.advance(INTERVAL);
		assertThat(this.server.last().pings).hasSize(1);
		assertThat(link.pings).hasSize(1);
	}

	@Test
	void serverThatIsBusyIsNotGone() {
		ready(keepAlive());
		Link link = this.server.last();
		Answer answer = call(Duration.ofHours(1), false);
		for (int i = 0; i < 20; i++) {
			this.time.advance(INTERVAL);
			assertThat(link.pings).hasSize(i + 1);
			this.time.advance(INTERVAL);
			missPing(link);
			assertThat(state()).isEqualTo(McpServerState.READY);
			// One timer: the next ping
			assertThat(this.time.pending()).isEqualTo(1);
		}
		link.calls.get(0).tryEmitValue(FakeSessions.result("at last"));
		assertThat(answer.text()).isEqualTo("at last");
		// Idle now, so that the next one counts
		this.time.advance(INTERVAL);
		missPing(link);
		assertThat(state()).isEqualTo(McpServerState.UNAVAILABLE);
	}

	@Test
	void callThatIsGivenUpAfterAPingEndsTheConnectionAtOnce() {
		ready(keepAlive());
		Link link = this.server.last();
		Answer first = call(Duration.ofMinutes(2), false);
		Answer other = call(Duration.ofHours(1), false);
		this.time.advance(INTERVAL.multipliedBy(2));
		missPing(link);
		assertThat(state()).isEqualTo(McpServerState.READY);
		link.calls.get(0).tryEmitError(new SessionTimeoutException("tools/call echo", Duration.ofMinutes(2)));
		assertThat(first.failure).isInstanceOf(McpRequestTimeoutException.class);
		assertThat(state()).isEqualTo(McpServerState.UNAVAILABLE);
		assertThat(other.failure).isInstanceOf(McpConnectionException.class)
			.hasMessage("MCP server 'x' (server): The server no longer responds. Check that server is alive, or raise "
					+ "mcp.servers.x.keep-alive-interval.");
	}

	@Test
	void pingThatIsGivenUpAfterACallEndsTheConnectionThoughOthersWait() {
		ready(keepAlive());
		Link link = this.server.last();
		call(Duration.ofSeconds(1), false);
		call(Duration.ofHours(1), false);
		link.calls.get(0).tryEmitError(new SessionTimeoutException("tools/call echo", Duration.ofSeconds(1)));
		this.time.advance(INTERVAL);
		missPing(link);
		assertThat(state()).isEqualTo(McpServerState.UNAVAILABLE);
	}

	@Test
	void whatWasMissedBeforeASignOfLifeIsForgotten() {
		ready(keepAlive());
		Link link = this.server.last();
		call(Duration.ofHours(1), false);
		call(Duration.ofHours(1), false);
		this.time.advance(INTERVAL.multipliedBy(2));
		missPing(link);
		link.listener.messageReceived();
		link.calls.get(0).tryEmitError(new SessionTimeoutException("tools/call echo", Duration.ofSeconds(1)));
		assertThat(state()).isEqualTo(McpServerState.READY);
		link.listener.messageReceived();
		this.time.advance(INTERVAL.multipliedBy(2));
		missPing(link);
		assertThat(state()).isEqualTo(McpServerState.READY);
	}

	@Test
	void serverThatSaysSomethingElseWhileItIsPingedIsThere() {
		ready(keepAlive());
		Link link = this.server.last();
		this.time.advance(INTERVAL);
		this.time.advance(Duration.ofSeconds(1));
		link.listener.messageReceived();
		this.time.advance(INTERVAL.minusSeconds(1));
		missPing(link);
		assertThat(state()).isEqualTo(McpServerState.READY);
		this.time.advance(INTERVAL);
		missPing(link);
		assertThat(state()).isEqualTo(McpServerState.UNAVAILABLE);
	}

	@ParameterizedTest
	@ValueSource(ints = { 401, 403, 429, 500, 502, 503 })
	void pingThatIsRefusedSaysNothingOfTheConnection(int status) {
		ready(keepAlive());
		Link link = this.server.last();
		Answer answer = call(Duration.ofHours(1), false);
		for (int i = 0; i < 10; i++) {
			this.time.advance(INTERVAL);
			assertThat(link.pings).hasSize(i + 1);
			link.pings.get(i).tryEmitError(new HttpStatusException(status, "HTTP " + status, null, false));
			assertThat(state()).isEqualTo(McpServerState.READY);
		}
		assertThat(answer.isOpen()).isTrue();
		link.calls.get(0).tryEmitValue(FakeSessions.result("ok"));
		assertThat(answer.text()).isEqualTo("ok");
	}

	@Test
	void pingAnsweredOtherwiseOverHttpSaysNothingOfTheConnection() {
		create(McpServerDefinition.http("x", URI.create("http://localhost/mcp")), keepAlive()).start();
		this.server.last().ready();
		Link link = this.server.last();
		Answer answer = call(Duration.ofHours(1), true);
		this.time.advance(INTERVAL);
		link.pings.get(0)
			.tryEmitError(new TransportException("The server closed the stream before it answered", null, null));
		assertThat(state()).isEqualTo(McpServerState.READY);
		link.calls.get(0).tryEmitValue(FakeSessions.result("ok"));
		assertThat(answer.text()).isEqualTo("ok");
		this.time.advance(INTERVAL);
		link.pings.get(1)
			.tryEmitError(
					new TransportException("The server sent something that is not a JSON-RPC message", null, null));
		assertThat(state()).isEqualTo(McpServerState.READY);
		this.time.advance(INTERVAL);
		missPing(link);
		assertThat(state()).isEqualTo(McpServerState.UNAVAILABLE);
	}

	@Test
	void pingThatNeverLeftSaysNothingOfTheServer() {
		ready(keepAlive());
		Link link = this.server.last();
		link.pingsHeld = true;
		this.time.advance(INTERVAL);
		missPing(link);
		assertThat(state()).isEqualTo(McpServerState.READY);
		this.time.advance(INTERVAL);
		link.pings.get(1)
			.tryEmitError(
					new TransportException("An McpHeadersProvider failed", null, false, new IOException("No token")));
		assertThat(state()).isEqualTo(McpServerState.READY);
		assertThat(link.pings).hasSize(2);
		link.pingsHeld = false;
		this.time.advance(INTERVAL);
		missPing(link);
		assertThat(state()).isEqualTo(McpServerState.UNAVAILABLE);
	}

	@Test
	void probeThatNeverLeftSaysNothingOfTheServer() {
		ready();
		Link link = this.server.last();
		call();
		link.pingsHeld = true;
		link.calls.get(0).tryEmitError(cutOff());
		link.pings.get(0)
			.tryEmitError(
					new TransportException("An McpHeadersProvider failed", null, false, new IOException("No token")));
		assertThat(state()).isEqualTo(McpServerState.READY);
	}

	@Test
	void pingThatIsCutOffIsFollowedByAnother() {
		ready(keepAlive());
		Link link = this.server.last();
		Answer answer = call(Duration.ofHours(1), false);
		this.time.advance(INTERVAL);
		link.pings.get(0).tryEmitError(cutOff());
		assertThat(link.pings).hasSize(2);
		link.pings.get(1).tryEmitEmpty();
		assertThat(state()).isEqualTo(McpServerState.READY);
		this.time.advance(INTERVAL);
		link.pings.get(2).tryEmitError(cutOff());
		link.pings.get(3).tryEmitError(cutOff());
		assertThat(status().lastError()).isEqualTo("Connection reset. Look.");
		assertThat(answer.failure).isInstanceOf(McpConnectionException.class);
		assertThat(((McpConnectionException) answer.failure).isOutcomeKnown()).isFalse();
	}

	@Test
	void pingThatCannotBeWrittenIsNotAnswered() {
		ready(keepAlive());
		this.time.advance(INTERVAL);
		this.server.last().pings.get(0)
			.tryEmitError(new TransportException("The process does not read its stdin", "Look.", null));
		assertThat(status().lastError()).isEqualTo("The process does not read its stdin. Look.");
	}

	private static TransportException cutOff() {
		return new TransportException("Connection reset", "Look.", new IOException("Connection reset"));
	}

	@Test
	void pingMayTakeAsLongAsARequestButNotLongerThanTheInterval() {
		ready(timeouts(Duration.ofSeconds(5), Duration.ofSeconds(20), INTERVAL));
		this.time.advance(INTERVAL);
		assertThat(this.server.last().pingTimeouts).containsExactly(Duration.ofSeconds(5));
	}

	@Test
	void lateAnswerOfAnEarlierGenerationChangesNothing() {
		ready(keepAlive());
		Link first = this.server.last();
		this.time.advance(INTERVAL);
		this.time.schedule(() -> {
			first.die("gone");
			first.pings.get(0).tryEmitEmpty();
		});
		assertThat(status().latency()).isEqualTo(Duration.ZERO);
		assertThat(this.time.pending()).isEqualTo(1);
	}

	private static void missPing(Link link) {
		link.pings.get(link.pings.size() - 1).tryEmitError(new SessionTimeoutException("ping", INTERVAL));
	}

	private static UnaryOperator<McpServerDefinitionBuilder> keepAlive() {
		return timeouts(Duration.ofSeconds(60), Duration.ofSeconds(20), INTERVAL);
	}

}
