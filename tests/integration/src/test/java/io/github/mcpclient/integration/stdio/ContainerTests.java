package io.github.mcpclient.integration.stdio;

import java.util.Map;

import io.github.mcpclient.McpServerState;
import io.github.mcpclient.testsupport.ClientApplication;
import io.github.mcpclient.testsupport.Containers;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.testcontainers.containers.GenericContainer;

import static io.github.mcpclient.testsupport.TestDefaults.closing;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * The client with a server in a container.
 */
class ContainerTests {

	@ParameterizedTest
	@CsvSource({ "streamableHttp, streamable-http, /mcp", "sse, sse, /sse" })
	void everything(String mode, String type, String path) {
		GenericContainer<?> server = closing(Containers.everything(mode));
		server.start();
		ClientApplication application = ClientApplication.start("mcp.servers.every.type=" + type,
				"mcp.servers.every.url=" + url(server, path));
		assertThat(application.state("every")).isEqualTo(McpServerState.READY);
		assertThat(application.registry().server("every").tools()).hasSize(13);
		assertThat(application.text("every_echo", Map.of("message", "boxed"))).isEqualTo("Echo: boxed");
	}

	private static String url(GenericContainer<?> server, String path) {
		return "http://" + server.getHost() + ":" + server.getMappedPort(Containers.PORT) + path;
	}

}
