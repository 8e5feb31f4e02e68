package io.github.mcpclient.internal.connection;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Function;

import io.github.mcpclient.McpConnectionException;
import io.github.mcpclient.McpProtocolException;
import io.github.mcpclient.McpRequestTimeoutException;
import io.github.mcpclient.McpServerState;
import io.github.mcpclient.McpServerStatus;
import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.definition.McpServerDefinition.Reconnect;
import io.github.mcpclient.definition.McpServerDefinitionBuilder;
import io.github.mcpclient.internal.session.Call;
import io.github.mcpclient.internal.session.DefaultSessionFactory;
import io.github.mcpclient.internal.session.ServerRequests;
import io.github.mcpclient.internal.support.ClientScheduler;
import io.github.mcpclient.internal.transport.HeaderSources;
import io.github.mcpclient.internal.transport.http.HttpTransportFactory;
import io.github.mcpclient.internal.transport.http.McpHttpClients;
import io.github.mcpclient.internal.transport.stdio.StdioPeer;
import io.github.mcpclient.internal.transport.stdio.StdioTransportFactory;
import io.github.mcpclient.spi.McpHttpClientCustomizer;
import io.github.mcpclient.spi.McpHttpClientFactory;
import io.github.mcpclient.spi.McpTransportFactory;
import io.github.mcpclient.test.server.McpTestReply;
import io.github.mcpclient.test.server.McpTestServer;
import io.github.mcpclient.testsupport.CapturedLog;
import io.github.mcpclient.testsupport.Endurance;
import io.github.mcpclient.testsupport.FaultProxy;
import io.github.mcpclient.testsupport.Leaks;
import io.github.mcpclient.testsupport.Peers;
import io.github.mcpclient.testsupport.Unchecked;
import io.github.mcpclient.testsupport.faults.Fault;
import io.github.mcpclient.testsupport.faults.FaultKind;
import io.github.mcpclient.testsupport.faults.Transport;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.Implementation;
import io.modelcontextprotocol.spec.McpSchema.ProgressNotification;
import io.modelcontextprotocol.spec.McpSchema.TextContent;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;
import reactor.netty.http.client.HttpClient;
import reactor.netty.resources.ConnectionProvider;
import tools.jackson.databind.json.JsonMapper;

import static io.github.mcpclient.testsupport.TestDefaults.LIMIT;
import static io.github.mcpclient.testsupport.TestDefaults.afterTest;
import static io.github.mcpclient.testsupport.TestDefaults.closing;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for an {@link McpConnection} with real sessions over real transports.
 */
class RealServerTests {

	private final ClientScheduler scheduler = ClientScheduler.create();

	private final FakeSessions.Events events = new FakeSessions.Events();

	private Duration initialDelay = Duration.ofMillis(100);

	private List<McpHttpClientCustomizer> customizers = List.of();

	private HeaderSources headers = HeaderSources.NONE;

	private McpConnection connection;

	@AfterEach
	void close() {
		if (this.connection != null) {
			this.connection.close().block(LIMIT);
		}
	}

