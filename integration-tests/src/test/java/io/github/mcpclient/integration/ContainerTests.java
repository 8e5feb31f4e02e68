package io.github.mcpclient.integration;

import java.util.Map;

import io.github.mcpclient.McpServerState;
import io.github.mcpclient.testsupport.ClientApplication;
import io.github.mcpclient.testsupport.Containers;
import org.junit.jupiter.api.Test;
import org.testcontainers.containers.GenericContainer;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The client with a server in a container.
 */
class ContainerTests {

	@Test
	void streamableHttp() {
		try (GenericContainer<?> server = Containers.everything("streamableHttp")) {
			server.start();
			try (ClientApplication application = ClientApplication
				.start("mcp.servers.every.url=" + url(server, "/mcp"))) {
				assertThat(application.state("every")).isEqualTo(McpServerState.READY);
				assertThat(application.registry().server("every").tools()).hasSize(12);
				assertThat(application.text("every_echo", Map.of("message", "boxed"))).isEqualTo("Echo: boxed");
			}
		}
	}

	@Test
	void sse() {
		try (GenericContainer<?> server = Containers.everything("sse")) {
			server.start();
			try (ClientApplication application = ClientApplication.start("mcp.servers.every.type=sse",
					"mcp.servers.every.url=" + url(server, "/sse"))) {
				assertThat(application.state("every")).isEqualTo(McpServerState.READY);
				assertThat(application.registry().server("every").tools()).hasSize(12);
				assertThat(application.text("every_echo", Map.of("message", "boxed"))).isEqualTo("Echo: boxed");
			}
		}
	}

	private static String url(GenericContainer<?> server, String path) {
		return "http://" + server.getHost() + ":" + server.getMappedPort(Containers.PORT) + path;
	}

}
