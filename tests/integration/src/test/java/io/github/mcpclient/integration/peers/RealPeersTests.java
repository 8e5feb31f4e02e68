package io.github.mcpclient.integration.peers;

import java.util.Map;

import io.github.mcpclient.McpServerState;
import io.github.mcpclient.McpServerStatus;
import io.github.mcpclient.McpToolResult;
import io.github.mcpclient.testsupport.ClientApplication;
import io.github.mcpclient.testsupport.Peers;
import io.modelcontextprotocol.spec.McpSchema.EmbeddedResource;
import io.modelcontextprotocol.spec.McpSchema.ImageContent;
import io.modelcontextprotocol.spec.McpSchema.ResourceLink;
import io.modelcontextprotocol.spec.McpSchema.TextContent;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The client with MCP servers that others wrote.
 */
class RealPeersTests {

	@ParameterizedTest
	@CsvSource({ "http://localhost:%d/sse, type=sse, sse", "http://localhost:%d/sse, enabled=true, sse",
			"ws://localhost:%d/message, enabled=true, websocket" })
	void everything(String url, String setting, String type) {
		Peers.Running server = url.startsWith("ws") ? Peers.gateway(Peers.freePort()) : Peers.everything("sse");
		ClientApplication application = ClientApplication.start("mcp.servers.every.url=" + url.formatted(server.port()),
				"mcp.servers.every." + setting);
		useEverything(application, type);
	}

	private void useEverything(ClientApplication application, String type) {
		McpServerStatus status = application.registry().server("every").status();
		assertThat(status.lastError()).isNull();
		assertThat(status.state()).isEqualTo(McpServerState.READY);
		assertThat(status.type()).isEqualTo(type);
		assertThat(status.protocolVersion()).isEqualTo("2025-11-25");
		assertThat(status.tools()).isEqualTo(13);
		assertThat(application.text("every_echo", Map.of("message", "grüß dich \uD83D\uDE00")))
			.isEqualTo("Echo: grüß dich \uD83D\uDE00");
		assertThat(application.text("every_get-sum", Map.of("a", 2, "b", 3))).contains("5");
		McpToolResult image = application.registry().callTool("every_get-tiny-image", Map.of());
		assertThat(image.content()).hasAtLeastOneElementOfType(ImageContent.class);
		McpToolResult links = application.registry().callTool("every_get-resource-links", Map.of("count", 2));
		assertThat(links.content()).hasAtLeastOneElementOfType(ResourceLink.class);
		McpToolResult reference = application.registry()
			.callTool("every_get-resource-reference", Map.of("resourceType", "Text", "resourceId", 1));
		assertThat(reference.content()).hasAtLeastOneElementOfType(EmbeddedResource.class);
		McpToolResult structured = application.registry()
			.callTool("every_get-structured-content", Map.of("location", "Chicago"));
		assertThat(structured.structuredContent()).isInstanceOf(Map.class);
		assertThat(structured.content()).hasAtLeastOneElementOfType(TextContent.class);
		assertThat(application.registry().callTool("every_get-sum", Map.of("a", "no number")).isError()).isTrue();
	}

}
