package io.github.mcpclient.internal.connection;

import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

import ch.qos.logback.classic.Level;
import io.github.mcpclient.McpException;
import io.github.mcpclient.McpServerState;
import io.github.mcpclient.McpServerStatus;
import io.github.mcpclient.McpServerUnavailableException;
import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.definition.McpServerDefinition.Reconnect;
import io.github.mcpclient.internal.connection.FakeSessions.Link;
import io.github.mcpclient.internal.session.ItemKind;
import io.github.mcpclient.internal.session.McpSession;
import io.github.mcpclient.internal.session.ServerRequests;
import io.github.mcpclient.internal.session.SessionOptions;
import io.github.mcpclient.internal.support.VirtualScheduler;
import io.github.mcpclient.internal.transport.HttpStatusException;
import io.github.mcpclient.spi.TransportException;
import io.modelcontextprotocol.spec.McpClientTransport;
import io.modelcontextprotocol.spec.McpError;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCResponse.JSONRPCError;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import io.modelcontextprotocol.spec.McpTransportSessionNotFoundException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.mockito.InOrder;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.test.StepVerifier;

import static io.github.mcpclient.testsupport.TestDefaults.LIMIT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.BDDMockito.willThrow;
import static org.mockito.Mockito.inOrder;
import static org.mockito.Mockito.mock;

/**
 * Tests for the states of an {@link McpConnection}.
 */
class McpConnectionTests extends ConnectionHarness {

	private static final Duration NANO = Duration.ofNanos(1);

	@Test
	void newConnectionDoesNothing() {
		McpConnection connection = create();
		this.time.advance(Duration.ofHours(1));
		assertThat(this.server.attempts()).isZero();
		assertThat(this.time.pending()).isZero();
		McpServerStatus status = connection.status();
		assertThat(status.state()).isEqualTo(McpServerState.IDLE);
		assertThat(status.since()).isEqualTo(VirtualScheduler.START);
		assertThat(status.attempts()).isZero();
		assertThat(status.lastError()).isNull();
		assertThat(connection.tools()).isEmpty();
		assertThat(connection.isReady()).isFalse();
	}

	@Test
	void connectsAndAnnouncesToolsBeforeReady() {
		McpConnection connection = start();
		assertThat(this.events.take()).containsExactly("IDLE->CONNECTING");
		this.time.advance(Duration.ofMillis(120));
		link().initialize();
		this.time.advance(Duration.ofMillis(40));
		assertThat(this.events.take()).isEmpty();
		link().list("a", "b");
		assertThat(this.events.take()).containsExactly("tools [a, b]", "CONNECTING->READY");
		McpServerStatus status = connection.status();
		assertThat(status.name()).isEqualTo("x");
		assertThat(status.type()).isEqualTo("stdio");
		assertThat(status.target()).isEqualTo("server");
		assertThat(status.serverInfo().name()).isEqualTo("fake");
		assertThat(status.protocolVersion()).isEqualTo("2025-11-25");
		assertThat(status.tools()).isEqualTo(2);
		assertThat(status.attempts()).isEqualTo(1);
		assertThat(status.latency()).isEqualTo(Duration.ofMillis(120));
		assertThat(status.since()).isEqualTo(VirtualScheduler.START.plusMillis(160));
		assertThat(status.lastError()).isNull();
		assertThat(status.nextRetry()).isNull();
		assertThat(takeLog())
			.containsExactly("INFO MCP server 'x' (server) is READY: it lists 2 tools, protocol 2025-11-25, 120 ms");
		assertThat(this.time.pending()).isZero();
	}

	@Test
	void anErrorOfAListenerDoesNotKeepTheConnectionFromBeingReady() {
		this.events.failure = new NoClassDefFoundError("a/Class");
		ready("a");
		assertThat(state()).isEqualTo(McpServerState.READY);
		assertThat(log(Level.ERROR)).singleElement().asString().contains("a listener failed");
	}

	@Test
	void callWithoutATimeLimitWaitsForTheFirstAttempt() {
		create();
		Answer answer = call(ChronoUnit.FOREVER.getDuration(), false);
		assertThat(answer.isOpen()).isTrue();
		link().ready("echo");
		assertThat(answer.failure).isNull();
		answer.cancel();
	}

	@Test
	void serverWithoutToolsIsReady() {
		ready();
		assertThat(this.events.take()).containsExactly("IDLE->CONNECTING", "tools []", "CONNECTING->READY");
		assertThat(takeLog()).singleElement().asString().contains("0 tools");
	}

	@Test
	void sessionIsOpenedWithTheLimitsOfTheServer() {
		McpConnection connection = ready(timeouts(Duration.ofSeconds(7), Duration.ofSeconds(3), null));
		assertThat(link().options.definition()).isSameAs(connection.definition());
		assertThat(link().options.initializationTimeout()).isEqualTo(Duration.ofSeconds(3));
	}

