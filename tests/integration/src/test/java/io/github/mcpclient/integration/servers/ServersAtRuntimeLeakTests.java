package io.github.mcpclient.integration.servers;

import java.lang.ref.WeakReference;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

import io.github.mcpclient.McpServer;
import io.github.mcpclient.McpServerRegistry;
import io.github.mcpclient.McpServerState;
import io.github.mcpclient.McpServerStatus;
import io.github.mcpclient.McpTool;
import io.github.mcpclient.NoSuchMcpServerException;
import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.management.McpServerManager;
import io.github.mcpclient.test.server.McpTestServer;
import io.github.mcpclient.testsupport.ClientApplication;
import io.github.mcpclient.testsupport.Endurance;
import io.github.mcpclient.testsupport.Leaks;
import io.github.mcpclient.testsupport.Peers;
import io.github.mcpclient.testsupport.ProjectFiles;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

import static io.github.mcpclient.testsupport.TestDefaults.afterTest;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * That servers which come and go leave nothing behind, however many do at once.
 */
class ServersAtRuntimeLeakTests {

	private static final Duration LONG = Duration.ofSeconds(60);

	private static final int CYCLES = Endurance.times(50);

	private final Leaks leaks = new Leaks();

	private final McpTestServer server = McpTestServer.create().tools("hello").start();

	@AfterEach
	void close() {
		this.server.close();
		this.leaks.assertNone();
	}

	@Test
	void cyclesLeaveNothing() {
		ClientApplication application = ClientApplication.start("mcp.servers.stays.url=" + this.server.url());
		McpServerRegistry registry = application.registry();
		// what the first one makes, such as event loops, is there to stay
		cycle(registry, application.manager());
		Set<String> threads = Leaks.threads();
		Set<Long> children = Leaks.children();
		List<WeakReference<McpServer>> removed = new ArrayList<>();
		for (int i = 0; i < CYCLES; i++) {
			removed.addAll(cycle(registry, application.manager()));
		}
		await().atMost(LONG).untilAsserted(() -> {
			assertThat(Leaks.children()).as("child processes").isSubsetOf(children);
			assertThat(Leaks.threads()).as("threads").isSubsetOf(threads);
			assertThat(this.server.sessions()).as("sessions").hasSize(1);
			assertThat(this.server.listeners()).as("streams").isEqualTo(1);
		});
		// the beans of their tools are kept for ever, and must not keep the rest
		assertThat(application.context().getBeanFactory().containsSingleton("child_pid")).isTrue();
		await().atMost(LONG).untilAsserted(() -> {
			System.gc();
			assertThat(removed).as("handles that are still reachable")
				.filteredOn((reference) -> reference.get() != null)
				.isEmpty();
		});
		assertThat(application.text("stays_hello", Map.of("message", "1"))).isEqualTo("hello 1");
		assertThat(this.server.requests("initialize").size()).as("once 'stays', and twice a cycle")
			.isEqualTo(1 + 2 * (CYCLES + 1));
	}

	private List<WeakReference<McpServer>> cycle(McpServerRegistry registry, McpServerManager manager) {
		Mono.when(manager.addAsync(child("child")).doOnNext(ServersAtRuntimeLeakTests::assertReady),
				manager.addAsync(http("http")).doOnNext(ServersAtRuntimeLeakTests::assertReady))
			.block(LONG);
		String pid = registry.callTool("child_pid", Map.of()).text();
		assertReady(manager.replace(child("child")));
		assertReady(manager.replace(http("http")));
		assertThat(registry.callTool("child_pid", Map.of()).text()).isNotEqualTo(pid);
		// whose result is kept
		assertThat(registry.callTool("http_hello", Map.of("message", "1")).text()).isEqualTo("hello 1");
		List<WeakReference<McpServer>> handles = List.of(new WeakReference<>(registry.server("child")),
				new WeakReference<>(registry.server("http")));
		Mono.when(manager.removeAsync("child"), manager.removeAsync("http")).block(LONG);
		return handles;
	}

	private static void assertReady(McpServerStatus status) {
		assertThat(status).isNotNull().extracting(McpServerStatus::state).isEqualTo(McpServerState.READY);
	}

	@Test
	void aChildThatReplacesAnotherBeginsAfterItsEnd() throws Exception {
		ClientApplication application = ClientApplication.start();
		McpServerRegistry registry = application.registry();
		assertReady(application.manager().add(child("child")));
		String pid = registry.callTool("child_pid", Map.of()).text();
		ProcessHandle child = ProcessHandle.of(Long.parseLong(pid)).orElseThrow();
		List<CompletableFuture<McpServerStatus>> replaced = new ArrayList<>();
		for (int i = 0; i < 5; i++) {
			replaced.add(application.manager().replaceAsync(child("child")).toFuture());
			assertThat(children()).as("children at once").isLessThanOrEqualTo(1);
		}
		await().atMost(LONG).until(() -> {
			assertThat(children()).as("children at once").isLessThanOrEqualTo(1);
			return replaced.stream().allMatch(CompletableFuture::isDone);
		});
		await().atMost(LONG).until(() -> !child.isAlive());
		assertThat(application.state("child")).isEqualTo(McpServerState.READY);
		assertThat(registry.callTool("child_pid", Map.of()).text()).isNotEqualTo(pid);
	}