	@Test
	@Fault(value = FaultKind.SESSION_LOST, over = Transport.STREAMABLE_HTTP)
	void lostSessionIsHarmlessForACallThatIsRefused() {
		McpTestServer server = closing(McpTestServer.create().tools("echo").start());
		connect(McpServerDefinition.http("x", URI.create(server.url())));
		server.forgetSessions();
		// Not repeatable in general, but the server did not look at it
		assertThat(text(call(false).block(LIMIT))).isEqualTo("echo hi");
		assertThat(server.calls()).hasSize(1);
		assertThat(server.requests("initialize")).hasSize(2);
		List<String> told = new ArrayList<>();
		await(() -> {
			this.events.take().stream().filter((event) -> event.contains("->")).forEach(told::add);
			return told.size() >= 5;
		});
		assertThat(told).containsExactly("IDLE->CONNECTING", "CONNECTING->READY", "READY->UNAVAILABLE",
				"UNAVAILABLE->CONNECTING", "CONNECTING->READY");
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	@Fault(value = FaultKind.MANY_CALLS_MEET_A_LOSS, over = Transport.STREAMABLE_HTTP)
	void callsThatMeetALostSessionAreRepeatedAfterOneInitialize(boolean repeatable) {
		McpTestServer server = closing(McpTestServer.create().tools("echo").start());
		connect(McpServerDefinition.http("x", URI.create(server.url())));
		for (int round = 1; round < 20; round++) {
			server.forgetSessions();
			List<String> answers = Flux.range(0, 20)
				.flatMap((i) -> call(repeatable), 20)
				.map(RealServerTests::text)
				.collectList()
				.block(LIMIT);
			assertThat(answers).hasSize(20).containsOnly("echo hi");
			assertThat(server.calls()).hasSize(20 * round);
			assertThat(server.requests("initialize")).hasSize(round + 1);
		}
	}

	@Test
	@Fault(value = FaultKind.MANY_CALLS_MEET_A_LOSS, over = Transport.STREAMABLE_HTTP)
	@DisplayName("Calls from many threads, of which some meet a lost session, are all made once")
	void callsOfManyThreadsAreMadeOnceThoughTheSessionIsLost() {
		Set<String> messages = ConcurrentHashMap.newKeySet();
		Queue<String> twice = new ConcurrentLinkedQueue<>();
		Scheduler callers = Schedulers.newParallel("callers", 8, true);
		afterTest(callers::dispose);
		McpTestServer server = closing(McpTestServer.create().tools("echo").start());
		AtomicInteger left = new AtomicInteger();
		server.on("tools/call", (request) -> {
			String message = request.argument("message");
			if (!messages.add(message)) {
				twice.add(message);
			}
			if (left.decrementAndGet() == 0) {
				server.forgetSessions();
			}
			return McpTestReply.result(Map.of("content", List.of(Map.of("type", "text", "text", message))));
		});
		connect(McpServerDefinition.http("x", URI.create(server.url())));
		int rounds = Endurance.times(100);
		for (int round = 0; round < rounds; round++) {
			left.set(1 + 7 * round % 20);
			int first = 50 * round;
			List<String> answers = Flux.range(first, 50)
				.flatMap((i) -> call(false, Map.of("message", "no " + i)).subscribeOn(callers), 50)
				.map(RealServerTests::text)
				.collectList()
				.block(LIMIT);
			assertThat(answers).hasSize(50).doesNotHaveDuplicates();
		}
		assertThat(messages).hasSize(50 * rounds);
		assertThat(twice).isEmpty();
	}

	@Test
	@Fault(value = FaultKind.SESSION_LOST, over = Transport.STREAMABLE_HTTP)
	void callThatWaitsForItsHeadersIsMadeInTheNextSession() {
		AtomicInteger asked = new AtomicInteger();
		AtomicBoolean wait = new AtomicBoolean();
		this.headers = headers((method) -> {
			if (wait.compareAndSet(true, false)) {
				asked.incrementAndGet();
				return Mono.never();
			}
			return Mono.just(Map.of());
		});
		McpTestServer server = closing(McpTestServer.create().tools("echo").start());
		connect(McpServerDefinition.http("x", URI.create(server.url()))
			.requestTimeout(LIMIT)
			.initializationTimeout(LIMIT)
			.connectTimeout(LIMIT));
		server.awaitListeners(1);
		wait.set(true);
		CompletableFuture<CallToolResult> waiting = call(false).toFuture();
		await(() -> asked.get() == 1);
		server.forgetSessions();
		assertThat(text(call(false).block(LIMIT))).isEqualTo("echo hi");
		assertThat(waiting).succeedsWithin(LIMIT);
		assertThat(server.calls()).hasSize(2);
		assertThat(server.requests("initialize")).hasSize(2);
	}

	@ParameterizedTest
	@ValueSource(ints = { 200, 400, 404 })
	void callRefusedForALostSessionIsRepeatedWhateverTheStatus(int status) {
		McpTestServer server = closing(McpTestServer.create()
			.tools("echo")
			.unknownSession((status == 404) ? McpTestReply.status(404)
					: McpTestReply.error(-32000, "Bad Request: No valid session ID provided").withStatus(status))
			.start());
		connect(McpServerDefinition.http("x", URI.create(server.url())));
		server.forgetSessions();
		assertThat(text(call(false).block(LIMIT))).isEqualTo("echo hi");
		assertThat(server.calls()).hasSize(1);
		assertThat(server.requests("initialize")).hasSize(2);
	}

	@ParameterizedTest
	@ValueSource(ints = { 400, 404 })
	void callAnsweredWithAnErrorIsMadeOnceThoughTheSessionIsLost(int status) {
		McpTestServer server = closing(McpTestServer.create().tools("echo").start());
		connect(McpServerDefinition.http("x", URI.create(server.url())));
		server.onNext("tools/call", (request) -> {
			server.forgetSessions();
			return McpTestReply.error(-32000, "The session ran out of stock").withStatus(status);
		});
		assertThatExceptionOfType(McpProtocolException.class).isThrownBy(() -> call(false).block(LIMIT))
			.withMessageContaining("error -32000")
			.withMessageEndingWith(": The session ran out of stock");
		assertThat(server.calls()).hasSize(1);
		await(() -> this.connection.isReady() && server.requests("initialize").size() == 2);
		assertThat(text(call(false).block(LIMIT))).isEqualTo("echo hi");
		assertThat(server.calls()).hasSize(2);
	}

	@Test
	void realServerThatIsStoppedAndStartedUnderCalls() {
		int port = Peers.freePort();
		// The stream and the call: none is idle, on which a ping would be cut off
		ConnectionProvider pool = ConnectionProvider.builder("two")
			.maxConnections(2)
			.pendingAcquireMaxCount(-1)
			.build();
		this.customizers = List.of((name, client) -> HttpClient.create(pool));
		CapturedLog log = closing(new CapturedLog(ConnectionContext.LOGGER).open());
		FaultProxy proxy = FaultProxy.to(port);
		CompletableFuture<CallToolResult> cutOff;
		try (Peers.Running first = Peers.everything("streamableHttp", port)) {
			connect(McpServerDefinition.http("x", URI.create("http://localhost:" + proxy.port() + "/mcp")));
			// It is of the session whether the next one starts or stops something
			assertThat(toggle()).startsWith("Started");
			AtomicInteger steps = new AtomicInteger();
			cutOff = tool("trigger-long-running-operation", Map.of("duration", 60, "steps", 120),
					(progress) -> steps.incrementAndGet())
				.toFuture();
			// The server is at it: what the proxy holds would be sent to the next one
			await(() -> first.process().isAlive() && steps.get() > 0);
			proxy.hold();
		}
		Peers.Running second = Peers.everything("streamableHttp", port);
		// Nothing refused a connection meanwhile
		proxy.pass();
		assertThat(cutOff).failsWithin(LIMIT)
			.withThrowableThat()
			.havingCause()
			.isInstanceOf(McpConnectionException.class);
		await(() -> log.lines().toString().contains("The server no longer knows the session (HTTP 400)"));
		await(this.connection::isReady);
		List<String> answers = Flux.range(0, 20)
			.flatMap((i) -> call(false, Map.of("message", "no " + i)), 20)
			.map(RealServerTests::text)
			.collectList()
			.block(LIMIT);
		assertThat(answers).hasSize(20).doesNotHaveDuplicates();
		assertThat(toggle()).startsWith("Started");
		assertThat(second.process().isAlive()).isTrue();
	}

	private String toggle() {
		return text(tool("toggle-simulated-logging", Map.of(), null).block(LIMIT));
	}

	private Mono<CallToolResult> tool(String name, Map<String, Object> arguments,
			@Nullable Consumer<ProgressNotification> progress) {
		return this.connection.call(Call.tool(new CallToolRequest(name, arguments, null),
				new Call.Options(Duration.ofSeconds(60), null, null, null, progress, false, Call.UNCHECKED)));
	}

	@Test
	void poolThatOurOwnCallsExhaustIsNoReasonToEndTheConnection() {
		McpTestServer server = closing(McpTestServer.create().tools("echo").start());
		this.customizers = List.of((name, client) -> HttpClient.create(ConnectionProvider.create("tiny", 3)));
		AtomicInteger posts = new AtomicInteger();
		this.headers = headers((method) -> {
			posts.incrementAndGet();
			return Mono.just(Map.of());
		});
		connect(McpServerDefinition.http("x", URI.create(server.url()))
			.requestTimeout(LIMIT)
			.initializationTimeout(LIMIT)
			.connectTimeout(LIMIT)
			.keepAliveInterval(Duration.ofMillis(100)));
		server.awaitListeners(1);
		CompletableFuture<?> go = new CompletableFuture<>();
		server.on("tools/call", McpTestReply.standard().after(go));
		CompletableFuture<List<String>> answers = Flux.range(0, 2)
			.flatMap((i) -> call(false), 2)
			.map(RealServerTests::text)
			.collectList()
			.toFuture();
		server.awaitPending("tools/call", 2);
		assertThatExceptionOfType(McpRequestTimeoutException.class).isThrownBy(
				() -> this.connection
					.call(Call.tool(new CallToolRequest("echo", Map.of(), null),
							Call.Options.of(Duration.ofMillis(200), false)))
					.block(LIMIT));
		// Each ping begins when the one before has failed, for want of a connection
		int before = posts.get();
		await(() -> posts.get() >= before + 5);
		assertThat(this.connection.isReady()).isTrue();
		assertThat(answers).isNotDone();
		go.complete(null);
		assertThat(answers).succeedsWithin(LIMIT).asInstanceOf(InstanceOfAssertFactories.LIST).hasSize(2);
		assertThat(server.requests("initialize")).hasSize(1);
	}

	@Test
	void serverThatGoesAndComesBack() {
		McpTestServer server = closing(McpTestServer.create().tools("echo").start());
		connect(McpServerDefinition.http("x", URI.create(server.url())));
		server.stop();
		McpServerStatus refused = this.connection.reconnect().block(LIMIT);
		assertThat(refused.state()).isEqualTo(McpServerState.UNAVAILABLE);
		assertThat(refused.lastError()).startsWith("Connection refused");
		assertThat(this.connection.tools()).extracting("name").containsExactly("echo");
		server.tools("other").start();
		await(this.connection::isReady);
		assertThat(this.connection.tools()).extracting("name").containsExactly("other");
		server.awaitSessions(1);
		this.connection.close().block(LIMIT);
		server.awaitSessions(0).awaitListeners(0);
	}

	@Test
	void serverThatIsKilledUnderTwentySafeCallsAndComesBack() {
		this.initialDelay = Duration.ofHours(1);
		McpTestServer server = closing(McpTestServer.create().tools("echo").start());
		connect(McpServerDefinition.http("x", URI.create(server.url())));
		server.on("tools/call", McpTestReply.never());
		CompletableFuture<List<String>> answers = Flux.range(0, 20)
			.flatMap((i) -> call(true), 20)
			.map(RealServerTests::text)
			.collectList()
			.toFuture();
		server.awaitPending("tools/call", 20).stop();
		// Nothing but the calls that were cut off tells of it
		await(() -> !this.connection.isReady());
		server.reset().start();
		this.connection.reconnect();
		assertThat(answers).succeedsWithin(LIMIT)
			.asInstanceOf(InstanceOfAssertFactories.LIST)
			.hasSize(20)
			.containsOnly("echo hi");
		assertThat(server.requests("initialize")).hasSize(1);
	}

	@Test
	void announcedChangeIsListed() {
		McpTestServer server = closing(McpTestServer.create().tools("a").start());
		connect(McpServerDefinition.http("x", URI.create(server.url())));
		server.awaitListeners(1);
		server.tools("a", "b").notifyToolsListChanged();
		await(() -> this.connection.tools().size() == 2);
		List<String> told = new ArrayList<>();
		await(() -> {
			told.addAll(this.events.take());
			return told.size() >= 4;
		});
		assertThat(told).containsExactly("IDLE->CONNECTING", "tools [a]", "CONNECTING->READY", "tools [a, b]");
	}

	@Test
	@Fault(value = FaultKind.NO_ANSWER, over = Transport.STREAMABLE_HTTP)
	void serverThatAnswersNothingMeetsTheDeadline() {
		McpTestServer server = closing(
				McpTestServer.create().on("POST", McpTestReply.standard().after(new CompletableFuture<>())).start());
		start(McpServerDefinition.http("x", URI.create(server.url()))
			.requestTimeout(LIMIT)
			.initializationTimeout(Duration.ofMillis(300))
			.connectTimeout(LIMIT));
		assertThat(this.connection.status().lastError())
			.isEqualTo("No response to server/discover or initialize within 300 ms. Check that " + server.url()
					+ " is an MCP server, or raise mcp.servers.x.initialization-timeout.");
	}

	@Test
	@Fault(value = FaultKind.EXIT_IN_CALL, over = Transport.STDIO)
	void childThatExitsIsReplaced() {
		// long enough to look at what is told meanwhile
		this.initialDelay = Duration.ofSeconds(2);
		connect(peer());
		assertThat(text(call(false, Map.of("text", "hello")).block(LIMIT))).isEqualTo("hello");
		assertThatExceptionOfType(McpConnectionException.class)
			.isThrownBy(() -> call(false, Map.of("text", "exit")).block(LIMIT))
			.withMessageContaining("The process exited with code 7");
		McpServerStatus status = this.connection.status();
		assertThat(status.state()).isNotEqualTo(McpServerState.READY);
		assertThat(status.lastError()).contains("exited with code 7")
			.contains("told to exit")
			.contains("mcp.servers.x.");
		assertThat(status.stderr()).contains("told to exit");
		await(this.connection::isReady);
		assertThat(text(call(false, Map.of("text", "again")).block(LIMIT))).isEqualTo("again");
	}

	@Test
	void childThatIsBusyWithACallIsNotTakenForLost() {
		Duration interval = Duration.ofMillis(500);
		connect(peer().requestTimeout(Duration.ofSeconds(60))
			.initializationTimeout(LIMIT)
			.connectTimeout(LIMIT)
			.keepAliveInterval(interval));
		// Three pings meet no answer meanwhile
		assertThat(text(call(false, Map.of("text", "busy")).block(LIMIT))).isEqualTo("busy");
		assertThat(this.events.take()).filteredOn((event) -> event.contains("->"))
			.containsExactly("IDLE->CONNECTING", "CONNECTING->READY");
	}

	@Test
	void commandThatEchoesIsNoServer() {
		start(McpServerDefinition.stdio("x", "/bin/cat"));
		assertThat(this.connection.status().lastError()).contains("echoes each message, so ")
			.contains("heck mcp.servers.x.command");
	}

	@Test
	void timeoutOfTheHandshakeHoldsWhileALargeAnswerWaitsToBeRead() {
		McpTestServer server = closing(
				McpTestServer.create().on("initialize", McpTestReply.result(hostileHandshake())).start());
		CountDownLatch over = new CountDownLatch(1);
		for (int i = 0; i < 100; i++) {
			this.scheduler.execute("x", () -> Unchecked.run(over::await));
		}
		start(McpServerDefinition.http("x", URI.create(server.url())).initializationTimeout(Duration.ofMillis(500)));
		assertThat(this.connection.status().lastError()).contains("within 500 ms", "initialization-timeout");
		over.countDown();
		await(this.connection::isReady);
	}

	@Test
	void handshakeWithVeryManyMembersIsReadInTime() {
		McpTestServer server = closing(
				McpTestServer.create().on("initialize", McpTestReply.result(hostileHandshake())).start());
		connect(McpServerDefinition.http("x", URI.create(server.url())));
		assertThat(server.requests("initialize")).hasSize(1);
		assertThat(server.requests("tools/list")).as("its capability is malformed, but there").hasSize(1);
	}

	private static Map<String, Object> hostileHandshake() {
		Map<String, Object> capabilities = new LinkedHashMap<>();
		for (int i = 0; i < 40_000; i++) {
			capabilities.put("unknown" + i, Map.of());
		}
		capabilities.put("tools", 5);
		return Map.of("protocolVersion", "2025-11-25", "capabilities", capabilities, "serverInfo",
				Map.of("name", "hostile", "version", "1"));
	}

	@Test
	void closeLeavesNoChild() {
		Set<Long> before = Leaks.children();
		connect(peer());
		Set<Long> ours = Leaks.children();
		ours.removeAll(before);
		assertThat(ours).isNotEmpty();
		this.connection.close().block(LIMIT);
		await(() -> Collections.disjoint(Leaks.children(), ours));
	}

	private void connect(McpServerDefinitionBuilder server) {
		start(server);
		assertThat(this.connection.status().lastError()).isNull();
		assertThat(this.connection.isReady()).isTrue();
	}

	private void start(McpServerDefinitionBuilder server) {
		McpServerDefinition definition = server
			.reconnect(new Reconnect(true, this.initialDelay, 2.0, this.initialDelay.multipliedBy(5), 0.0))
			.build();
		JsonMapper mapper = JsonMapper.builder().build();
		McpTransportFactory transports = (definition.stdio() != null)
				? new StdioTransportFactory(mapper, this.scheduler)
				: HttpTransportFactory.streamable(new McpHttpClients(McpHttpClientFactory.simple(), this.customizers),
						this.headers, mapper, this.scheduler);
		this.connection = new McpConnectionFactory(
				new DefaultSessionFactory(this.scheduler, (name, task) -> this.scheduler.schedule(task)),
				this.scheduler, this.scheduler, this.scheduler, Implementation.builder("test", "1").build(),
				HeaderSources.NONE)
			.create(definition, true, () -> transports.create(definition), this.events, ServerRequests.NONE, List.of());
		this.connection.start();
		this.connection.firstAttempt().block(LIMIT);
	}

	private static HeaderSources headers(Function<String, Mono<Map<String, String>>> headers) {
		return new HeaderSources(() -> List.of((request) -> headers.apply(request.method())), (type) -> null,
				Schedulers::immediate);
	}

	private static McpServerDefinitionBuilder peer() {
		return McpServerDefinition.stdio("x", Path.of(System.getProperty("java.home"), "bin", "java").toString(),
				"-XX:TieredStopAtLevel=1", "-Xshare:auto", "-XX:+UseSerialGC", "-cp",
				Path.of(StdioPeer.class.getProtectionDomain().getCodeSource().getLocation().getPath()).toString(),
				StdioPeer.class.getName());
	}

	private Mono<CallToolResult> call(boolean repeatable) {
		return call(repeatable, Map.of("message", "hi"));
	}

	private Mono<CallToolResult> call(boolean repeatable, Map<String, Object> arguments) {
		return this.connection.call(Call.tool(new CallToolRequest("echo", arguments, null),
				Call.Options.of(Duration.ofSeconds(60), repeatable)));
	}

	private static String text(CallToolResult result) {
		return ((TextContent) result.content().get(0)).text();
	}

	private static void await(Callable<Boolean> condition) {
		Awaitility.await().pollInterval(Duration.ofMillis(5)).until(condition);
	}

}
