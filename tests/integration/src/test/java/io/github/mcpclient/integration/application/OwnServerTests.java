package io.github.mcpclient.integration.application;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

import io.github.mcpclient.McpServer;
import io.github.mcpclient.McpServerRegistry;
import io.github.mcpclient.RequiredMcpServerException;
import io.github.mcpclient.testsupport.ClientApplication;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * A server that is part of the application.
 */
class OwnServerTests {

	/**
	 * The start would wait for ten minutes, and the next attempt comes after an hour.
	 */
	@ParameterizedTest
	@EnumSource(value = WebApplicationType.class, mode = EnumSource.Mode.EXCLUDE, names = "NONE")
	void isConnectedWhenThePortIsOpenAndDelaysNoStart(WebApplicationType type) {
		try (ConfigurableApplicationContext context = new SpringApplicationBuilder(ClientApplication.Application.class)
			.web(type)
			.registerShutdownHook(false)
			.properties("server.port=" + freePort(), "mcp.startup.wait=10m",
					"mcp.servers.self.url=http://localhost:${server.port}/mcp", "mcp.servers.self.type=http",
					"mcp.servers.self.reconnect.initial-delay=1h", "mcp.servers.self.reconnect.max-delay=1h",
					"mcp.servers.self.reconnect.jitter=0", "spring.reactor.netty.shutdown-quiet-period=0s")
			.run()) {
			McpServer self = context.getBean(McpServerRegistry.class).server("self");
			// there is no such server, but the port is open
			await().atMost(Duration.ofSeconds(60))
				.untilAsserted(() -> assertThat(self.status().lastError()).contains("404"));
		}
	}

	/**
	 * Startup waits for required servers before the port is open.
	 */
	@Test
	void cannotBeRequired() {
		SpringApplicationBuilder application = new SpringApplicationBuilder(ClientApplication.Application.class)
			.web(WebApplicationType.SERVLET)
			.registerShutdownHook(false)
			.properties("server.port=" + freePort(), "mcp.servers.self.url=http://localhost:${server.port}/mcp",
					"mcp.servers.self.required=true", "mcp.servers.self.initialization-timeout=1s");
		assertThatExceptionOfType(RuntimeException.class).isThrownBy(application::run)
			.withStackTraceContaining(RequiredMcpServerException.class.getSimpleName());
	}

	/**
	 * Return a port below those that the system gives to other sockets meanwhile.
	 */
	private static int freePort() {
		while (true) {
			int port = ThreadLocalRandom.current().nextInt(20_000, 30_000);
			try (ServerSocket socket = new ServerSocket(port, 50, InetAddress.getLoopbackAddress())) {
				return socket.getLocalPort();
			}
			catch (IOException ex) {
				// somebody has it
			}
		}
	}

}
