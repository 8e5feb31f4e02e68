package io.github.mcpclient.internal.assembly;

import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.github.mcpclient.McpServerState;
import io.github.mcpclient.McpServerUnavailableException;
import io.github.mcpclient.McpTool;
import io.github.mcpclient.McpToolResult;
import io.github.mcpclient.NoSuchMcpServerException;
import io.github.mcpclient.definition.InvalidMcpConfigurationException;
import io.github.mcpclient.definition.InvalidMcpConfigurationException.Problem;
import io.github.mcpclient.definition.McpServerAuth;
import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.definition.McpServerDefinitionBuilder;
import io.github.mcpclient.definition.McpToolPolicy;
import io.github.mcpclient.event.McpServerEvent;
import io.github.mcpclient.event.McpServerStateChangedEvent;
import io.github.mcpclient.handler.McpRootsProvider;
import io.github.mcpclient.internal.connection.ConnectionObserver;
import io.github.mcpclient.internal.registry.DefaultMcpServerRegistry;
import io.github.mcpclient.internal.support.ClientThreads;
import io.github.mcpclient.internal.support.DaemonThreads;
import io.github.mcpclient.internal.validation.McpServerDefinitions.Configured;
import io.github.mcpclient.management.ManagedMcpServer;
import io.github.mcpclient.management.McpReload;
import io.github.mcpclient.management.McpServerManager;
import io.github.mcpclient.management.McpServerOrigin;
import io.github.mcpclient.management.McpServerOrigin.Kind;
import io.github.mcpclient.test.server.McpTestReply;
import io.github.mcpclient.test.server.McpTestServer;
import io.modelcontextprotocol.spec.McpSchema.Implementation;
import io.modelcontextprotocol.spec.McpSchema.Root;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.support.DefaultListableBeanFactory;

import static io.github.mcpclient.testsupport.TestDefaults.LIMIT;
import static io.github.mcpclient.testsupport.TestDefaults.closing;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.BDDMockito.willAnswer;
import static org.mockito.Mockito.mock;

/**
 * Tests for {@link DefaultMcpServerRegistry#reload}.
 */
class ReloadTests {

	private final DefaultListableBeanFactory beans = new DefaultListableBeanFactory();

	private final ClientThreads threads = new ClientThreads();

	private final DefaultMcpServerRegistry.HostApplication application = mock(
			DefaultMcpServerRegistry.HostApplication.class);

	private final List<McpServerEvent> events = new ArrayList<>();

	private final AtomicInteger line = new AtomicInteger();

	private final CompletableFuture<Void> gate = new CompletableFuture<>();

	private ClientAssembly assembly;

	private DefaultMcpServerRegistry registry;

	@AfterEach
	void stop() {
		this.gate.complete(null);
		this.registry.destroy();
		this.assembly.close();
		this.threads.dispose();
	}

	@Test
	void callersOfAnUnchangedServerNoticeNothing() throws Exception {
		McpTestServer server = echo();
		McpTestServer other = echo();
		start(http("a", server), http("b", other));
		McpTool tool = this.registry.tools().get("a_echo");
		Callers callers = new Callers(20, () -> assertThat(tool.call(Map.of()).text()).isEqualTo("hello"));
		for (int i = 0; i < 2; i++) {
			int before = callers.calls.get();
			assertThat(reload(http("a", server), header("b", other, "X-Round", "" + i)).replaced())
				.containsExactly("b");
			assertThat(reload(http("a", server), header("b", other, "X-Round", "" + i), http("c", other)).added())
				.containsExactly("c");
			assertThat(reload(http("a", server), header("b", other, "X-Round", "" + i)).removed()).containsExactly("c");
			callers.awaitCalls(before + 20);
		}
		callers.end();
		assertThat(server.requests("initialize")).hasSize(1);
		assertThat(server.requests("tools/list")).hasSize(1);
		assertThat(server.sessions()).hasSize(1);
	}

	@Test
	void noCallOfAServerThatIsReplacedIsLost() throws Exception {
		McpTestServer server = echo();
		start(header("a", server, "X-Round", "start"));
		McpTool tool = this.registry.tools().get("a_echo");
		Callers callers = new Callers(8, () -> tool.call(Map.of()));
		for (int i = 0; i < 10; i++) {
			int before = callers.calls.get();
			reload(header("a", server, "X-Round", "" + i));
			callers.awaitCalls(before + 8);
		}
		callers.end();
		assertThat(server.requests("initialize")).hasSize(11);
		server.awaitSessions(1);
	}

