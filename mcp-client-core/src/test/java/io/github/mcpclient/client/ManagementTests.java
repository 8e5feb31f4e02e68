package io.github.mcpclient.client;

import java.lang.reflect.Method;
import java.net.URI;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.stream.Stream;

import io.github.mcpclient.McpInterruptedException;
import io.github.mcpclient.McpServerState;
import io.github.mcpclient.McpServerStatus;
import io.github.mcpclient.NoSuchMcpServerException;
import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.management.ManagedMcpServer;
import io.github.mcpclient.management.McpServerManager;
import io.github.mcpclient.test.server.McpTestReply;
import io.github.mcpclient.test.server.McpTestServer;
import io.modelcontextprotocol.spec.McpSchema.CompleteRequest;
import io.modelcontextprotocol.spec.McpSchema.CompleteRequest.CompleteArgument;
import io.modelcontextprotocol.spec.McpSchema.PromptReference;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Tests that what manages servers, and what contacts them, waits in one form, and begins
 * with a subscription in the other.
 */
class ManagementTests {

	private static final Duration LIMIT = Duration.ofSeconds(30);

	private static final McpTestServer peer = McpTestServer.create().tools("forecast").start();

	private static final StandaloneMcpClient client = StandaloneMcpClient.builder()
		.startupWait(LIMIT)
		.server(definition("weather"))
		.build();

	private final McpServerManager manager = client.manager();

	private final ManagedMcpServer server = this.manager.server("weather");

	@AfterAll
	static void close() {
		client.close();
		peer.close();
	}

	@BeforeEach
	void restore() {
		peer.reset().start();
		this.manager.servers()
			.stream()
			.map(ManagedMcpServer::name)
			.filter((name) -> !name.equals("weather"))
			.forEach(this.manager::remove);
		this.manager.replace(definition("weather"));
		peer.forgetRequests();
	}

	static Stream<Named<Method>> asyncMethods() {
		return Stream.of(McpServerManager.class, ManagedMcpServer.class)
			.flatMap((type) -> Arrays.stream(type.getMethods()))
			.filter((method) -> method.getName().endsWith("Async"))
			.map((method) -> Named.of(method.getDeclaringClass().getSimpleName() + "." + method.getName(), method));
	}

	@Test
	void allAreKnownThatAreToBeTested() {
		assertThat(asyncMethods()).extracting(Named::getName)
			.contains("McpServerManager.addAsync", "McpServerManager.replaceAsync", "McpServerManager.removeAsync",
					"McpServerManager.enableAsync", "McpServerManager.disableAsync", "ManagedMcpServer.reconnectAsync",
					"ManagedMcpServer.refreshAsync", "ManagedMcpServer.approveToolsAsync",
					"ManagedMcpServer.diagnoseAsync", "McpServer.promptsAsync", "McpServer.readResourceAsync");
	}

	@ParameterizedTest
	@MethodSource("asyncMethods")
	void nothingBeginsWithoutASubscription(Method method) throws Exception {
		McpServerStatus before = this.server.status();
		Object target = method.getDeclaringClass().isInstance(this.server) ? this.server : this.manager;
		// names that there are and names that there are not
		for (String name : List.of("weather", "other")) {
			assertThat(method.invoke(target, arguments(method, name))).isInstanceOf(Mono.class);
		}
		assertThat(this.manager.servers()).containsExactly(this.server);
		assertThat(this.server.definition()).isEqualTo(definition("weather"));
		// what had begun would come before the answer to this
		client.tools().get("weather_forecast").call(Map.of());
		assertThat(peer.requests()).extracting((request) -> request.method()).containsOnly("tools/call");
		assertThat(this.server.status()).returns(before.state(), McpServerStatus::state)
			.returns(before.since(), McpServerStatus::since);
	}

