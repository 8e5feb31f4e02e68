package io.github.mcpclient.integration;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import io.github.mcpclient.McpServerState;
import io.github.mcpclient.McpServerStatus;
import io.github.mcpclient.McpTool;
import io.github.mcpclient.McpToolResult;
import io.github.mcpclient.testsupport.ClientApplication;
import io.github.mcpclient.testsupport.Peers;
import io.modelcontextprotocol.spec.McpSchema.EmbeddedResource;
import io.modelcontextprotocol.spec.McpSchema.ImageContent;
import io.modelcontextprotocol.spec.McpSchema.ResourceLink;
import io.modelcontextprotocol.spec.McpSchema.TextContent;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The client with MCP servers that others wrote.
 */
class RealPeersTests {

	@Test
	void everythingOverStdio() {
		try (ClientApplication application = ClientApplication.start("mcp.startup.wait=30s",
				"mcp.servers.every.command=node",
				"mcp.servers.every.args=" + Peers.script("server-everything") + ",stdio")) {
			useEverything(application, "stdio");
		}
	}

	@Test
	void everythingOverStreamableHttp() {
		try (Peers.Running server = Peers.everything("streamableHttp");
				ClientApplication application = ClientApplication.start("mcp.startup.wait=30s",
						"mcp.servers.every.url=http://localhost:" + server.port() + "/mcp")) {
			useEverything(application, "streamable-http");
		}
	}

	@Test
	void everythingOverSse() {
		try (Peers.Running server = Peers.everything("sse");
				ClientApplication application = ClientApplication.start("mcp.startup.wait=30s",
						"mcp.servers.every.type=sse",
						"mcp.servers.every.url=http://localhost:" + server.port() + "/sse")) {
			useEverything(application, "sse");
		}
	}

	@Test
	void everythingOverSseThoughNobodySaidSo() {
		try (Peers.Running server = Peers.everything("sse");
				ClientApplication application = ClientApplication.start("mcp.startup.wait=30s",
						"mcp.servers.every.url=http://localhost:" + server.port() + "/sse")) {
			useEverything(application, "sse");
		}
	}

	@Test
	void everythingOverWebSocket() {
		try (Peers.Running gateway = Peers.gateway(Peers.freePort());
				ClientApplication application = ClientApplication.start("mcp.startup.wait=30s",
						"mcp.servers.every.url=ws://localhost:" + gateway.port() + "/message")) {
			useEverything(application, "websocket");
		}
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
		McpToolResult wrong = application.registry().callTool("every_get-sum", Map.of("a", "no number"));
		assertThat(wrong.isError()).isTrue();
	}

	@Test
	void filesystem(@TempDir Path directory) throws IOException {
		Path real = directory.toRealPath();
		Files.writeString(real.resolve("notes.txt"), "first line");
		try (ClientApplication application = ClientApplication.start("mcp.startup.wait=30s",
				"mcp.servers.fs.command=node",
				"mcp.servers.fs.args=" + Peers.script("server-filesystem") + "," + real)) {
			assertThat(application.state("fs")).isEqualTo(McpServerState.READY);
			List<McpTool> tools = application.registry().server("fs").tools();
			assertThat(tools).hasSize(14).allSatisfy((tool) -> assertThat(tool.outputSchema()).isNotNull());
			assertThat(application.text("fs_read_text_file", Map.of("path", real.resolve("notes.txt").toString())))
				.isEqualTo("first line");
			application.text("fs_write_file", Map.of("path", real.resolve("new.txt").toString(), "content", "written"));
			assertThat(real.resolve("new.txt")).hasContent("written");
			McpToolResult outside = application.registry().callTool("fs_read_text_file", Map.of("path", "/etc/passwd"));
			assertThat(outside.isError()).isTrue();
			assertThat(outside.text()).contains("Access denied");
		}
	}

	@Test
	void memory(@TempDir Path directory) {
		Path file = directory.resolve("memory.json");
		try (ClientApplication application = ClientApplication.start("mcp.startup.wait=30s",
				"mcp.servers.memory.command=node", "mcp.servers.memory.args=" + Peers.script("server-memory"),
				"mcp.servers.memory.env.MEMORY_FILE_PATH=" + file)) {
			assertThat(application.registry().server("memory").tools()).hasSize(9);
			application.text("memory_create_entities", Map.of("entities",
					List.of(Map.of("name", "Spring", "entityType", "framework", "observations", List.of("boots")))));
			assertThat(application.text("memory_search_nodes", Map.of("query", "Spring"))).contains("boots");
			assertThat(file).content().contains("Spring");
		}
	}

}
