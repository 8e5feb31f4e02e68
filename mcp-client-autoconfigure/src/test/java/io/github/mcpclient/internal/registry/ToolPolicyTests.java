package io.github.mcpclient.internal.registry;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;

import io.github.mcpclient.McpServerRegistry;
import io.github.mcpclient.McpServerState;
import io.github.mcpclient.McpTool;
import io.github.mcpclient.NoSuchMcpToolException;
import io.github.mcpclient.event.McpToolsChangedEvent;
import io.github.mcpclient.management.ManagedMcpServer;
import io.github.mcpclient.management.ManagedMcpServer.ExcludedTool;
import io.github.mcpclient.test.server.McpTestRequest;
import io.github.mcpclient.test.server.McpTestServer;
import io.github.mcpclient.testsupport.ClientApplication;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;

import org.springframework.context.event.EventListener;

import static io.github.mcpclient.testsupport.TestDefaults.LIMIT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Which tools an application gets from servers that it talks to over HTTP, and that do
 * not always say the same.
 */
class ToolPolicyTests {

	private static final String READ_ONLY = "{\"access\": \"read-only\"}";

	private final McpTestServer first = McpTestServer.create().tools(List.of(tool("x", true))).start();

	private final McpTestServer second = McpTestServer.create()
		.tools(List.of(tool("x", true), tool("y", true)))
		.start();

	private ClientApplication application;

	private McpServerRegistry registry;

	private List<McpToolsChangedEvent> events;

	@Test
	void serverThatChangesAHintGainsNothing() {
		start(READ_ONLY, server("a", "a", this.first));
		McpTool tool = this.registry.tools().get("a_x");
		assertThat(tool.call(Map.of("message", "1")).text()).isEqualTo("x 1");
		assertThat(this.application.context().getBeansOfType(McpTool.class)).containsOnlyKeys("a_x");
		this.first.awaitListeners(1);
		this.first.tools(List.of(tool("x", false)));
		this.first.notifyToolsListChanged();
		await().until(() -> this.events.size() == 2);
		assertThat(this.events.get(1).removed()).containsExactly("a_x");
		assertThatExceptionOfType(NoSuchMcpToolException.class).isThrownBy(() -> tool.call(Map.of()))
			.withMessageEndingWith("mcp.tools.access is read-only and the tool does not say readOnlyHint: true");
		assertThat(this.first.calls()).hasSize(1);
		assertThat(this.application.context().getBeansOfType(McpTool.class)).isEmpty();
		assertThat(this.application.manager().server("a").excludedTools()).singleElement()
			.satisfies((excluded) -> assertThat(excluded.originalName()).isEqualTo("x"));
	}

	@Test
	void toolThatNeedsATaskIsLeftOutWithItsReason() {
		this.first.tools(List.of(tool("x", true), Map.of("name", "research", "inputSchema", Map.of("type", "object"),
				"execution", Map.of("taskSupport", "required"))));
		start("{}", server("a", "a", this.first));
		assertThat(this.registry.server("a").tools()).extracting(McpTool::name).containsExactly("a_x");
		assertThat(this.application.manager().server("a").excludedTools()).singleElement().satisfies((excluded) -> {
			assertThat(excluded.originalName()).isEqualTo("research");
			assertThat(excluded.reason()).contains("execution.taskSupport: required");
		});
	}

	@Test
	void displacedToolIsToldToBothServers() {
		this.first.tools(List.of());
		start("{}", server("a", "p", this.first), server("b", "p", this.second));
		McpTool tool = this.registry.tools().get("p_x");
		assertThat(tool.serverName()).isEqualTo("b");
		this.events.clear();
		this.first.tools(List.of(tool("x", true)));
		this.application.manager().server("a").refresh();
		await().until(() -> this.events.size() == 2);
		assertThat(told()).containsExactly("b +[] -[p_x]", "a +[p_x] -[]");
		// who has a tool of the one server does not call the other
		assertThat(tool.serverName()).isEqualTo("b");
		assertThat(tool.available()).isFalse();
		this.registry.callTool("p_x", Map.of());
		assertThat(this.first.calls()).extracting(McpTestRequest::name).containsExactly("x");
		assertThat(this.second.calls()).isEmpty();
		assertThat(this.application.manager().server("b").excludedTools()).hasSize(1);
	}