	@Test
	void disabledServerIsNeverContacted() {
		McpConnection connection = create((builder) -> builder.enabled(false));
		connection.start();
		StepVerifier.create(connection.firstAttempt()).expectComplete().verify(LIMIT);
		assertThat(connection.reconnect().block(LIMIT).state()).isEqualTo(McpServerState.DISABLED);
		StepVerifier.create(connection.refresh()).expectError(McpServerUnavailableException.class).verify(LIMIT);
		this.time.advance(Duration.ofHours(1));
		assertThat(this.server.attempts()).isZero();
		assertThat(this.events.take()).isEmpty();
		assertThat(call().failure).isInstanceOf(McpServerUnavailableException.class)
			.hasMessage("MCP server 'x' (server) is DISABLED: enabled is false.");
	}

	@Test
	void startTwiceIsOneAttempt() {
		McpConnection connection = start();
		connection.start();
		link().ready();
		connection.start();
		assertThat(this.server.attempts()).isEqualTo(1);
		assertThat(this.events.take()).containsExactly("IDLE->CONNECTING", "tools []", "CONNECTING->READY");
	}

	@Test
	void retriesAfterTheBackoffAndNotANanosecondEarlier() {
		start();
		Duration[] delays = { Duration.ofSeconds(1), Duration.ofSeconds(2), Duration.ofSeconds(4),
				Duration.ofSeconds(8), Duration.ofSeconds(16), Duration.ofSeconds(30), Duration.ofSeconds(30) };
		int attempts = 1;
		for (Duration delay : delays) {
			Instant failed = this.time.instant();
			link().refuse(new TransportException("Connection refused", null, false, null));
			assertThat(status().state()).isEqualTo(McpServerState.UNAVAILABLE);
			assertThat(status().nextRetry()).isEqualTo(failed.plus(delay));
			assertThat(status().since()).isEqualTo(failed);
			assertThat(status().attempts()).isEqualTo(attempts);
			this.time.advance(delay.minus(NANO));
			assertThat(this.server.attempts()).isEqualTo(attempts);
			this.time.advance(NANO);
			assertThat(this.server.attempts()).isEqualTo(++attempts);
			assertThat(status().state()).isEqualTo(McpServerState.CONNECTING);
			assertThat(status().attempts()).isEqualTo(attempts);
			assertThat(status().nextRetry()).isNull();
			// Why there is no connection stays to be read while the next one is tried
			assertThat(status().lastError()).startsWith("Connection refused. ");
		}
		link().ready("a");
		assertThat(status().attempts()).isEqualTo(attempts);
		assertThat(status().lastError()).isNull();
	}

	@Test
	void jitterIsPartOfTheDelay() {
		start((builder) -> builder
			.reconnect(new Reconnect(true, Duration.ofSeconds(1), 2.0, Duration.ofSeconds(30), 0.5)));
		link().die("gone");
		assertThat(status().nextRetry()).isBetween(VirtualScheduler.START.plusMillis(500),
				VirtualScheduler.START.plusSeconds(1));
	}

	@Test
	void lossIsNoticedAtOnceAndRetriedAfterTheInitialDelay() {
		ready("a");
		this.time.advance(Duration.ofMinutes(1));
		this.events.take();
		link().die("The process exited with code 1");
		assertThat(this.events.take()).containsExactly("READY->UNAVAILABLE");
		McpServerStatus status = status();
		assertThat(status.attempts()).isZero();
		assertThat(status.protocolVersion()).isNull();
		assertThat(status.serverInfo()).isNotNull();
		assertThat(status.tools()).isEqualTo(1);
		assertThat(status.lastError()).isEqualTo("The process exited with code 1. Check mcp.servers.x.command.");
		assertThat(link().closes).hasValue(1);
		this.time.advance(Duration.ofSeconds(1).minus(NANO));
		assertThat(this.events.take()).isEmpty();
		this.time.advance(NANO);
		assertThat(this.events.take()).containsExactly("UNAVAILABLE->CONNECTING");
		link().ready("a");
		// The same tools: nothing changed
		assertThat(this.events.take()).containsExactly("CONNECTING->READY");
		assertThat(status().attempts()).isEqualTo(1);
	}

	@Test
	void isAwayFromItsLossUntilItIsReadyWhateverTheAttempts() {
		McpConnection connection = ready("a");
		this.time.advance(Duration.ofHours(1));
		assertThat(connection.isAwayFor(Duration.ofMillis(1))).isFalse();
		link().die("gone");
		this.time.advance(Duration.ofSeconds(1));
		link().refuse(new TransportException("Connection refused", null, false, null));
		this.time.advance(Duration.ofSeconds(2).minus(NANO));
		assertThat(connection.isAwayFor(Duration.ofSeconds(3))).isFalse();
		this.time.advance(NANO);
		assertThat(state()).isEqualTo(McpServerState.CONNECTING);
		assertThat(connection.isAwayFor(Duration.ofSeconds(3))).isTrue();
		link().ready("a");
		assertThat(connection.isAwayFor(Duration.ZERO)).isFalse();
	}

