package io.github.mcpclient.interoperability;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.time.Duration;
import java.util.Map;
import java.util.stream.Stream;

import io.github.mcpclient.McpServerDeviation;
import io.github.mcpclient.McpServerDeviation.Kind;
import io.github.mcpclient.client.StandaloneMcpClient;
import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.test.server.McpTestDeviation;
import io.github.mcpclient.test.server.McpTestReply;
import io.github.mcpclient.test.server.McpTestServer;
import io.github.mcpclient.testsupport.ProjectFiles;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that docs/interoperability.md has each deviation, in the words of the log, and
 * that a scripted server deviates.
 */
class InteroperabilityPageTests {

	@Test
	void pageHasEachDeviation() throws IOException {
		assertThat(Files.readAllLines(ProjectFiles.of("docs/interoperability.md"))
			.stream()
			.filter((line) -> line.matches("\\| `[A-Z_]+` \\|.*")))
			.containsExactly(Stream.of(Kind.values())
				.map((kind) -> "| `" + kind + "` | " + kind.summary() + " |")
				.toArray(String[]::new));
	}

	@Test
	void scriptedServerDeviates() {
		// @formatter:off
		McpTestServer server = McpTestServer.create()
			.tool("echo", McpTestReply.text("hello"))
			.deviates(McpTestDeviation.initialized(McpTestReply.status(500)),
					McpTestDeviation.lostSession(McpTestReply.status(410)))
			.start();
		// @formatter:on
		try (server;
				StandaloneMcpClient client = StandaloneMcpClient.builder()
					.startupWait(Duration.ofSeconds(60))
					.server(McpServerDefinition.http("a", URI.create(server.url())).build())
					.build()) {
			assertThat(client.registry().callTool("a_echo", Map.of()).text()).isEqualTo("hello");
			server.forgetSessions();
			assertThat(client.registry().callTool("a_echo", Map.of()).text()).isEqualTo("hello");
			assertThat(client.registry().server("a").status().deviations()).extracting(McpServerDeviation::kind)
				.containsExactly(Kind.INITIALIZED, Kind.SESSION_LOST);
		}
	}

}