	@Test
	void nameStaysWithItsServerWhoeverReconnects() {
		start("{}", server("a", "p", this.first), server("b", "p", this.second), server("c", "p", this.second));
		this.events.clear();
		Random random = new Random(20261121);
		for (int i = 0; i < 50; i++) {
			List<String> servers = new ArrayList<>(List.of("a", "b", "c"));
			Collections.shuffle(servers, random);
			// one, two or all of them at once
			Flux.fromIterable(servers.subList(0, 1 + random.nextInt(3)))
				.flatMap((server) -> this.application.manager().server(server).reconnectAsync())
				.blockLast(LIMIT);
			assertThat(owners()).isEqualTo(Map.of("p_x", "a", "p_y", "b"));
			assertThat(excluded("b")).containsExactly("x");
			assertThat(excluded("c")).containsExactly("x", "y");
		}
		this.registry.tools().forEach((tool) -> tool.call(Map.of()));
		assertThat(this.first.calls()).extracting(McpTestRequest::name).containsExactly("x");
		assertThat(this.second.calls()).extracting(McpTestRequest::name).containsExactly("y");
		assertThat(this.first.requests("initialize").size() + this.second.requests("initialize").size())
			.isGreaterThan(50);
		assertThat(this.events).isEmpty();
	}

	@Test
	void serverThatLiesEachTimeItIsAskedGainsNothing() {
		start("{\"access\": \"no-write\", \"allow-destructive\": false}", server("a", "a", this.first));
		ManagedMcpServer server = this.application.manager().server("a");
		Map<String, Object> good = tool("x", Map.of("readOnlyHint", true));
		List<Map<String, Object>> bad = List.of(tool("x", Map.of("readOnlyHint", false, "destructiveHint", false)),
				tool("x", Map.of("destructiveHint", true)), tool("x", Map.of()),
				tool("x", Map.of("readOnlyHint", "yes")));
		for (int i = 0; i < 12; i++) {
			McpTool tool = this.registry.tools().get("a_x");
			tool.call(Map.of());
			int calls = this.first.calls().size();
			this.first.tools(List.of(bad.get(i % bad.size())));
			Runnable asked = List
				.<Runnable>of(() -> server.refresh(), () -> server.reconnect(), this.first::forgetSessions)
				.get(i % 3);
			asked.run();
			assertThatExceptionOfType(NoSuchMcpToolException.class).as("lie " + i)
				.isThrownBy(() -> tool.call(Map.of()))
				.withMessageContaining("mcp.tools");
			assertThat(this.first.calls()).hasSize(calls);
			this.first.tools(List.of(good));
			server.refresh();
		}
	}

	private List<String> told() {
		List<String> told = new ArrayList<>();
		this.events.forEach((event) -> told.add(event.serverName() + " +" + event.added() + " -" + event.removed()));
		return told;
	}

	private void start(String rules, String... servers) {
		// whose order is that of the servers
		String json = "{\"mcp.tools\": %s, \"mcp.servers\": {%s}}".formatted(rules, String.join(", ", servers));
		this.application = ClientApplication.start(Events.class, "spring.application.json=" + json);
		this.registry = this.application.registry();
		this.events = this.application.context().getBean(Events.class).all;
		assertThat(this.registry.servers()).allMatch((server) -> server.status().state() == McpServerState.READY);
		await().until(() -> ownersAsTold().equals(owners()));
	}

	/**
	 * Whose tools there are, by the events.
	 */
	private Map<String, String> ownersAsTold() {
		Map<String, String> owners = new TreeMap<>();
		this.events.forEach((event) -> {
			event.removed().forEach(owners::remove);
			event.added().forEach((name) -> owners.put(name, event.serverName()));
		});
		return owners;
	}

	private Map<String, String> owners() {
		Map<String, String> owners = new TreeMap<>();
		this.registry.tools().forEach((tool) -> owners.put(tool.name(), tool.serverName()));
		return owners;
	}

	private static String server(String name, String prefix, McpTestServer server) {
		return "\"%s\": {\"url\": \"%s\", \"tools.prefix\": \"%s\"}".formatted(name, server.url(), prefix);
	}

	private List<String> excluded(String server) {
		return this.application.manager()
			.server(server)
			.excludedTools()
			.stream()
			.map(ExcludedTool::originalName)
			.toList();
	}

	private static Map<String, Object> tool(String name, boolean readOnly) {
		return tool(name, Map.of("readOnlyHint", readOnly));
	}

	private static Map<String, Object> tool(String name, Map<String, Object> hints) {
		return Map.of("name", name, "inputSchema", Map.of("type", "object"), "annotations", hints);
	}

	static class Events {

		private final List<McpToolsChangedEvent> all = new CopyOnWriteArrayList<>();

		@EventListener
		void on(McpToolsChangedEvent event) {
			this.all.add(event);
		}

	}

}
