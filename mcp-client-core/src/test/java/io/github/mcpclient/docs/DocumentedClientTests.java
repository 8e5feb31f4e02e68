package io.github.mcpclient.docs;

import java.net.URI;
import java.util.Map;

import io.github.mcpclient.McpToolResult;
import io.github.mcpclient.client.McpClient;
import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.test.server.McpTestReply;
import io.github.mcpclient.test.server.McpTestServer;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The client of {@code docs/without-spring-boot.md}.
 */
class DocumentedClientTests {

	private final McpTestServer server = McpTestServer.create().tool("add", McpTestReply.text("5")).start();

	@Test
	void callsToolsWithoutSpringBoot() {
		URI url = URI.create(this.server.url());
		// @formatter:off
		try (McpClient client = McpClient.builder()
				.server(McpServerDefinition.http("calculator", url).build())
				.server(McpServerDefinition.http("down", URI.create("http://localhost:9/mcp")).build())
				.build()) {
			McpToolResult result = client.tools().get("calculator_add").call(Map.of("a", 2, "b", 3));
			System.out.println(result.orThrow().text());
		}
		// @formatter:on
		assertThat(this.server.requests("tools/call")).hasSize(1);
	}

}
