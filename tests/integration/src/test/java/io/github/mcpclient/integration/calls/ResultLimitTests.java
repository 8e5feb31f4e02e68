package io.github.mcpclient.integration.calls;

import java.util.List;
import java.util.Map;

import io.github.mcpclient.McpResultTooLargeException;
import io.github.mcpclient.McpServer;
import io.github.mcpclient.McpServerState;
import io.github.mcpclient.McpToolResult;
import io.github.mcpclient.agent.McpToolExecutor;
import io.github.mcpclient.test.server.McpTestReply;
import io.github.mcpclient.test.server.McpTestServer;
import io.github.mcpclient.testsupport.ClientApplication;
import org.junit.jupiter.api.Test;

import static io.github.mcpclient.testsupport.TestDefaults.closing;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for results that are larger than an application wants them.
 */
class ResultLimitTests {

	@Test
	void largeResultEndsTheCallOnly() {
		McpTestServer peer = closing(
				McpTestServer.create().tools("echo").capability("resources", Map.of("listChanged", true)).start());
		ClientApplication application = ClientApplication.start("mcp.defaults.max-result-size=7KB",
				"mcp.servers.a.url=" + peer.url());
		peer.on("tools/call", (request) -> McpTestReply.result(Map.of("content",
				List.of(Map.of("type", "text", "text", "x".repeat(Integer.parseInt(request.argument("size"))))))));
		peer.on("resources/read", (request) -> McpTestReply
			.result(Map.of("contents", List.of(Map.of("uri", request.name(), "text", "x".repeat(8 * 1024))))));
		assertThat(application.text("a_echo", Map.of("size", 6 * 1024))).hasSize(6 * 1024);
		assertThatExceptionOfType(McpResultTooLargeException.class)
			.isThrownBy(() -> application.text("a_echo", Map.of("size", 7 * 1024)))
			.withMessage("MCP server 'a' returned a result larger than 7 KB for tools/call echo; the result was"
					+ " not read. Request less data, or raise mcp.servers.a.max-result-size.")
			.satisfies((ex) -> assertThat(ex.getLimit()).hasToString("7168B"));
		assertThat(peer.calls()).as("a read-only tool, called once each time").hasSize(2);
		McpServer server = application.registry().server("a");
		assertThatExceptionOfType(McpResultTooLargeException.class).isThrownBy(() -> server.readResource("x:1"))
			.withMessageContaining("resources/read x:1");
		McpToolResult result = application.context()
			.getBean(McpToolExecutor.class)
			.execute("a_echo", Map.of("size", 9 * 1024));
		assertThat(result.isError()).isTrue();
		assertThat(result.text()).isEqualTo("MCP tool 'a_echo' returned a result that is too large. Request less.");
		assertThat(application.text("a_echo", Map.of("size", 1))).isEqualTo("x");
		assertThat(server.status().state()).isEqualTo(McpServerState.READY);
		assertThat(peer.requests("initialize")).hasSize(1);
	}

	@Test
	void limitIsFiveMegabytes() {
		McpTestServer peer = closing(McpTestServer.create().tools("echo").start());
		ClientApplication application = ClientApplication.start("mcp.servers.a.url=" + peer.url());
		peer.on("tools/call", (request) -> McpTestReply.result(Map.of("content",
				List.of(Map.of("type", "text", "text", "x".repeat(Integer.parseInt(request.argument("size"))))))));
		int limit = 5 * 1024 * 1024;
		assertThat(application.text("a_echo", Map.of("size", limit - 1024))).hasSize(limit - 1024);
		assertThatExceptionOfType(McpResultTooLargeException.class)
			.isThrownBy(() -> application.text("a_echo", Map.of("size", limit)))
			.withMessageContaining("larger than 5 MB");
	}

}
