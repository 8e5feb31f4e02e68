package io.github.mcpclient.integration.tools;

import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;

import io.github.mcpclient.McpServerState;
import io.github.mcpclient.McpTool;
import io.github.mcpclient.McpToolNamingStrategy;
import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.management.ManagedMcpServer.ExcludedTool;
import io.github.mcpclient.test.server.McpTestServer;
import io.github.mcpclient.testsupport.ClientApplication;
import io.github.mcpclient.testsupport.Unchecked;
import org.junit.jupiter.api.Test;

import org.springframework.context.annotation.Bean;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Properties that decide which tools an application gets, and under which names.
 */
class ToolSettingsTests {

	private final McpTestServer server = McpTestServer.create()
		.tools(List.of(tool("read", true), tool("write", false), tool("silent", null)))
		.start();

	@Test
	void prefixAndFilterOfServer() {
		ClientApplication application = start("mcp.servers.a.tools.prefix=short",
				"mcp.servers.a.tools.filter=read, short_write, !wri*");
		assertThat(names(application)).containsExactly("short_read");
		assertThat(application.text("short_read", Map.of("message", "1"))).isEqualTo("read 1");
	}

	@Test
	void emptyPrefix() {
		assertThat(names(start("mcp.servers.a.tools.prefix="))).containsExactly("read", "silent", "write");
	}

	@Test
	void disabledTools() {
		ClientApplication application = start("mcp.defaults.tools.enabled=false");
		assertThat(names(application)).isEmpty();
		assertThat(reasons(application)).containsOnly("tools.enabled is false");
	}

	@Test
	void noServerLiftsWhatHoldsForAll() {
		ClientApplication application = start("mcp.tools.access=no-write", "mcp.tools.filter=!a_silent",
				"mcp.servers.a.tools.access=all", "mcp.servers.a.tools.filter=*");
		assertThat(names(application)).containsExactly("a_read");
		assertThat(reasons(application)).containsExactlyInAnyOrder(
				"mcp.tools.access is no-write and the tool says readOnlyHint: false",
				"mcp.tools.filter denies it: !a_silent");
	}

	@Test
	void accessOfServer() {
		try (ClientApplication application = start("mcp.servers.a.tools.access=read-only")) {
			assertThat(names(application)).containsExactly("a_read");
		}
		try (ClientApplication application = start("mcp.servers.a.tools.allow-destructive=false")) {
			assertThat(names(application)).containsExactly("a_read");
		}
		assertThat(names(start("mcp.tools.allow-open-world=false"))).isEmpty();
	}

	@Test
	void namingStrategyOfTheApplication() {
		ClientApplication application = ClientApplication.start(Naming.class, "mcp.servers.a.url=" + this.server.url());
		assertThat(names(application)).containsExactly("read-of-a", "silent-of-a", "write-of-a");
	}

	@Test
	void namingStrategyThatBlocksCostsItsServerOnly() {
		List<String> properties = new ArrayList<>(List.of("mcp.startup.wait=0s", "mcp.defaults.reconnect.max-delay=2s",
				"mcp.servers.good.url=" + this.server.url()));
		// more than there are threads for signals
		for (int i = 0; i < 20 + 2 * Runtime.getRuntime().availableProcessors(); i++) {
			properties.add("mcp.servers.blocked-" + i + ".url=" + this.server.url());
			properties.add("mcp.servers.blocked-" + i + ".initialization-timeout=1s");
		}
		ClientApplication application = ClientApplication.start(BlockingNaming.class,
				properties.toArray(String[]::new));
		BlockingNaming naming = application.context().getBean(BlockingNaming.class);
		await().until(() -> application.state("good") == McpServerState.READY);
		await().until(() -> String.valueOf(application.registry().server("blocked-1").status().lastError())
			.startsWith(
					"The application's McpToolNamingStrategy or McpToolListingCustomizer did not name or customize the tools"));
		assertThat(application.text("read-of-good", Map.of("message", "1"))).isEqualTo("read 1");
		// one that comes later
		application.manager().add(McpServerDefinition.http("later", URI.create(this.server.url())).build());
		assertThat(names(application)).contains("read-of-later");
		naming.release.countDown();
		await().atMost(Duration.ofSeconds(60)).until(() -> names(application).contains("read-of-blocked-1"));
	}

	private ClientApplication start(String... properties) {
		return ClientApplication.start(properties, "mcp.servers.a.url=" + this.server.url());
	}

	private static List<String> names(ClientApplication application) {
		return application.tools().all().stream().map(McpTool::name).toList();
	}

	private static List<String> reasons(ClientApplication application) {
		return application.manager().server("a").excludedTools().stream().map(ExcludedTool::reason).toList();
	}

	private static Map<String, Object> tool(String name, Boolean readOnly) {
		return Map.of("name", name, "inputSchema", Map.of("type", "object"), "annotations",
				(readOnly != null) ? Map.of("readOnlyHint", readOnly) : Map.of());
	}

	static class Naming {

		@Bean
		McpToolNamingStrategy naming() {
			return (server, tool) -> tool.name() + "-of-" + server.name();
		}

	}

	static class BlockingNaming {

		private final CountDownLatch release = new CountDownLatch(1);

		@Bean
		McpToolNamingStrategy naming() {
			return (server, tool) -> {
				if (server.name().startsWith("blocked")) {
					Unchecked.run(() -> this.release.await());
				}
				return tool.name() + "-of-" + server.name();
			};
		}

	}

}