	@ParameterizedTest
	@MethodSource("asyncMethods")
	void whoWaitsMayBlock(Method method) throws Exception {
		Method waiting = method.getDeclaringClass()
			.getMethod(method.getName().replaceFirst("Async$", ""), method.getParameterTypes());
		Object target = method.getDeclaringClass().isInstance(this.server) ? this.server : this.manager;
		Mono<Object> call = Mono.fromCallable(() -> waiting.invoke(target, arguments(method, "weather")));
		assertThatThrownBy(() -> call.subscribeOn(Schedulers.parallel()).block(LIMIT)).rootCause()
			.isInstanceOf(IllegalStateException.class)
			.hasMessageStartingWith(waiting.getName() + " of MCP server 'weather' would block thread 'parallel-")
			.hasMessageEndingWith("use " + method.getName() + " there");
		assertThat(this.manager.servers()).containsExactly(this.server);
		assertThat(this.server.definition()).isEqualTo(definition("weather"));
		assertThat(peer.requests()).isEmpty();
	}

	private static Object[] arguments(Method method, String name) {
		return Arrays.stream(method.getParameterTypes()).map((type) -> {
			if (type == McpServerDefinition.class) {
				return definition(name).mutate().toolPrefix("p").build();
			}
			if (type == CompleteRequest.class) {
				return CompleteRequest
					.builder(PromptReference.builder("none").build(), new CompleteArgument("none", "none"))
					.build();
			}
			return (type == Map.class) ? Map.of() : name;
		}).toArray();
	}

	@Test
	void eachSubscriptionIsOneChange() {
		Mono<McpServerStatus> add = this.manager.addAsync(definition("other"));
		assertThat(add.block(LIMIT)).returns(McpServerState.READY, McpServerStatus::state);
		assertThatThrownBy(() -> add.block(LIMIT)).isInstanceOf(IllegalArgumentException.class)
			.hasMessageContaining("A server of that name exists");
		Mono<McpServerStatus> reconnect = this.server.reconnectAsync();
		Mono<Void> remove = this.manager.removeAsync("other");
		peer.forgetRequests();
		assertThat(reconnect.block(LIMIT)).returns(McpServerState.READY, McpServerStatus::state);
		assertThat(reconnect.block(LIMIT)).returns(McpServerState.READY, McpServerStatus::state);
		assertThat(peer.requests("initialize")).hasSize(2);
		remove.block(LIMIT);
		assertThatThrownBy(() -> remove.block(LIMIT)).isInstanceOf(NoSuchMcpServerException.class);
	}

	@Test
	void aChangeGoesOnWithoutItsSubscriber() {
		CompletableFuture<Void> go = new CompletableFuture<>();
		peer.on("initialize", McpTestReply.standard().after(go));
		Disposable adding = this.manager.addAsync(definition("other")).subscribe();
		peer.awaitPending("initialize", 1);
		adding.dispose();
		go.complete(null);
		ManagedMcpServer other = this.manager.server("other");
		Awaitility.await().atMost(LIMIT).until(() -> other.status().state() == McpServerState.READY);
		this.manager.removeAsync("other").subscribe().dispose();
		assertThat(this.manager.find("other")).isEmpty();
		assertThat(other.tools()).isEmpty();
		this.manager.disableAsync("weather").subscribe().dispose();
		assertThat(this.server.status().state()).isEqualTo(McpServerState.DISABLED);
		this.manager.enableAsync("weather").subscribe().dispose();
		Awaitility.await().atMost(LIMIT).until(() -> this.server.status().state() == McpServerState.READY);
	}

	@Test
	void aChangeGoesOnWithoutAThreadThatIsInterrupted() {
		CompletableFuture<Void> go = new CompletableFuture<>();
		peer.on("initialize", McpTestReply.standard().after(go));
		interrupted("other", "add", () -> this.manager.add(definition("other")));
		interrupted("weather", "reconnect", this.server::reconnect);
		go.complete(null);
		Awaitility.await()
			.atMost(LIMIT)
			.until(() -> this.manager.servers()
				.stream()
				.allMatch((server) -> server.status().state() == McpServerState.READY));
		assertThat(this.manager.servers()).hasSize(2);
	}