	@Test
	void completedTerminationIsALoss() {
		ready();
		link().termination.tryEmitEmpty();
		assertThat(status().lastError())
			.isEqualTo("The connection was closed. If this happens often, check the server's log.");
		assertThat(state()).isEqualTo(McpServerState.UNAVAILABLE);
	}

	@Test
	void toolsStayWhileUnavailableAndChangeWithTheNextConnection() {
		McpConnection connection = ready("a", "b");
		link().die("gone");
		assertThat(connection.tools()).extracting("name").containsExactly("a", "b");
		this.events.take();
		this.time.advance(Duration.ofSeconds(1));
		link().ready("b", "c");
		assertThat(this.events.take()).containsExactly("UNAVAILABLE->CONNECTING", "tools [b, c]", "CONNECTING->READY");
		assertThat(connection.tools()).extracting("name").containsExactly("b", "c");
	}

	@Test
	void serverThatDropsEachConnectionIsTriedLessAndLessOften() {
		ready();
		long[] delays = { 1, 2, 4, 8, 16, 30, 30 };
		for (long delay : delays) {
			this.time.advance(Duration.ofSeconds(5));
			link().die("gone");
			int attempts = this.server.attempts();
			this.time.advance(Duration.ofSeconds(delay).minus(NANO));
			assertThat(this.server.attempts()).isEqualTo(attempts);
			this.time.advance(NANO);
			assertThat(this.server.attempts()).isEqualTo(attempts + 1);
			link().ready();
		}
		// A connection that lasts is proof enough
		this.time.advance(Duration.ofSeconds(30));
		link().die("gone");
		assertThat(status().nextRetry()).isEqualTo(this.time.instant().plusSeconds(1));
	}

	@Test
	void lostSessionIsReplacedAtOnceAndThenWithBackoff() {
		ready("a");
		this.events.take();
		link().die(sessionLost());
		assertThat(this.events.take()).containsExactly("READY->UNAVAILABLE", "UNAVAILABLE->CONNECTING");
		assertThat(takeLog()).contains(
				"WARN MCP server 'x' (server) is UNAVAILABLE: The server no longer knows the session. It may have been restarted. Next attempt now (attempt 1)");
		link().ready("a");
		// A server that forgets every session must not be asked in a loop
		link().die(sessionLost());
		assertThat(this.events.take()).containsExactly("CONNECTING->READY", "READY->UNAVAILABLE");
		this.time.advance(Duration.ofSeconds(1).minus(NANO));
		assertThat(this.server.attempts()).isEqualTo(2);
		this.time.advance(NANO);
		assertThat(this.server.attempts()).isEqualTo(3);
		link().ready("a");
		this.time.advance(Duration.ofSeconds(30));
		link().die(sessionLost());
		assertThat(this.server.attempts()).isEqualTo(4);
	}

	@Test
	void lostSessionIsReplacedAtOnceAlsoAfterAttemptsThatFailed() {
		start();
		link().refuse(unavailable(null));
		advanceToRetry();
		link().refuse(unavailable(null));
		readyAgain("a");
		link().die(sessionLost());
		assertThat(state()).isEqualTo(McpServerState.CONNECTING);
		assertThat(this.server.attempts()).isEqualTo(4);
	}

	@Test
	void sessionsThatAreUsedAreReplacedAtOnceEachTime() {
		ready("a");
		for (int i = 0; i < 20; i++) {
			Answer answer = call();
			link().calls.get(0).tryEmitValue(FakeSessions.result("ok"));
			assertThat(answer.text()).isEqualTo("ok");
			link().die(sessionLost());
			assertThat(state()).isEqualTo(McpServerState.CONNECTING);
			link().ready("a");
		}
	}

	@Test
	void serverThatDropsTheSessionAtEachCallIsNotHammered() {
		this.server.script = (link) -> {
			link.initialize();
			link.tools = List.of(FakeSessions.tool("a"));
			link.answer = (request) -> {
				link.die(sessionLost());
				return Mono.error(HttpStatusException.sessionLost(404, "The server no longer knows the session", "",
						null, false, null));
			};
		};
		start();
		for (int i = 0; i < 600; i++) {
			// On the scheduler, so that the call fails before the session is thrown away
			this.time.schedule(this::call);
			this.time.advance(Duration.ofSeconds(1));
		}
		// 1, 2, 4, 8, 16 and then 30 s apart
		assertThat(this.server.attempts()).isBetween(20, 30);
	}

	@Test
	void serverThatAsksToWaitIsNotAskedEarlier() {
		start();
		link().refuse(unavailable(Duration.ofSeconds(20)));
		assertThat(status().nextRetry()).isEqualTo(VirtualScheduler.START.plusSeconds(20));
		this.time.advance(Duration.ofSeconds(20).minus(NANO));
		assertThat(this.server.attempts()).isEqualTo(1);
		this.time.advance(NANO);
		// Less than the backoff, and more than is sane
		link().refuse(unavailable(Duration.ofSeconds(1)));
		assertThat(status().nextRetry()).isEqualTo(VirtualScheduler.START.plusSeconds(22));
		advanceToRetry();
		link().refuse(unavailable(Duration.ofDays(365)));
		assertThat(status().nextRetry()).isEqualTo(VirtualScheduler.START.plusSeconds(322));
	}

