package io.github.mcpclient.test;

import java.util.Map;

import io.github.mcpclient.McpServerRegistry;
import io.github.mcpclient.test.server.McpTestServer;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that the package of a scripted server is not run.
 */
@McpTest(properties = { "mcp.servers.weather.package=npm:@example/weather@1.0.0", "mcp.servers.weather.args=--verbose",
		"mcp.runtimes.npm.command=no-such-executable" })
class MockedPackageTests {

	@MockMcpServer
	static final McpTestServer weather = McpTestServer.create().tools("forecast");

	@Test
	void isReachedInMemory(@Autowired McpServerRegistry registry) {
		assertThat(registry.callTool("weather_forecast", Map.of("message", "x")).orThrow().text())
			.isEqualTo("forecast x");
		assertThat(registry.server("weather").status().type()).isEqualTo("stdio");
		assertThat(weather.connections()).isZero();
	}

}
