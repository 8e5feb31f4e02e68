package io.github.mcpclient.integration.calls;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

import io.github.mcpclient.McpServer;
import io.github.mcpclient.McpServerFeatures;
import io.github.mcpclient.McpServerRegistry;
import io.github.mcpclient.McpServerState;
import io.github.mcpclient.McpServerUnavailableException;
import io.github.mcpclient.McpUnsupportedException;
import io.github.mcpclient.event.McpPromptsChangedEvent;
import io.github.mcpclient.event.McpResourcesChangedEvent;
import io.github.mcpclient.test.server.McpTestReply;
import io.github.mcpclient.test.server.McpTestServer;
import io.github.mcpclient.testsupport.ClientApplication;
import io.modelcontextprotocol.spec.McpSchema.Prompt;
import io.modelcontextprotocol.spec.McpSchema.Resource;
import io.modelcontextprotocol.spec.McpSchema.TextResourceContents;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import tools.jackson.databind.JsonNode;

import org.springframework.boot.WebApplicationType;
import org.springframework.context.event.EventListener;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for the prompts and resources of an application's servers.
 */
class PromptsAndResourcesTests {

	private final McpTestServer peer = McpTestServer.create()
		.tools("echo")
		.capability("prompts", Map.of("listChanged", true))
		.capability("resources", Map.of("listChanged", true))
		.start();

	@Test
	void actuatorShowsWhatThereIs() {
		offer("greet", "memo:1");
		ClientApplication application = ClientApplication.start(WebApplicationType.SERVLET, new Class<?>[0],
				"management.endpoints.web.exposure.include=mcp", "mcp.servers.a.url=" + this.peer.url(),
				"mcp.servers.off.url=" + this.peer.url(), "mcp.servers.off.prompts.enabled=false",
				"mcp.servers.off.resources.enabled=false");
		McpServer server = application.registry().server("a");
		await(() -> !server.features().prompts().isEmpty() && !server.features().resources().isEmpty()
				&& !server.features().resourceTemplates().isEmpty());
		JsonNode all = application.get("/actuator/mcp").path("servers");
		assertThat(all.path("a").path("prompts").asInt()).isEqualTo(1);
		assertThat(all.path("a").path("resources").asInt()).isEqualTo(1);
		assertThat(all.path("a").path("resourceTemplates").asInt()).isEqualTo(1);
		assertThat(all.path("off").path("state").asString()).isEqualTo("READY");
		assertThat(all.path("off").has("prompts")).isFalse();
		JsonNode one = application.get("/actuator/mcp/a");
		assertThat(one.path("prompts")).hasToString("[{\"name\":\"greet\",\"description\":\"Greets\","
				+ "\"arguments\":[{\"name\":\"who\",\"required\":true}]}]");
		assertThat(one.path("resources")).hasToString("[{\"uri\":\"memo:1\",\"name\":\"memo:1\",\"size\":7}]");
		assertThat(one.path("resourceTemplates")).hasToString("[{\"uriTemplate\":\"memo:{id}\",\"name\":\"memo\"}]");
		assertThat(one.path("tools")).hasSize(1);
		McpServer off = application.registry().server("off");
		assertThat(off.prompts()).isEmpty();
		assertThatExceptionOfType(McpUnsupportedException.class).isThrownBy(() -> off.readResource("memo:1"))
			.withMessage(
					"MCP server 'off' cannot be sent resources/read: mcp.servers.off.resources.enabled" + " is false.");
	}

	@Test
	void whatIsListedAndCannotBeUsedIsInActuatorWithTheReason() {
		Map<String, Object> tool = Map.of("name", "x", "inputSchema", Map.of("type", "object"));
		this.peer.on("tools/list", (request) -> McpTestReply.result(Map.of("tools",
				List.of(tool, tool, Map.of("name", "odd\u202e\n" + "o".repeat(1000), "inputSchema", 5), Map.of()))));
		this.peer.on("prompts/list",
				(request) -> McpTestReply.result(Map.of("prompts", List.of(Map.of("name", "p"), Map.of("name", "p")))));
		this.peer.on("resources/list",
				(request) -> McpTestReply.result(Map.of("resources", List.of(Map.of("name", "no uri")))));
		this.peer.on("resources/templates/list",
				(request) -> McpTestReply.result(Map.of("resourceTemplates", List.of(5))));
		ClientApplication application = ClientApplication.start(WebApplicationType.SERVLET, new Class<?>[0],
				"management.endpoints.web.exposure.include=mcp", "mcp.servers.a.url=" + this.peer.url());
		await(() -> application.get("/actuator/mcp/a").path("excluded").size() == 6);
		assertThat(application.get("/actuator/mcp/a").path("excluded")).hasToString("""
				[{"originalName":"x","reason":"listed twice"},\
				{"originalName":"odd %s... (1005 characters)","reason":"not well-formed"},\
				{"originalName":"","reason":"without a name"},\
				{"originalName":"p","reason":"prompt: listed twice"},\
				{"originalName":"","reason":"resource: without a uri"},\
				{"originalName":"","reason":"resource template: without a uriTemplate"}]""".formatted("o".repeat(75)));
		assertThat(application.manager().server("a").excludedTools()).hasSize(3);
	}