	@Test
	void aPendingCallEndsWhereItBeganAndTheNextOneElsewhere() {
		McpTestServer server = slow();
		start(header("a", server, "Authorization", "old"));
		CompletableFuture<McpToolResult> pending = call("a_slow");
		server.awaitPending("tools/call", 1);
		assertThat(reload(header("a", server, "Authorization", "new")).replaced()).containsExactly("a");
		assertThat(call("a_echo")).succeedsWithin(LIMIT);
		assertThat(pending).isNotDone();
		assertThat(server.sessions()).hasSize(2);
		this.gate.complete(null);
		assertThat(pending).succeedsWithin(LIMIT).extracting(McpToolResult::text).isEqualTo("done");
		server.awaitSessions(1);
		assertThat(server.calls()).extracting((call) -> call.header("Authorization")).containsExactly("old", "new");
		assertThat(server.calls("slow")).hasSize(1);
		// the end of the connection before is no news
		assertThat(states("a")).last().isEqualTo(McpServerState.READY);
	}

	@Test
	void aCallThatWaitsForItsTurnHasTheTokenOfTheNextConnection() {
		McpTestServer server = slow();
		McpTestServer other = slow();
		start(token(server, "old"));
		CompletableFuture<McpToolResult> pending = call("a_slow");
		server.awaitPending("tools/call", 1);
		CompletableFuture<McpToolResult> waiting = call("a_echo");
		assertThat(reload(token(other, "new")).replaced()).containsExactly("a");
		this.gate.complete(null);
		assertThat(pending).succeedsWithin(LIMIT);
		assertThat(waiting).succeedsWithin(LIMIT);
		assertThat(server.calls()).extracting((call) -> call.header("Authorization")).containsExactly("Bearer old");
		assertThat(other.calls()).extracting((call) -> call.header("Authorization")).containsExactly("Bearer new");
	}

	@Test
	void whatAServerAsksDuringAPendingCallIsAnswered() {
		AtomicReference<CompletableFuture<String>> asked = new AtomicReference<>();
		this.beans.registerSingleton("roots", (McpRootsProvider) (context) -> {
			this.gate.join();
			return List.of(new Root("file:///" + context.serverName(), null));
		});
		McpTestServer server = closing(McpTestServer.create().tool("ask", (request) -> {
			CompletableFuture<String> answer = request.request("roots/list", Map.of()).thenApply(String::valueOf);
			asked.set(answer);
			return McpTestReply.text("done").after(answer).asEvents();
		}).start());
		start(http("a", server));
		CompletableFuture<McpToolResult> pending = call("a_ask");
		server.awaitPending("tools/call", 1);
		reload(header("a", server, "X-A", "b"));
		this.gate.complete(null);
		assertThat(pending).succeedsWithin(LIMIT).extracting(McpToolResult::text).isEqualTo("done");
		assertThat(asked.get()).succeedsWithin(LIMIT)
			.asInstanceOf(InstanceOfAssertFactories.STRING)
			.contains("file:///a");
		server.awaitSessions(1);
	}

	@Test
	void onlyOtherToolsKeepTheSession() {
		McpTestServer server = slow();
		start(http("a", server));
		CompletableFuture<McpToolResult> pending = call("a_slow");
		McpReload reload = reload(
				http("a", server).mutate().toolFilter(List.of("slow")).requestTimeout(Duration.ofSeconds(61)).build());
		assertThat(reload.replaced()).as("a request timeout is not of the tools").containsExactly("a");
		reload = reload(
				http("a", server).mutate().toolFilter(List.of("echo")).requestTimeout(Duration.ofSeconds(61)).build());
		assertThat(reload.updated()).containsExactly("a");
		assertThat(reload.replaced()).isEmpty();
		assertThat(this.registry.tools().all()).extracting(McpTool::name).containsExactly("a_echo");
		assertThat(server.requests("initialize")).hasSize(2);
		this.gate.complete(null);
		assertThat(pending).succeedsWithin(LIMIT);
	}