	@Test
	void clientsAskedToWaitForTheSameTimeDoNotReturnTogether() {
		start((builder) -> builder
			.reconnect(new Reconnect(true, Duration.ofSeconds(1), 2.0, Duration.ofSeconds(30), 1.0)));
		Set<Duration> later = new HashSet<>();
		for (int i = 0; i < 10; i++) {
			Instant asked = this.time.instant().plusSeconds(100);
			link().refuse(unavailable(Duration.ofSeconds(100)));
			Instant retry = status().nextRetry();
			assertThat(retry).isBetween(asked, asked.plusSeconds(30));
			later.add(Duration.between(asked, retry));
			advanceToRetry();
		}
		assertThat(later).hasSizeGreaterThan(5);
	}

	@Test
	void requestsThatMayStillMeetTheLossThemselvesAreGivenTheTime() {
		ready("a");
		Link lost = this.server.last();
		Sinks.Empty<Void> settled = Sinks.empty();
		lost.settled = settled.asMono();
		lost.die(sessionLost());
		assertThat(state()).isEqualTo(McpServerState.CONNECTING);
		assertThat(lost.terminations).isEmpty();
		settled.tryEmitEmpty();
		assertThat(lost.terminations).hasSize(1);
		assertThat(lost.closes).hasValue(1);
		// But not while all is being closed
		Link next = this.server.last();
		next.settled = Mono.never();
		next.ready("a");
		next.die(sessionLost());
		assertThat(next.closes).hasValue(0);
		close();
		assertThat(next.closes).hasValue(1);
	}

	@Test
	void unprocessedHandshakeIsNotALostSession() {
		start();
		link().die(sessionLost());
		assertThat(this.server.attempts()).isEqualTo(1);
		assertThat(state()).isEqualTo(McpServerState.UNAVAILABLE);
	}

	@Test
	void lateEventsOfAnEarlierGenerationChangeNothing() {
		ready("a");
		Link first = this.server.last();
		first.die("gone");
		this.time.advance(Duration.ofSeconds(1));
		Link second = this.server.last();
		this.events.take();
		first.initialized.tryEmitError(new IllegalStateException("late"));
		first.listener.listChanged(ItemKind.TOOLS);
		first.die("again");
		assertThat(state()).isEqualTo(McpServerState.CONNECTING);
		second.ready("b");
		first.listener.listChanged(ItemKind.TOOLS);
		first.die("and again");
		this.time.advance(Duration.ofSeconds(5));
		assertThat(this.events.take()).containsExactly("tools [b]", "CONNECTING->READY");
		assertThat(second.listings).hasSize(1);
		assertThat(first.listings).hasSize(1);
		assertThat(first.closes).hasValue(1);
	}

	@Test
	void deathOnItsWayWhenTheNextGenerationBeginsChangesNothing() {
		McpConnection connection = ready("a");
		Link first = this.server.last();
		// On the scheduler, so that the queue has both before it sees one
		this.time.schedule(() -> {
			connection.reconnect();
			first.die("gone");
		});
		assertThat(this.server.attempts()).isEqualTo(2);
		assertThat(state()).isEqualTo(McpServerState.CONNECTING);
		link().ready("a");
		assertThat(state()).isEqualTo(McpServerState.READY);
	}

	@Test
	void generationThatDiedIsNotAnnounced() {
		start();
		link().initialize();
		this.events.take();
		this.time.schedule(() -> {
			link().list("a");
			link().die("gone");
		});
		assertThat(this.events.take()).containsExactly("CONNECTING->UNAVAILABLE");
	}

	@Test
	void handshakeThatEndsAfterItsDeadlineChangesNothing() {
		start();
		Link first = this.server.last();
		this.time.advance(Duration.ofSeconds(20));
		assertThat(state()).isEqualTo(McpServerState.UNAVAILABLE);
		first.initialize();
		assertThat(first.listings).isEmpty();
		assertThat(state()).isEqualTo(McpServerState.UNAVAILABLE);
	}

	@Test
	void deadlineCoversInitialize() {
		start();
		this.time.advance(Duration.ofSeconds(20).minus(NANO));
		assertThat(state()).isEqualTo(McpServerState.CONNECTING);
		this.time.advance(NANO);
		assertThat(takeLog()).containsExactly(
				"WARN MCP server 'x' (server) is UNAVAILABLE: No response to initialize within 20000 ms. Check that server is an MCP server, or raise mcp.servers.x.initialization-timeout. Next attempt in 1 s (attempt 2)");
		assertThat(link().closes).hasValue(1);
	}

