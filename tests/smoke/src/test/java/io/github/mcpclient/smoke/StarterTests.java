package io.github.mcpclient.smoke;

import java.nio.file.Path;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import io.github.mcpclient.McpServer;
import io.github.mcpclient.McpServerRegistry;
import io.github.mcpclient.McpServerState;
import io.github.mcpclient.McpServerStatus;
import io.github.mcpclient.McpTool;
import io.github.mcpclient.McpToolCatalog;
import io.github.mcpclient.McpToolResult;
import io.modelcontextprotocol.json.McpJsonMapperSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * That an application with the starter connects and calls tools.
 */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class StarterTests {

	@Test
	void anApplicationCallsToolsOverBothTransports() {
		try (StubServer server = new StubServer(); ConfigurableApplicationContext context = start(server)) {
			McpServerRegistry registry = context.getBean(McpServerRegistry.class);
			assertThat(registry.servers()).extracting(McpServer::status)
				.extracting(McpServerStatus::state)
				.containsExactly(McpServerState.READY, McpServerState.READY);
			McpToolResult result = context.getBean("http_add", McpTool.class).call(Map.of("a", 2, "b", 3));
			assertThat(result.isError()).isFalse();
			assertThat(result.text()).isEqualTo("5");
			assertThat(result.structuredContent()).isEqualTo(Map.of("sum", 5));
			assertThat(context.getBean(McpToolCatalog.class).get("child_pid").call(Map.of()).text()).matches("\\d+");
			assertThat(context.containsBean("mcpEndpoint")).as("Actuator comes with the starter").isTrue();
			assertThat(context.containsBean("mcpHealthContributor")).isTrue();
		}
	}

	// where there are two, which one the SDK takes by default is left to chance
	@Test
	void theSdkFindsTheBindingsOfTheClassPath() {
		assertThat(ServiceLoader.load(McpJsonMapperSupplier.class).stream())
			.extracting((supplier) -> "mcp-json-" + supplier.type().getPackageName().replaceFirst(".*\\.", ""))
			.containsExactlyInAnyOrder(Stream.of(System.getProperty("smoke.sdk-jars").split(" "))
				.filter((jar) -> jar.startsWith("mcp-json-"))
				.toArray(String[]::new));
	}

	private static ConfigurableApplicationContext start(StubServer server) {
		Path script = Path.of(System.getProperty("basedir"),
				"../../../tests/fixtures/src/main/resources/servers/mini.sh");
		return new SpringApplicationBuilder(Application.class)
			.properties("spring.main.banner-mode=off", "spring.main.web-application-type=none",
					"management.endpoints.web.exposure.include=mcp", "management.endpoints.jmx.exposure.include=mcp",
					"spring.jmx.enabled=true", "mcp.startup.wait=60s", "spring.reactor.netty.shutdown-quiet-period=0",
					"mcp.servers.http.url=" + server.url(), "mcp.servers.child.command=/bin/sh",
					"mcp.servers.child.args=" + script.normalize())
			.run();
	}

	@SpringBootConfiguration
	@EnableAutoConfiguration
	static class Application {

	}

}
