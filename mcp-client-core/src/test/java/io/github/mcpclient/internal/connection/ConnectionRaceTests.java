package io.github.mcpclient.internal.connection;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import io.github.mcpclient.McpException;
import io.github.mcpclient.McpServerState;
import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.definition.McpServerDefinition.Reconnect;
import io.github.mcpclient.internal.connection.FakeSessions.Link;
import io.github.mcpclient.internal.session.Call;
import io.github.mcpclient.internal.session.ServerRequests;
import io.github.mcpclient.internal.support.ClientScheduler;
import io.github.mcpclient.internal.transport.HeaderSources;
import io.github.mcpclient.internal.transport.HttpStatusException;
import io.github.mcpclient.spi.TransportException;
import io.github.mcpclient.testsupport.Unchecked;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import static io.github.mcpclient.testsupport.TestDefaults.LIMIT;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for what may happen to an {@link McpConnection} at the same time, on real
 * threads.
 */
class ConnectionRaceTests {

	private final ClientScheduler scheduler = ClientScheduler.create();

	private final ExecutorService threads = Executors.newCachedThreadPool();

	private final FakeSessions server = new FakeSessions();

	private final FakeSessions.Events events = new FakeSessions.Events();

	private final McpConnection connection = new McpConnectionFactory(this.server, this.scheduler, this.scheduler,
			this.scheduler, null, HeaderSources.NONE)
		.create(McpServerDefinition.of("x", "fake")
			.reconnect(new Reconnect(true, Duration.ofMillis(5), 1.0, Duration.ofMillis(5), 0.0))
			.build(), true, this.server::transport, this.events, ServerRequests.NONE, List.of());

	@AfterEach
	void nothingIsLeft() {
		this.connection.close().block(LIMIT);
		this.scheduler.dispose();
		this.threads.shutdownNow();
		assertThat(this.server.links).allSatisfy((link) -> assertThat(link.closes).hasValue(1));
	}

	@RepeatedTest(50)
	void startAndClose() throws Exception {
		answerEverything();
		race(this.connection::start, () -> this.connection.close().block(LIMIT));
		assertThat(this.connection.status().state()).isEqualTo(McpServerState.CLOSED);
		assertThat(this.server.attempts()).isLessThanOrEqualTo(1);
		this.connection.firstAttempt().block(LIMIT);
	}

	@RepeatedTest(50)
	void reconnectsAndClose() throws Exception {
		answerEverything();
		this.connection.start();
		this.connection.firstAttempt().block(LIMIT);
		// None of them hangs, whichever comes first
		race(() -> this.connection.reconnect().block(LIMIT), () -> this.connection.reconnect().block(LIMIT),
				() -> this.connection.close().block(LIMIT),
				() -> this.connection.refresh().onErrorComplete(McpException.class).block(LIMIT));
		assertThat(this.connection.status().state()).isEqualTo(McpServerState.CLOSED);
	}

	@RepeatedTest(50)
	void handshakeAndDeath() throws Exception {
		this.connection.start();
		await(() -> this.server.attempts() == 1);
		Link link = this.server.last();
		link.tools = List.of();
		answerEverything();
		race(link::initialize, () -> link.die("gone"));
		// The state is there a moment before the listener is told
		List<String> events = new ArrayList<>();
		await(() -> {
			this.events.take().stream().filter((event) -> event.contains("->")).forEach(events::add);
			return this.server.attempts() == 2 && events.get(events.size() - 1).endsWith("->READY");
		});
		assertThat(events).startsWith("IDLE->CONNECTING").endsWith("UNAVAILABLE->CONNECTING", "CONNECTING->READY");
		assertThat(events).hasSizeLessThanOrEqualTo(5);
	}