	@Test
	void startDoesNotWaitForThem() {
		AtomicBoolean listed = new AtomicBoolean();
		offer("greet", "memo:1");
		// the first page names a second one, again and again, until the test says so
		AtomicInteger page = new AtomicInteger();
		this.peer.on("prompts/list", (request) -> McpTestReply.result(listed.get() ? prompts("greet")
				: Map.of("prompts", List.of(Map.of("name", "p" + page.get())), "nextCursor", page.incrementAndGet())));
		ClientApplication application = ClientApplication.start("mcp.servers.a.prompts.max=1000000",
				"mcp.servers.a.url=" + this.peer.url());
		McpServer server = application.registry().server("a");
		assertThat(server.status().state()).isEqualTo(McpServerState.READY);
		assertThat(server.features().prompts()).isEmpty();
		Mono<List<Prompt>> waiting = server.promptsAsync().cache();
		waiting.subscribe();
		listed.set(true);
		assertThat(waiting.block()).extracting(Prompt::name).contains("greet");
		assertThat(server.prompts()).extracting(Prompt::name).contains("greet");
	}

	@Test
	void changesArriveWithAnEvent() {
		offer("greet", "memo:1");
		ClientApplication application = ClientApplication.start(Listener.class, "mcp.servers.a.url=" + this.peer.url());
		List<String> events = application.context().getBean(Listener.class).events;
		await(() -> events.contains("prompts of a: greet") && events.contains("resources of a: memo:1"));
		await(() -> this.peer.listeners() == 1);
		this.peer.on("prompts/list", (request) -> McpTestReply.result(prompts("bow")));
		this.peer.notifyClients("notifications/prompts/list_changed", Map.of());
		await(() -> events.contains("prompts of a: bow"));
		this.peer.on("resources/list", (request) -> McpTestReply.result(resources("memo:2")));
		this.peer.notifyClients("notifications/resources/list_changed", Map.of());
		await(() -> events.contains("resources of a: memo:2"));
	}

	@Test
	void lazyServerConnectsForThem() {
		offer("greet", "memo:1");
		ClientApplication application = ClientApplication.start("mcp.startup.mode=lazy",
				"mcp.servers.a.url=" + this.peer.url());
		McpServer server = application.registry().server("a");
		assertThat(server.features().prompts()).isEmpty();
		assertThat(server.status().state()).isEqualTo(McpServerState.IDLE);
		assertThat(((TextResourceContents) server.readResource("memo:1").contents().get(0)).text())
			.isEqualTo("text of memo:1");
		assertThat(server.status().state()).isEqualTo(McpServerState.READY);
		assertThat(server.prompts()).hasSize(1);
	}

	@Test
	void unavailableServerIsToldAtOnce() {
		offer("greet", "memo:1");
		ClientApplication application = ClientApplication.start("mcp.servers.a.url=" + this.peer.url());
		McpServer server = application.registry().server("a");
		assertThat(server.prompts()).hasSize(1);
		this.peer.close();
		assertThatExceptionOfType(RuntimeException.class).isThrownBy(() -> server.readResource("memo:1"));
		await(() -> server.status().state() != McpServerState.READY);
		assertThatExceptionOfType(McpServerUnavailableException.class)
			.isThrownBy(() -> server.getPrompt("greet", Map.of()));
		assertThat(server.prompts()).hasSize(1);
	}

	@Test
	void threadThatMustNotBlockIsTold() throws InterruptedException {
		offer("greet", "memo:1");
		ClientApplication application = ClientApplication.start("mcp.servers.a.url=" + this.peer.url());
		McpServer server = application.registry().server("a");
		AtomicReference<Throwable> failure = new AtomicReference<>();
		CountDownLatch done = new CountDownLatch(1);
		Schedulers.parallel().schedule(() -> {
			try {
				server.readResource("memo:1");
			}
			catch (Throwable ex) {
				failure.set(ex);
			}
			done.countDown();
		});
		assertThat(done.await(30, TimeUnit.SECONDS)).isTrue();
		assertThat(failure.get()).isInstanceOf(IllegalStateException.class)
			.hasMessageContaining("readResource of MCP server 'a' would block thread 'parallel-")
			.hasMessageEndingWith("use readResourceAsync there");
	}

	private void offer(String prompt, String resource) {
		this.peer.on("prompts/list", (request) -> McpTestReply.result(prompts(prompt)));
		this.peer.on("prompts/get", (request) -> McpTestReply.result(Map.of("messages", List.of())));
		this.peer.on("resources/list", (request) -> McpTestReply.result(resources(resource)));
		this.peer.on("resources/templates/list", (request) -> McpTestReply
			.result(Map.of("resourceTemplates", List.of(Map.of("uriTemplate", "memo:{id}", "name", "memo")))));
		this.peer.on("resources/read", (request) -> McpTestReply
			.result(Map.of("contents", List.of(Map.of("uri", request.name(), "text", "text of " + request.name())))));
	}

	private static Map<String, Object> prompts(String name) {
		return Map.of("prompts", List.of(Map.of("name", name, "description", "Greets", "arguments",
				List.of(Map.of("name", "who", "required", true)))));
	}

	private static Map<String, Object> resources(String uri) {
		return Map.of("resources", List.of(Map.of("uri", uri, "name", uri, "size", 7)));
	}

	private static void await(Supplier<Boolean> condition) {
		Awaitility.await().until(condition::get);
	}

	/**
	 * Keeps what it is told.
	 */
	static class Listener {

		private final List<String> events = new CopyOnWriteArrayList<>();

		private final McpServerRegistry registry;

		Listener(McpServerRegistry registry) {
			this.registry = registry;
		}

		@EventListener
		void changed(McpPromptsChangedEvent event) {
			this.events
				.add("prompts of " + event.serverName() + ": " + contents(event.serverName()).prompts().get(0).name());
		}

		@EventListener
		void changed(McpResourcesChangedEvent event) {
			List<Resource> resources = contents(event.serverName()).resources();
			if (!resources.isEmpty()) {
				this.events.add("resources of " + event.serverName() + ": " + resources.get(0).uri());
			}
		}

		private McpServerFeatures contents(String server) {
			return this.registry.server(server).features();
		}

	}

}
