package io.github.mcpclient.smoke;

import java.io.File;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;

import io.github.mcpclient.McpServer;
import io.github.mcpclient.McpServerRegistry;
import io.github.mcpclient.McpTool;
import io.github.mcpclient.springai.McpToolCallbackProvider;
import io.github.mcpclient.test.server.McpTestReply;
import io.github.mcpclient.test.server.McpTestServer;
import io.modelcontextprotocol.client.McpSyncClient;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.ai.mcp.SyncMcpToolCallbackProvider;
import org.springframework.ai.mcp.annotation.McpToolListChanged;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.ai.tool.ToolCallbackProvider;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * That this client and Spring AI's own can be in one application.
 */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class TwoClientsTests {

	@Test
	void neitherUsesWhatIsTheOthers() {
		try (McpTestServer ours = adder();
				McpTestServer theirs = adder();
				ConfigurableApplicationContext context = start("mcp.servers.ours.url=" + ours.url(),
						"mcp.startup.wait=60s", "spring.ai.mcp.client.streamable-http.connections.theirs.url="
								+ theirs.url().replace("/mcp", ""))) {
			assertThat(context.getBean(McpServerRegistry.class).servers()).extracting(McpServer::name)
				.containsExactly("ours");
			assertThat(context.getBeansOfType(McpTool.class)).containsOnlyKeys("ours_add");
			assertThat((List<?>) context.getBean("mcpSyncClients")).hasSize(1)
				.allSatisfy((client) -> assertThat(client).isInstanceOf(McpSyncClient.class));
			assertThat(context.getBeansOfType(ToolCallbackProvider.class)).hasSize(2);
			assertThat(answers(context.getBean(McpToolCallbackProvider.class)))
				.containsExactly("ours_add: 5\n{\"sum\":5}");
			assertThat(answers(context.getBean(SyncMcpToolCallbackProvider.class)))
				.containsExactly("add: [{\"text\":\"5\"}]");
			assertThat(ours).hasReceived("tools/call", 1);
			assertThat(theirs).hasReceivedCall("add").hasArguments(Map.of("a", 2, "b", 3));
		}
	}

	@Test
	void eachCallsTheMethodsThatNameItsServers() {
		try (McpTestServer ours = adder();
				McpTestServer theirs = adder();
				ConfigurableApplicationContext context = start(Listeners.class, "mcp.servers.ours.url=" + ours.url(),
						"mcp.startup.wait=60s", "spring.ai.mcp.client.streamable-http.connections.theirs.url="
								+ theirs.url().replace("/mcp", ""))) {
			ours.awaitListeners(1);
			theirs.awaitListeners(1);
			Queue<String> told = context.getBean(Listeners.class).told;
			await().until(() -> told.contains("ours [add]"));
			ours.tools("add", "more").notifyToolsListChanged();
			theirs.tools("add", "other").notifyToolsListChanged();
			await().until(() -> told.contains("ours [add, more]") && told.contains("theirs [add, other]"));
			assertThat(told).hasSize(3);
		}
	}

	@Test
	void theSdkIsThereInOneVersion() {
		assertThat(System.getProperty("java.class.path").split(File.pathSeparator))
			.filteredOn((entry) -> entry.contains("mcp-core-") || entry.contains("mcp-json-"))
			.hasSize(2)
			.allMatch((entry) -> entry.endsWith("-2.1.0.jar"));
	}

	@Test
	void eitherCanBeWithoutServers() {
		try (ConfigurableApplicationContext context = start()) {
			assertThat(context.getBean(McpToolCallbackProvider.class).getToolCallbacks()).isEmpty();
			assertThat(context.getBean(SyncMcpToolCallbackProvider.class).getToolCallbacks()).isEmpty();
		}
	}

	@Test
	void eachHasASwitchOfItsOwn() {
		try (ConfigurableApplicationContext context = start("mcp.enabled=false")) {
			assertThat(context.getBean(McpServerRegistry.class).servers()).isEmpty();
			assertThat(context.getBeanProvider(SyncMcpToolCallbackProvider.class).stream()).hasSize(1);
		}
		try (ConfigurableApplicationContext context = start("spring.ai.mcp.client.enabled=false")) {
			assertThat(context.getBeanProvider(McpToolCallbackProvider.class).stream()).hasSize(1);
			assertThat(context.getBeanProvider(SyncMcpToolCallbackProvider.class).stream()).isEmpty();
		}
	}

	private static McpTestServer adder() {
		return McpTestServer.create()
			.tool("add",
					McpTestReply.result(Map.of("content", List.of(Map.of("type", "text", "text", "5")),
							"structuredContent", Map.of("sum", 5))))
			.start();
	}

	private static List<String> answers(ToolCallbackProvider provider) {
		return Arrays.stream(provider.getToolCallbacks()).map(TwoClientsTests::answer).toList();
	}

	private static String answer(ToolCallback callback) {
		return callback.getToolDefinition().name() + ": " + callback.call("{\"a\": 2, \"b\": 3}");
	}

	private static ConfigurableApplicationContext start(String... properties) {
		return start(Application.class, properties);
	}

	private static ConfigurableApplicationContext start(Class<?> application, String... properties) {
		return new SpringApplicationBuilder(application)
			.properties("spring.main.banner-mode=off", "spring.main.web-application-type=none",
					"spring.reactor.netty.shutdown-quiet-period=0")
			.properties(properties)
			.run();
	}

	@SpringBootConfiguration
	@EnableAutoConfiguration
	static class Application {

	}

	static class Listeners extends Application {

		private final Queue<String> told = new ConcurrentLinkedQueue<>();

		@McpToolListChanged(clients = "ours")
		void ours(List<Tool> tools) {
			this.told.add("ours " + tools.stream().map(Tool::name).toList());
		}

		@McpToolListChanged(clients = "theirs")
		void theirs(List<Tool> tools) {
			this.told.add("theirs " + tools.stream().map(Tool::name).toList());
		}

	}

}
