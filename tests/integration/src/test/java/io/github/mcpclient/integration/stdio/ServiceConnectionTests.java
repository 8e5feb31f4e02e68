package io.github.mcpclient.integration.stdio;

import java.util.Map;

import io.github.mcpclient.McpServerRegistry;
import io.github.mcpclient.McpServerState;
import io.github.mcpclient.testsupport.ClientApplication;
import io.github.mcpclient.testsupport.Containers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.junit.jupiter.Container;
import org.testcontainers.junit.jupiter.Testcontainers;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.testcontainers.service.connection.ServiceConnection;
import org.springframework.context.annotation.Bean;
import org.springframework.test.annotation.DirtiesContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Servers in containers that a test declares as service connections: one as a field, and
 * two as beans, of which one is reached over WebSocket.
 */
@Testcontainers
@DirtiesContext
@EnabledIf("io.github.mcpclient.testsupport.Containers#isAvailable")
@SpringBootTest(classes = { ClientApplication.Application.class, ServiceConnectionTests.Servers.class },
		properties = { "mcp.startup.wait=60s", "mcp.servers.first.url=http://localhost:9/mcp",
				"mcp.servers.first.enabled=false", "mcp.servers.weather.url=https://production.example/mcp",
				"mcp.servers.weather.tools.prefix=sky", "mcp.servers.gateway.url=wss://production.example/message",
				"mcp.defaults.tools.filter=echo", "spring.reactor.netty.shutdown-quiet-period=0" })
class ServiceConnectionTests {

	@Container
	@ServiceConnection("weather")
	static final GenericContainer<?> weather = Containers.everything("streamableHttp");

	@Autowired
	private McpServerRegistry registry;

	@Test
	void aContainerIsTheServerOfItsName() {
		assertThat(this.registry.server("weather").status()).satisfies((status) -> {
			assertThat(status.state()).as(status.toString()).isEqualTo(McpServerState.READY);
			assertThat(status.target())
				.isEqualTo("http://" + weather.getHost() + ":" + weather.getFirstMappedPort() + "/mcp");
		});
		assertThat(this.registry.callTool("sky_echo", Map.of("message", "boxed")).text()).isEqualTo("Echo: boxed");
	}

	@Test
	void oneThatIsNotConfiguredIsAddedAfterTheOthers() {
		assertThat(this.registry.servers()).extracting((server) -> server.name())
			.containsExactly("first", "weather", "gateway", "news");
		assertThat(this.registry.server("news").status().state()).isEqualTo(McpServerState.READY);
		assertThat(this.registry.server("news").tools()).extracting((tool) -> tool.name()).containsExactly("news_echo");
	}

	@Test
	void oneThatIsConfiguredWithAWebSocketIsReachedOverOne() {
		assertThat(this.registry.server("gateway").status()).satisfies((status) -> {
			assertThat(status.state()).as(status.toString()).isEqualTo(McpServerState.READY);
			assertThat(status.type()).isEqualTo("websocket");
			assertThat(status.target()).matches("ws://[^/]+:\\d+/message").doesNotContain("production");
		});
		assertThat(this.registry.callTool("gateway_echo", Map.of("message", "boxed")).text()).isEqualTo("Echo: boxed");
	}

	static class Servers {

		@Bean
		@ServiceConnection("news")
		GenericContainer<?> news() {
			return Containers.everything("streamableHttp");
		}

		@Bean
		@ServiceConnection("gateway")
		GenericContainer<?> gateway() {
			return Containers.gateway();
		}

	}

}