	@Test
	void manyAtOnceEndInOrder() throws Exception {
		long seed = 42;
		ExecutorService executor = Executors.newFixedThreadPool(8);
		afterTest(executor::shutdownNow);
		ClientApplication application = ClientApplication.start("mcp.servers.stays.url=" + this.server.url(),
				"mcp.defaults.reconnect.initial-delay=10ms");
		McpServerRegistry registry = application.registry();
		List<CompletableFuture<?>> ends = Collections.synchronizedList(new ArrayList<>());
		List<CompletableFuture<Void>> users = new ArrayList<>();
		for (int user = 0; user < 8; user++) {
			Random random = new Random(seed + user);
			users.add(CompletableFuture.runAsync(() -> {
				for (int i = 0; i < 40; i++) {
					ends.add(change(application.manager(), random).toFuture());
				}
			}, executor));
		}
		for (CompletableFuture<Void> user : users) {
			user.get(2, TimeUnit.MINUTES);
		}
		CompletableFuture.allOf(ends.toArray(CompletableFuture[]::new)).get(2, TimeUnit.MINUTES);
		assertThat(application.text("stays_hello", Map.of("message", "1"))).as("seed %d", seed).isEqualTo("hello 1");
		List<String> left = registry.servers().stream().map(McpServer::name).toList();
		assertThat(left).as("seed %d", seed).startsWith("stays").doesNotHaveDuplicates();
		await().atMost(LONG)
			.untilAsserted(() -> assertThat(registry.tools()).as("seed %d", seed)
				.extracting(McpTool::serverName)
				.allMatch(left::contains)
				.containsAll(ready(registry)));
		Mono.when(
				left.stream().filter((name) -> !name.equals("stays")).map(application.manager()::removeAsync).toList())
			.block(LONG);
		assertThat(registry.tools()).extracting(McpTool::name).containsExactly("stays_hello");
		await().atMost(LONG).untilAsserted(() -> {
			// the session of an initialize that was not answered yet is the server's
			// to end
			assertThat(this.server.listeners()).as("seed %d", seed).isEqualTo(1);
			assertThat(application.context().getBeansOfType(McpTool.class)).as("seed %d", seed)
				.containsOnlyKeys("stays_hello");
		});
		await().atMost(LONG).untilAsserted(() -> assertThat(children()).as("seed %d", seed).isZero());
	}

	private Mono<?> change(McpServerManager manager, Random random) {
		String name = "s" + random.nextInt(3);
		Mono<?> change = switch (random.nextInt(5)) {
			case 0, 1 -> manager.addAsync(definition(name, random));
			case 2 -> manager.replaceAsync(definition(name, random));
			case 3 -> manager.removeAsync(name);
			default -> Mono.defer(() -> manager.server(name).reconnectAsync());
		};
		return change.onErrorComplete(NoSuchMcpServerException.class)
			.onErrorComplete((ex) -> ex instanceof IllegalArgumentException && ex.getMessage()
				.startsWith("MCP server '" + name + "' cannot be added. A server of that name exists"));
	}

	private McpServerDefinition definition(String name, Random random) {
		return switch (random.nextInt(4)) {
			case 0 -> child(name);
			case 1 ->
				McpServerDefinition.http(name, URI.create("http://localhost:" + Peers.freePort() + "/mcp")).build();
			case 2 -> http(name).mutate().enabled(false).build();
			default -> http(name);
		};
	}

	private static List<String> ready(McpServerRegistry registry) {
		return registry.servers()
			.stream()
			.filter((server) -> server.status().state() == McpServerState.READY)
			.map(McpServer::name)
			.toList();
	}

	private static McpServerDefinition child(String name) {
		Path script = ProjectFiles.of("tests/fixtures/src/main/resources/servers/mini.sh");
		return McpServerDefinition.stdio(name, "/bin/sh", script.toString()).build();
	}

	private McpServerDefinition http(String name) {
		return McpServerDefinition.http(name, URI.create(this.server.url()))
			.toolRule("hello", (rule) -> rule.cache(Duration.ofDays(1)).cacheAnyway(true))
			.build();
	}

	private static long children() {
		return ProcessHandle.current()
			.children()
			.filter(ProcessHandle::isAlive)
			.filter((child) -> child.info().arguments().map(List::of).orElse(List.of()).toString().contains("mini.sh"))
			.count();
	}

}