	@Test
	void firstStartOfALauncherHasLonger() {
		McpConnection connection = startNpx();
		assertThat(link().options.initializationTimeout()).isEqualTo(Duration.ofMinutes(5));
		Duration firstStart = Duration.ofMinutes(5);
		this.time.advance(firstStart.minus(NANO));
		assertThat(status().state()).isEqualTo(McpServerState.CONNECTING);
		assertThat(status().lastError()).isEqualTo("The first start is in progress: npx may still be "
				+ "downloading the server, and has 300 s (mcp.servers.x.first-start-timeout).");
		assertThat(this.server.attempts()).isEqualTo(1);
		this.time.advance(NANO);
		assertThat(takeLog()).containsExactly("WARN MCP server 'x' (npx -y foo) is UNAVAILABLE: "
				+ "No response to initialize within 300000 ms. It may still have been downloading: run npx -y foo once manually, "
				+ "or raise mcp.servers.x.first-start-timeout. Next attempt in 1 s (attempt 2)");
		assertThat(link().closes).hasValue(1);
		advanceToRetry();
		this.time.advance(firstStart.minus(NANO));
		link().ready("echo");
		assertThat(status().lastError()).isNull();
		// from now on it is there
		connection.reconnect();
		assertThat(link().options.initializationTimeout()).isEqualTo(Duration.ofSeconds(20));
		assertThat(status().lastError()).doesNotContain("downloading");
		this.time.advance(Duration.ofSeconds(20));
		assertThat(state()).isEqualTo(McpServerState.UNAVAILABLE);
		assertThat(status().lastError()).contains("initialization-timeout");
	}

	@Test
	void firstStartEndsAtOnceWhenTheConnectionIsClosed() {
		McpConnection connection = startNpx();
		AtomicInteger ended = new AtomicInteger();
		connection.firstStart().subscribe(null, null, ended::incrementAndGet);
		this.time.advance(Duration.ofMinutes(1));
		assertThat(ended).hasValue(0);
		connection.close();
		assertThat(link().closes).hasValue(1);
		assertThat(ended).hasValue(1);
		assertThat(status().lastError()).isNull();
	}

	@Test
	void connectionThatFollowsOneThatWasReadyHasNoFirstStart() {
		McpConnection first = startNpx();
		link().ready();
		first.close();
		McpConnection second = npx("foo");
		second.follow(first);
		second.start();
		assertThat(link().options.initializationTimeout()).isEqualTo(Duration.ofSeconds(20));
		second.close();
		McpConnection other = npx("bar");
		other.follow(second);
		other.start();
		assertThat(link().options.initializationTimeout()).isEqualTo(Duration.ofMinutes(5));
	}

	private McpConnection startNpx() {
		McpConnection connection = npx("foo");
		connection.start();
		return connection;
	}

	private McpConnection npx(String name) {
		return create(McpServerDefinition.stdio("x", "npx", "-y", name), (builder) -> builder);
	}

	@Test
	void deadlineCoversTheListingOfTools() {
		start();
		this.time.advance(Duration.ofSeconds(19));
		link().initialize();
		this.time.advance(Duration.ofSeconds(1));
		assertThat(status().lastError()).startsWith("No response to tools/list within 20000 ms. ");
	}

	@Test
	void supplierThatThrowsIsAFailedAttempt() {
		AtomicInteger attempts = new AtomicInteger();
		this.server.script = (link) -> {
			this.server.links.clear();
			attempts.incrementAndGet();
			throw new NoClassDefFoundError("com/example/Missing");
		};
		start();
		assertThat(status().lastError()).isEqualTo("com/example/Missing. Check mcp.servers.x.command.");
		this.time.advance(Duration.ofSeconds(1));
		assertThat(attempts).hasValue(2);
	}

	@Test
	void transportWithoutASessionIsClosed() {
		McpConnection connection = factory(new McpSession.Factory() {

			@Override
			public McpSession create(McpClientTransport transport, SessionOptions options,
					McpSession.Listener listener) {
				throw new IllegalStateException("no session");
			}

		}).create(McpServerDefinition.stdio("y", "server").build(), true, this.server::transport, this.events,
				ServerRequests.NONE, List.of());
		connection.start();
		assertThat(connection.status().lastError()).isEqualTo("no session. Check mcp.servers.y.command.");
		assertThat(link().closes).hasValue(1);
		connection.close();
	}

	@Test
	void eachObserverIsToldWhateverAnotherDoes() {
		ConnectionObserver broken = mock(ConnectionObserver.class);
		willThrow(new IllegalStateException("broken")).given(broken).connecting();
		ConnectionObserver observer = mock(ConnectionObserver.class);
		McpConnection connection = factory(this.server).create(McpServerDefinition.stdio("y", "server").build(), true,
				this.server::transport, this.events, ServerRequests.NONE, List.of(broken, observer));
		connection.start();
		link().ready();
		connection.close();
		for (ConnectionObserver told : List.of(broken, observer)) {
			InOrder order = inOrder(told);
			order.verify(told).created(connection);
			order.verify(told).connecting();
			order.verify(told).sessionEnded(Duration.ZERO, "2025-11-25", null);
			order.verify(told).closed(connection);
		}
	}

