package io.github.mcpclient.smoke;

import java.io.File;
import java.net.URI;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import io.github.mcpclient.McpToolResult;
import io.github.mcpclient.client.StandaloneMcpClient;
import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.test.server.McpTestReply;
import io.github.mcpclient.test.server.McpTestServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * That the client of {@code docs/without-spring-boot.md} needs nothing but the library.
 */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class LibraryTests {

	private final McpTestServer server = McpTestServer.create().tool("add", McpTestReply.text("5")).start();

	@AfterEach
	void stop() {
		this.server.close();
	}

	@Test
	void callsToolsWithoutSpringBoot() {
		URI url = URI.create(this.server.url());
		// @formatter:off
		try (StandaloneMcpClient client = StandaloneMcpClient.builder()
				.server(McpServerDefinition.http("calculator", url).build())
				.server(McpServerDefinition.http("down", URI.create("http://localhost:9/mcp")).build())
				.build()) {
			McpToolResult result = client.tools().get("calculator_add").call(Map.of("a", 2, "b", 3));
			System.out.println(result.orThrow().text());
		}
		// @formatter:on
		assertThat(this.server.requests("tools/call")).hasSize(1);
	}

	@Test
	void aChildProcessIsAServerToo() {
		Path script = Path.of(System.getProperty("basedir"), "../../fixtures/src/main/resources/servers/mini.sh");
		try (StandaloneMcpClient client = StandaloneMcpClient.builder()
			.server(McpServerDefinition.stdio("child", "/bin/sh", script.normalize().toString()).build())
			.build()) {
			assertThat(client.tools().get("child_pid").call(Map.of()).orThrow().text()).matches("\\d+");
		}
	}

	@Test
	void theClassPathHasTheProtocolAndNothingThatIsBuiltOnTheLibrary() {
		assertThat(Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
			.map((path) -> path.replaceFirst("/target/classes/?$", "").replaceFirst(".*/", ""))
			.map((jar) -> jar.replaceFirst("-\\d.*", ""))
			.filter((jar) -> jar.startsWith("mcp-client-") || jar.startsWith("spring-")))
			.containsExactlyInAnyOrder("mcp-client-api", "mcp-client-protocol", "mcp-client-core", "spring-aop",
					"spring-beans", "spring-context", "spring-core", "spring-expression");
	}

}