	private void interrupted(String name, String method, Supplier<?> change) {
		peer.forgetRequests();
		CompletableFuture<Throwable> failure = new CompletableFuture<>();
		Thread caller = new Thread(() -> {
			try {
				change.get();
			}
			catch (Throwable ex) {
				failure.complete(ex);
			}
		});
		caller.start();
		peer.awaitRequest("initialize");
		caller.interrupt();
		assertThat(failure).succeedsWithin(LIMIT)
			.isInstanceOfSatisfying(McpInterruptedException.class,
					(ex) -> assertThat(ex).hasMessageContaining("'" + name + "'").hasMessageContaining(method));
	}

	@Test
	void mistakesAreThrownOrSignalled() {
		McpServerDefinition wrong = McpServerDefinition.of("weather", "htp").build();
		McpServerDefinition unknown = definition("none");
		fails(IllegalArgumentException.class, () -> this.manager.add(definition("WEATHER")),
				this.manager.addAsync(definition("WEATHER")));
		fails(IllegalArgumentException.class, () -> this.manager.add(wrong), this.manager.addAsync(wrong));
		fails(IllegalArgumentException.class, () -> this.manager.replace(wrong), this.manager.replaceAsync(wrong));
		fails(NoSuchMcpServerException.class, () -> this.manager.replace(unknown), this.manager.replaceAsync(unknown));
		fails(NoSuchMcpServerException.class, () -> this.manager.remove("none"), this.manager.removeAsync("none"));
		fails(NoSuchMcpServerException.class, () -> this.manager.enable("none"), this.manager.enableAsync("none"));
		fails(NoSuchMcpServerException.class, () -> this.manager.disable("none"), this.manager.disableAsync("none"));
		fails(IllegalArgumentException.class, () -> this.server.approveTools(Map.of("forecast", "sha256:0")),
				this.server.approveToolsAsync(Map.of("forecast", "sha256:0")));
		assertThat(peer.requests()).isEmpty();
	}

	private static void fails(Class<? extends Throwable> type, ThrowingCallable call, Mono<?> async) {
		assertThatThrownBy(call).isInstanceOf(type);
		// without waiting for anybody
		CompletableFuture<?> signalled = async.toFuture();
		assertThat(signalled).isCompletedExceptionally();
		assertThatThrownBy(signalled::join).cause().isInstanceOf(type);
	}

	@Test
	void allServersAreManaged() {
		this.manager.add(definition("other").mutate().enabled(false).build());
		assertThat(this.manager.servers()).extracting(ManagedMcpServer::name).containsExactly("weather", "other");
		assertThat(this.manager.servers()).containsExactlyElementsOf(client.registry()
			.servers()
			.stream()
			.map((server) -> this.manager.find(server.name()).orElseThrow())
			.toList());
		assertThat(this.manager.server("weather")).isSameAs(client.registry().server("weather"));
		assertThat(this.manager.find("Weather")).isEmpty();
		assertThatThrownBy(() -> this.manager.server("Weather")).isInstanceOf(NoSuchMcpServerException.class);
	}

	@Test
	void oneServerIsManaged() {
		McpServerManager manager = this.manager;
		// @formatter:off
		ManagedMcpServer managed = manager.server("weather");
		managed.reconnect();                  // McpServerStatus, when the attempt has ended
		managed.refresh();                    // McpServerStatus, when tools, prompts and resources are listed again
		managed.diagnose();                   // McpDiagnosis, step by step
		managed.origin();                     // McpServerOrigin: configured, imported, a bean or added
		managed.settings();                   // List<McpServerSetting>, each with its file and line
		managed.excludedTools();              // List<ExcludedTool>, each with the reason
		managed.recentCalls();                // List<RecentCall>, the latest first
		managed.reconnectAsync();             // what contacts or changes the server has a non-blocking form
		// @formatter:on
		assertThat(peer.requests("initialize")).as("one for the check").hasSize(2);
		assertThat(managed.diagnose().passed()).isTrue();
	}

	private static McpServerDefinition definition(String name) {
		return McpServerDefinition.http(name, URI.create(peer.url())).build();
	}

}