	@Test
	void supplierThatMakesNothingIsAFailedAttempt() {
		McpConnection connection = factory(this.server).create(McpServerDefinition.of("y", "own").build(), true,
				() -> null, this.events, ServerRequests.NONE, List.of());
		connection.start();
		assertThat(connection.status().lastError())
			.isEqualTo("The McpTransportFactory returned no transport. Check mcp.servers.y.");
		connection.close();
	}

	@Test
	void failedListingIsAFailedAttempt() {
		start();
		link().initialize().failListing(new McpError(new JSONRPCError(-32603, "oops", null)));
		assertThat(status().lastError())
			.isEqualTo("The server refused tools/list with error -32603: oops. Check the server's log.");
	}

	@Test
	void foreignTransportDiesByItsExceptionHandler() {
		this.server.supervised = false;
		ready();
		link().exceptionHandler.accept(new McpTransportSessionNotFoundException("secret-id"));
		assertThat(status().lastError()).startsWith("The server no longer knows the session. ");
		assertThat(this.server.attempts()).isEqualTo(2);
	}

	@Test
	void reconnectDisabledWaitsToBeAsked() {
		McpConnection connection = start(reconnectDisabled());
		link().die("gone");
		assertThat(status().nextRetry()).isNull();
		assertThat(this.time.pending()).isZero();
		this.time.advance(Duration.ofHours(1));
		assertThat(this.server.attempts()).isEqualTo(1);
		assertThat(takeLog()).containsExactly(
				"WARN MCP server 'x' (server) is UNAVAILABLE: gone. Check mcp.servers.x.command. No further attempt until one is requested, since mcp.servers.x.reconnect.enabled is false");
		connection.reconnect();
		assertThat(this.server.attempts()).isEqualTo(2);
		link().ready();
		link().die("gone");
		assertThat(status().nextRetry()).isNull();
		this.time.advance(Duration.ofHours(1));
		assertThat(this.server.attempts()).isEqualTo(2);
	}

	@Test
	void firstAttemptEndsWithTheFirstAttemptAndIsReplayed() {
		McpConnection connection = create();
		AtomicInteger ends = new AtomicInteger();
		connection.firstAttempt().subscribe(null, null, ends::incrementAndGet);
		connection.start();
		assertThat(ends).hasValue(0);
		link().die("gone");
		assertThat(ends).hasValue(1);
		connection.firstAttempt().subscribe(null, null, ends::incrementAndGet);
		assertThat(ends).hasValue(2);
	}

	@Test
	void reconnectIsHotAndSingleFlight() {
		McpConnection connection = ready("a");
		this.events.take();
		takeLog();
		// Not subscribed to
		connection.reconnect();
		assertThat(this.events.take()).containsExactly("READY->UNAVAILABLE", "UNAVAILABLE->CONNECTING");
		assertThat(takeLog()).containsExactly(
				"INFO MCP server 'x' (server) is UNAVAILABLE: The connection was dropped to connect again, as requested.");
		Mono<McpServerStatus> second = connection.reconnect();
		Mono<McpServerStatus> third = connection.reconnect();
		assertThat(this.server.attempts()).isEqualTo(2);
		link().ready("a");
		for (Mono<McpServerStatus> joined : List.of(second, third)) {
			assertThat(joined.block(LIMIT).state()).isEqualTo(McpServerState.READY);
		}
		assertThat(this.server.attempts()).isEqualTo(2);
		assertThat(this.server.links.get(0).closes).hasValue(1);
	}

	@Test
	void reconnectTellsOfAFailedAttempt() {
		Mono<McpServerStatus> reconnect = create().reconnect();
		link().die("Connection refused");
		StepVerifier.create(reconnect).assertNext((status) -> {
			assertThat(status.state()).isEqualTo(McpServerState.UNAVAILABLE);
			assertThat(status.lastError()).startsWith("Connection refused. ");
		}).expectComplete().verify(LIMIT);
	}

	@Test
	void reconnectReplacesTheTimerAndStartsTheBackoffAnew() {
		McpConnection connection = start();
		for (long delay : new long[] { 1, 2, 4 }) {
			link().die("gone");
			this.time.advance(Duration.ofSeconds(delay));
		}
		link().die("gone");
		assertThat(this.server.attempts()).isEqualTo(4);
		connection.reconnect();
		assertThat(this.server.attempts()).isEqualTo(5);
		link().die("gone");
		assertThat(status().nextRetry()).isEqualTo(this.time.instant().plusSeconds(1));
		assertThat(this.time.pending()).isEqualTo(1);
	}