	@RepeatedTest(20)
	void lostSessionUnderTwentyConcurrentCalls() throws Exception {
		AtomicInteger known = new AtomicInteger(1);
		this.server.script = (link) -> {
			int session = this.server.attempts();
			link.tools = List.of(FakeSessions.tool("echo"));
			link.answer = (request) -> Mono.defer(() -> {
				if (session >= known.get()) {
					return Mono.just(FakeSessions.result("ok"));
				}
				TransportException lost = HttpStatusException.sessionLost(404, "The server no longer knows the session",
						"", null, false, null);
				// From a thread of the transport, as over HTTP
				return Mono.<CallToolResult>fromRunnable(() -> link.die(lost))
					.then(Mono.<CallToolResult>error(lost))
					.subscribeOn(Schedulers.parallel());
			});
			link.initialize();
		};
		this.connection.start();
		this.connection.firstAttempt().block(LIMIT);
		known.set(2);
		List<Future<CallToolResult>> answers = new ArrayList<>();
		CyclicBarrier barrier = new CyclicBarrier(20);
		for (int i = 0; i < 20; i++) {
			answers.add(this.threads.submit(() -> {
				barrier.await(30, TimeUnit.SECONDS);
				return this.connection
					.call(Call.tool(new CallToolRequest("echo", null, null),
							Call.Options.of(Duration.ofSeconds(60), true)))
					.block(LIMIT);
			}));
		}
		for (Future<CallToolResult> answer : answers) {
			assertThat(answer.get(30, TimeUnit.SECONDS)).isNotNull();
		}
		assertThat(this.server.attempts()).isEqualTo(2);
	}

	@Test
	void callersThatArriveAtOnceStartOneAttempt() throws Exception {
		List<Future<CallToolResult>> answers = new ArrayList<>();
		this.server.script = (link) -> {
			link.tools = List.of();
			link.answer = (request) -> Mono.just(FakeSessions.result("ok"));
			Schedulers.parallel().schedule(link::initialize, 20, TimeUnit.MILLISECONDS);
		};
		for (int i = 0; i < 64; i++) {
			answers.add(this.threads.submit(
					() -> this.connection
						.call(Call.tool(new CallToolRequest("echo", null, null),
								Call.Options.of(Duration.ofSeconds(60), false)))
						.block(LIMIT)));
		}
		for (Future<CallToolResult> answer : answers) {
			assertThat(answer.get(30, TimeUnit.SECONDS)).isNotNull();
		}
		assertThat(this.server.attempts()).isEqualTo(1);
	}

	@Test
	void slowSupplierOfOneConnectionDoesNotHoldUpItsClose() throws Exception {
		CountDownLatch go = new CountDownLatch(1);
		this.server.script = (link) -> Unchecked.run(() -> go.await(120, TimeUnit.SECONDS));
		this.connection.start();
		await(() -> this.server.attempts() == 1);
		Mono<Void> close = this.connection.close();
		assertThat(this.connection.status()).isNotNull();
		await(() -> this.connection.status().state() == McpServerState.CLOSED);
		go.countDown();
		close.block(LIMIT);
		assertThat(this.server.last().closes).hasValue(1);
	}

	@Test
	void errorsReachCallersAsideFromTheThreadThatReads() throws Exception {
		answerEverything();
		this.connection.start();
		this.connection.firstAttempt().block(LIMIT);
		this.server.last().answer = null;
		Future<String> thread = this.threads.submit(() -> this.connection
			.call(Call.tool(new CallToolRequest("echo", null, null), Call.Options.of(Duration.ofSeconds(60), false)))
			.map((result) -> "")
			.onErrorResume((ex) -> Mono.fromSupplier(() -> Thread.currentThread().getName()))
			.block(LIMIT));
		await(() -> !this.server.last().calls.isEmpty());
		Thread reader = new Thread(() -> this.server.last().die("gone"), "reader");
		reader.start();
		assertThat(thread.get(30, TimeUnit.SECONDS)).startsWith("mcp-parallel-");
		reader.join(10_000);
	}

	private static void await(Callable<Boolean> condition) {
		Awaitility.await().pollDelay(Duration.ZERO).pollInterval(Duration.ofMillis(1)).until(condition);
	}

	private void answerEverything() {
		this.server.script = (link) -> {
			link.tools = List.of(FakeSessions.tool("echo"));
			link.answer = (request) -> Mono.just(FakeSessions.result("ok"));
			link.initialize();
		};
	}

	private void race(Runnable... actions) throws Exception {
		CyclicBarrier barrier = new CyclicBarrier(actions.length);
		List<Future<?>> ends = new ArrayList<>();
		for (Runnable action : actions) {
			ends.add(this.threads.submit(() -> {
				barrier.await(30, TimeUnit.SECONDS);
				action.run();
				return null;
			}));
		}
		for (Future<?> end : ends) {
			end.get(30, TimeUnit.SECONDS);
		}
	}

}