	@Test
	void pendingCallsOfAServerThatIsRemovedEnd() {
		McpTestServer server = slow();
		start(http("a", server));
		McpTool tool = this.registry.tools().get("a_slow");
		CompletableFuture<McpToolResult> pending = call("a_slow");
		server.awaitPending("tools/call", 1);
		assertThat(reload().removed()).containsExactly("a");
		assertThatExceptionOfType(NoSuchMcpServerException.class).isThrownBy(() -> this.registry.server("a"));
		assertThat(tool.callAsync(Map.of()).toFuture()).failsWithin(LIMIT);
		this.gate.complete(null);
		assertThat(pending).succeedsWithin(LIMIT);
		server.awaitSessions(0);
	}

	@Test
	void theEndOfTheApplicationWaitsForNoCall() {
		McpTestServer server = slow();
		start(http("a", server));
		CompletableFuture<McpToolResult> pending = call("a_slow");
		server.awaitPending("tools/call", 1);
		reload(header("a", server, "X-A", "b"));
		this.registry.stop();
		assertThat(pending).failsWithin(LIMIT)
			.withThrowableThat()
			.havingCause()
			.isInstanceOfSatisfying(McpServerUnavailableException.class,
					(ex) -> assertThat(ex.isOutcomeKnown()).isFalse());
		server.awaitSessions(0);
	}

	@Test
	void whatCodeDoesToAServerEndsItsCallsAtOnce() {
		McpTestServer server = slow();
		start(http("a", server));
		CompletableFuture<McpToolResult> pending = call("a_slow");
		server.awaitPending("tools/call", 1);
		reload(header("a", server, "X-A", "b"));
		this.registry.manager().disable("a");
		assertThat(pending).failsWithin(LIMIT);
		server.awaitSessions(0);
	}

	@Test
	void replacedAgainAndAgainTheOldestCallGivesWay() {
		McpTestServer server = slow();
		start(header("a", server, "X-Round", "0"));
		List<CompletableFuture<McpToolResult>> pending = new ArrayList<>();
		for (int i = 1; i <= 4; i++) {
			pending.add(call("a_slow"));
			server.awaitPending("tools/call", Math.min(i, 4));
			reload(header("a", server, "X-Round", "" + i));
		}
		assertThat(pending.remove(0)).failsWithin(LIMIT);
		assertThat(pending).noneMatch(CompletableFuture::isDone);
		this.gate.complete(null);
		assertThat(pending).allSatisfy((call) -> assertThat(call).succeedsWithin(LIMIT));
		server.awaitSessions(1);
		assertThat(server.calls()).extracting((call) -> call.header("X-Round")).containsExactly("0", "1", "2", "3");
	}

	@Test
	void aServerThatDoesNotComeUpSaysSo() {
		McpTestServer server = slow();
		start(http("a", server));
		CompletableFuture<McpToolResult> pending = call("a_slow");
		server.awaitPending("tools/call", 1);
		reload(McpServerDefinition.http("a", URI.create("http://localhost:1/mcp")).build());
		assertThat(this.registry.server("a").status().state()).isEqualTo(McpServerState.UNAVAILABLE);
		assertThat(call("a_echo")).failsWithin(LIMIT);
		assertThat(pending).isNotDone();
		this.gate.complete(null);
		assertThat(pending).succeedsWithin(LIMIT);
	}

	@Test
	void whatIsWrongNamesWhereTheServerIsDefinedNow() {
		McpServerDefinition dead = McpServerDefinition.http("a", URI.create("http://localhost:1/mcp")).build();
		start();
		reload(dead);
		assertThat(this.registry.server("a").status().lastError()).contains("mcp.servers.a.url");
		assertThat(this.registry.manager().server("a").diagnose().toString()).contains("mcp.servers.a.url");
		reload();
		this.registry.manager().add(dead);
		assertThat(this.registry.server("a").status().lastError()).contains("'url' of its definition");
	}