	@ParameterizedTest
	@EnumSource(McpServerState.class)
	void closesInEachState(McpServerState state) {
		McpConnection connection = connectionIn(state);
		this.events.take();
		AtomicInteger closed = new AtomicInteger();
		connection.close().subscribe(null, null, closed::incrementAndGet);
		assertThat(closed).hasValue(1);
		if (state != McpServerState.CLOSED) {
			assertThat(this.events.take()).containsExactly(state + "->CLOSED");
		}
		assertThat(this.time.pending()).isZero();
		// Again, and whatever else is asked for
		connection.close().subscribe(null, null, closed::incrementAndGet);
		connection.firstAttempt().subscribe(null, null, closed::incrementAndGet);
		assertThat(closed).hasValue(3);
		connection.start();
		assertThat(connection.reconnect().block(LIMIT).state()).isEqualTo(McpServerState.CLOSED);
		StepVerifier.create(connection.refresh()).expectError(McpServerUnavailableException.class).verify(LIMIT);
		assertThat(call().failure).isInstanceOf(McpServerUnavailableException.class);
		assertThat(this.events.take()).isEmpty();
	}

	private McpConnection connectionIn(McpServerState state) {
		McpConnection connection = create((builder) -> builder.enabled(state != McpServerState.DISABLED));
		if (state == McpServerState.DISABLED || state == McpServerState.IDLE) {
			return connection;
		}
		connection.start();
		if (state == McpServerState.READY) {
			link().ready("a");
		}
		if (state == McpServerState.UNAVAILABLE) {
			link().die("gone");
		}
		if (state == McpServerState.CLOSED) {
			connection.close();
		}
		assertThat(connection.status().state()).isEqualTo(state);
		return connection;
	}

	@Test
	void closeEndsWhoWaitsForTheAttempt() {
		McpConnection connection = start();
		Mono<McpServerStatus> reconnect = connection.reconnect();
		AtomicInteger first = new AtomicInteger();
		connection.firstAttempt().subscribe(null, null, first::incrementAndGet);
		connection.close();
		assertThat(reconnect.block(LIMIT).state()).isEqualTo(McpServerState.CLOSED);
		assertThat(first).hasValue(1);
	}

	@Test
	void closeWaitsForTheTransportButNotForEver() {
		this.server.closesAtOnce = false;
		McpConnection connection = ready();
		AtomicInteger closed = new AtomicInteger();
		connection.close().subscribe(null, null, closed::incrementAndGet);
		assertThat(closed).hasValue(0);
		this.time.advance(Generation.CLOSE_TIMEOUT.minus(NANO));
		assertThat(closed).hasValue(0);
		this.time.advance(NANO);
		assertThat(closed).hasValue(1);
		assertThat(log(Level.WARN)).containsExactly(
				"MCP server 'x' (server): closing the connection takes longer than 8 s, and continues in the background");
	}

	@Test
	void closeWaitsForEarlierGenerationsToo() {
		this.server.closesAtOnce = false;
		McpConnection connection = ready((builder) -> McpServerDefinition.of("x", "other"));
		Link first = this.server.last();
		first.die("gone");
		this.time.advance(Duration.ofSeconds(1));
		Link second = this.server.last();
		second.ready();
		AtomicInteger closed = new AtomicInteger();
		connection.close().subscribe(null, null, closed::incrementAndGet);
		second.closed.tryEmitEmpty();
		assertThat(closed).hasValue(0);
		first.closed.tryEmitEmpty();
		assertThat(closed).hasValue(1);
		assertThat(this.time.pending()).isZero();
	}

	@Test
	void nextChildWaitsForTheEndOfTheLastOneButNotForEver() {
		this.server.closesAtOnce = false;
		ready();
		link().die("gone");
		this.time.advance(Duration.ofSeconds(1));
		assertThat(state()).isEqualTo(McpServerState.CONNECTING);
		assertThat(this.server.attempts()).isEqualTo(1);
		this.time.advance(Generation.CLOSE_TIMEOUT.minusSeconds(1).minus(NANO));
		assertThat(this.server.attempts()).isEqualTo(1);
		this.time.advance(NANO);
		assertThat(this.server.attempts()).isEqualTo(2);
		// The deadline began with the attempt, not with the wait
		this.time.advance(Duration.ofSeconds(20).minus(NANO));
		assertThat(state()).isEqualTo(McpServerState.CONNECTING);
		link().ready();
		assertThat(state()).isEqualTo(McpServerState.READY);
	}

	@Test
	void firstChildWaitsForTheEndOfItsPredecessor() {
		this.server.closesAtOnce = false;
		McpConnection previous = ready();
		FakeSessions.Link child = this.server.last();
		previous.close("It was replaced.");
		McpConnection connection = create();
		connection.follow(previous);
		connection.start();
		assertThat(state()).isEqualTo(McpServerState.CONNECTING);
		assertThat(this.server.attempts()).isEqualTo(1);
		// and so does the one after it, although this one never began
		connection.close();
		McpConnection next = create();
		next.follow(connection);
		next.start();
		assertThat(this.server.attempts()).isEqualTo(1);
		this.server.closesAtOnce = true;
		child.closed.tryEmitEmpty();
		assertThat(this.server.attempts()).isEqualTo(2);
		assertThat(connection.status().state()).isEqualTo(McpServerState.CLOSED);
		link().ready();
		assertThat(state()).isEqualTo(McpServerState.READY);
	}