	@Test
	void whatCodeHasMadeOfServersStays() {
		McpTestServer server = echo();
		List<McpServerDefinition> configured = new ArrayList<>();
		Stream.of("disabled", "removed", "replaced", "changed").forEach((name) -> configured.add(http(name, server)));
		start(configured.toArray(McpServerDefinition[]::new));
		McpServerManager manager = this.registry.manager();
		manager.disable("disabled");
		manager.remove("removed");
		manager.replace(header("replaced", server, "X-Code", "1"));
		manager.add(http("added", server));
		assertThat(reload(configured.toArray(McpServerDefinition[]::new)).unchanged()).isEqualTo(4);
		configured.set(2, header("replaced", server, "X-Code", "2"));
		configured.set(3, header("changed", server, "X-Code", "2"));
		McpReload reload = reload(configured.toArray(McpServerDefinition[]::new));
		assertThat(reload).isEqualTo(new McpReload(List.of(), List.of("changed"), List.of(), List.of(), 3, List.of()));
		assertThat(manager.servers()).extracting(ManagedMcpServer::name)
			.containsExactly("disabled", "replaced", "changed", "added");
		assertThat(manager.server("disabled").status().state()).isEqualTo(McpServerState.DISABLED);
		assertThat(manager.server("replaced").definition().http().headers()).containsEntry("X-Code", "1");
		configured.set(0, header("disabled", server, "X-Code", "3"));
		configured.remove(2);
		reload = reload(configured.toArray(McpServerDefinition[]::new));
		assertThat(reload.replaced()).containsExactly("disabled");
		assertThat(reload.removed()).isEmpty();
		assertThat(manager.server("disabled").status().state()).isEqualTo(McpServerState.READY);
		assertThat(manager.find("replaced")).isPresent();
	}

	@Test
	void serversKnowTheirNewPlace() {
		McpTestServer server = echo();
		start(http("a", server));
		assertThat(this.registry.manager().server("a").origin().location()).isEqualTo("line 1");
		assertThat(reload(http("a", server)).unchanged()).isOne();
		assertThat(this.registry.manager().server("a").origin().location()).isEqualTo("line 2");
		assertThat(server.requests("initialize")).hasSize(1);
	}

	@Test
	void aMistakeChangesNothing() {
		McpTestServer server = echo();
		start(http("a", server), http("b", server));
		this.registry.manager().add(http("c", server));
		McpServerDefinition changed = header("a", server, "X-A", "b");
		Problem problem = new Problem("mcp.servers.b.url", "Could not resolve placeholder", "mcp.json");
		assertThatExceptionOfType(InvalidMcpConfigurationException.class)
			.isThrownBy(() -> reload(new Configured(
					List.of(server(changed, List.of()), server(http("b", server), List.of(problem))), List.of())))
			.satisfies((ex) -> assertThat(ex.getProblems()).containsExactly(problem));
		assertThatExceptionOfType(InvalidMcpConfigurationException.class)
			.isThrownBy(() -> reload(changed, http("b", server), http("C", server)));
		assertThat(server.requests("initialize")).hasSize(3);
		assertThat(this.registry.server("a").definition().http().headers()).isEmpty();
		assertThat(reload(changed, http("b", server)).replaced()).containsExactly("a");
	}

	@Test
	void ofManyOnlyTheOneThatDiffersIsTouched() {
		Set<String> connections = new HashSet<>();
		AtomicInteger created = new AtomicInteger();
		this.beans.registerSingleton("observers", (ConnectionObserver.Source) (definition) -> {
			connections.add(definition.name());
			created.incrementAndGet();
			return List.of();
		});
		McpServerDefinition[] many = IntStream.range(0, 500)
			.mapToObj((i) -> McpServerDefinition.http("s" + i, URI.create("http://localhost:1/" + i)).build())
			.toArray(McpServerDefinition[]::new);
		start(true, many);
		assertThat(created).hasValue(500);
		connections.clear();
		many[17] = many[17].mutate().headers(Map.of("X-A", "b")).build();
		assertThat(reload(many))
			.isEqualTo(new McpReload(List.of(), List.of("s17"), List.of(), List.of(), 499, List.of()));
		assertThat(connections).containsExactly("s17");
		assertThat(created).hasValue(501);
	}

	private void start(McpServerDefinition... servers) {
		start(false, servers);
	}

	private void start(boolean lazy, McpServerDefinition... servers) {
		willAnswer((call) -> {
			synchronized (this.events) {
				return this.events.add(call.getArgument(0));
			}
		}).given(this.application).publish(any());
		this.assembly = new ClientAssembly(this.beans, this.threads, DaemonThreads.blocking("mcp-handler"));
		this.registry = this.assembly.registry(
				new ClientAssembly.Settings(Implementation.builder("test", "1.0").build(), null,
						(types) -> configured(servers), lazy, LIMIT, List.of(), McpToolPolicy.UNRESTRICTED, Map.of()),
				this.application);
		this.assembly.afterSingletonsInstantiated();
		this.registry.start();
	}

	private McpReload reload(McpServerDefinition... servers) {
		return reload(configured(servers));
	}

	private McpReload reload(Configured configured) {
		AtomicReference<McpReload> made = new AtomicReference<>();
		Consumer<McpReload> once = (reload) -> assertThat(made.getAndSet(reload)).isNull();
		this.registry.reload(configured, once).block(LIMIT);
		return made.get();
	}

	private Configured configured(McpServerDefinition... servers) {
		this.line.incrementAndGet();
		return new Configured(Stream.of(servers).map((server) -> server(server, List.of())).toList(), List.of());
	}

	private Configured.Server server(McpServerDefinition definition, List<Problem> problems) {
		String place = "line " + this.line.get();
		return new Configured.Server(definition, problems, new Configured.Settings() {

			@Override
			public McpServerOrigin origin() {
				return new McpServerOrigin(Kind.CONFIGURED, place);
			}

			@Override
			public boolean costsServerAlone(Problem problem) {
				return true;
			}

			@Override
			public Problem problem(String setting, String message, boolean changed) {
				return new Problem(setting, message, place);
			}

		});
	}

	private CompletableFuture<McpToolResult> call(String tool) {
		return this.registry.tools().get(tool).callAsync(Map.of()).toFuture();
	}

	private List<McpServerState> states(String server) {
		synchronized (this.events) {
			return this.events.stream()
				.filter(McpServerStateChangedEvent.class::isInstance)
				.map((event) -> ((McpServerStateChangedEvent) event).status())
				.filter((status) -> status.name().equals(server))
				.map((status) -> status.state())
				.toList();
		}
	}

	private static McpTestServer echo() {
		return closing(
				McpTestServer.create().tool("echo", McpTestReply.text("hello").after(Duration.ofMillis(20))).start());
	}

	private McpTestServer slow() {
		return closing(McpTestServer.create()
			.tool("echo", McpTestReply.text("hello"))
			.tool("slow", (request) -> McpTestReply.text("done").after(this.gate.copy()))
			.start());
	}

	private static McpServerDefinition http(String name, McpTestServer server) {
		return builder(name, server).build();
	}

	private static McpServerDefinition header(String name, McpTestServer server, String header, String value) {
		return builder(name, server).headers(Map.of(header, value)).build();
	}

	private static McpServerDefinition token(McpTestServer server, String token) {
		return builder("a", server).auth(McpServerAuth.bearer(token)).maxConcurrentCalls(1).build();
	}

	private static McpServerDefinitionBuilder builder(String name, McpTestServer server) {
		return McpServerDefinition.http(name, URI.create(server.url()));
	}

	/**
	 * Threads that call, one call after the other, until they end.
	 */
	private static final class Callers {

		private final AtomicBoolean ended = new AtomicBoolean();

		private final AtomicInteger calls = new AtomicInteger();

		private final ConcurrentLinkedQueue<Throwable> failures = new ConcurrentLinkedQueue<>();

		private final CountDownLatch running;

		Callers(int number, Runnable call) {
			this.running = new CountDownLatch(number);
			for (int i = 0; i < number; i++) {
				DaemonThreads.blocking("caller").newThread(() -> {
					while (!this.ended.get()) {
						try {
							call.run();
							this.calls.incrementAndGet();
						}
						catch (Throwable ex) {
							this.failures.add(ex);
						}
					}
					this.running.countDown();
				}).start();
			}
		}

		void awaitCalls(int number) {
			Awaitility.await().atMost(LIMIT).until(() -> this.calls.get() >= number);
		}

		/**
		 * End, and make sure that no call has failed.
		 */
		void end() throws InterruptedException {
			this.ended.set(true);
			assertThat(this.running.await(LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
			assertThat(this.failures).isEmpty();
		}

	}

}