	@Test
	void closedForAReasonTellsIt() {
		McpConnection connection = ready("a");
		Answer call = call();
		connection.close("It was removed.");
		assertThat(call.failure).isInstanceOf(McpServerUnavailableException.class)
			.hasMessage("MCP server 'x' (server) is CLOSED: It was removed.");
		assertThat(((McpException) call.failure).isOutcomeKnown()).isFalse();
		assertThat(this.server.last().unsent).isInstanceOf(McpServerUnavailableException.class)
			.hasMessage(call.failure.getMessage());
		assertThat(((McpException) this.server.last().unsent).isOutcomeKnown()).isTrue();
		assertThat(status().lastError()).isEqualTo("It was removed.");
		connection.close("Another reason.");
		Answer late = call();
		assertThat(late.failure).hasMessage("MCP server 'x' (server) is CLOSED: It was removed.");
		assertThat(((McpException) late.failure).isOutcomeKnown()).isTrue();
	}

	@Test
	void otherTransportsDoNotWaitForTheLastOne() {
		this.server.closesAtOnce = false;
		create(McpServerDefinition.http("x", URI.create("http://localhost:1/mcp")), (builder) -> builder).start();
		link().ready();
		link().die(sessionLost());
		assertThat(this.server.attempts()).isEqualTo(2);
	}

	@Test
	void transportMadeWhileTheConnectionClosesIsClosed() {
		McpConnection connection = create();
		this.server.script = (link) -> connection.close();
		connection.start();
		this.time.advance(Duration.ZERO);
		assertThat(this.server.attempts()).isEqualTo(1);
		assertThat(link().closes).hasValue(1);
	}

	@Test
	void transportThatFailsToCloseIsClosed() {
		McpConnection connection = ready();
		link().closed.tryEmitError(new IllegalStateException("cannot close"));
		AtomicInteger closed = new AtomicInteger();
		connection.close().subscribe(null, null, closed::incrementAndGet);
		assertThat(closed).hasValue(1);
	}

	@Test
	void repeatedFailureIsLoggedOnce() {
		start();
		for (int i = 0; i < 50; i++) {
			link().die("Connection refused");
			advanceToRetry();
		}
		assertThat(log(Level.WARN)).hasSize(1);
		assertThat(log(Level.DEBUG).stream().filter((line) -> line.contains("UNAVAILABLE"))).hasSize(49);
		link().die("No route to host");
		assertThat(log(Level.WARN)).hasSize(2);
		readyAgain();
		link().die("No route to host");
		assertThat(log(Level.WARN)).hasSize(3);
	}

	@Test
	void flappingServerGetsAtMostOneLineAStateChange() {
		ready("a");
		for (int i = 0; i < 30; i++) {
			link().die("reset " + i);
			advanceToRetry();
			link().ready("a");
		}
		long changes = this.events.take().stream().filter((event) -> event.contains("->")).count();
		assertThat(log().count()).isEqualTo(changes);
	}

	@Test
	void stderrIsMadeFitForPeopleOnceOnly() {
		start((builder) -> builder.env(Map.of("KEY", "s3cr3t-v4lue")));
		link().stderr = List.of("no s3cr3t-v4lue");
		List<String> first = status().stderr();
		assertThat(first).containsExactly("no ******");
		assertThat(status().stderr()).isSameAs(first);
		link().stderr = List.of("no s3cr3t-v4lue", "more");
		assertThat(status().stderr()).containsExactly("no ******", "more");
	}

	@Test
	void stderrIsThatOfTheLatestGeneration() {
		this.server.script = (link) -> link.stderr = List.of("boom");
		start();
		assertThat(status().stderr()).containsExactly("boom");
		link().die("gone");
		assertThat(status().stderr()).containsExactly("boom");
	}

	@Test
	void listenerThatThrowsHarmsNothing() {
		McpConnection connection = factory(this.server).create(McpServerDefinition.stdio("y", "server").build(), true,
				this.server::transport, new McpConnectionListener() {

					@Override
					public void stateChanged(McpServerState previous, McpServerStatus status) {
						throw new IllegalStateException("listener");
					}

					@Override
					public void toolsChanged(List<Tool> tools) {
						throw new IllegalStateException("listener");
					}

					@Override
					public void promptsChanged() {
						throw new IllegalStateException("listener");
					}

					@Override
					public void resourcesChanged() {
						throw new IllegalStateException("listener");
					}

				}, ServerRequests.NONE, List.of());
		connection.start();
		link().ready("a");
		assertThat(connection.isReady()).isTrue();
		connection.close();
	}

	private static TransportException unavailable(Duration retryAfter) {
		return new HttpStatusException(503, "HTTP 503 Service Unavailable", "", null, true, retryAfter);
	}

	private static TransportException sessionLost() {
		return HttpStatusException.sessionLost(404, "The server no longer knows the session", "", null, false, null);
	}

	private Link link() {
		return this.server.last();
	}

}
