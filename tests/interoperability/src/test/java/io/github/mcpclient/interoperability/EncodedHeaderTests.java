package io.github.mcpclient.interoperability;

import java.util.Map;

import io.github.mcpclient.McpException;
import io.github.mcpclient.McpServer;
import io.github.mcpclient.McpTool;
import io.github.mcpclient.test.server.McpTestReply;
import io.github.mcpclient.test.server.McpTestRequest;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests that servers which do not decode the headers of revision 2026-07-28 are named as
 * the cause.
 */
class EncodedHeaderTests extends AbstractInteroperabilityTests {

	private static final McpTestReply MISMATCH = McpTestReply.error(-32020, "Header mismatch").withStatus(400);

	@BeforeEach
	void decodeNothing() {
		this.peer.protocolVersions("2026-07-28")
			.prompt("größe", "how large?")
			.tool("größe", McpTestReply.text("3"))
			.tool(Map.of("name", "region", "inputSchema",
					Map.of("type", "object", "properties",
							Map.of("region", Map.of("type", "string", "x-mcp-header", "Region")))),
					(request) -> McpTestReply.text("1"))
			.on("POST", (request) -> isEncoded(request) ? MISMATCH : McpTestReply.standard());
	}

	private static boolean isEncoded(McpTestRequest request) {
		return request.headers()
			.values()
			.stream()
			.flatMap((values) -> values.stream())
			.anyMatch((value) -> value.startsWith("=?base64?"));
	}

	@Test
	void headerAndServerAreNamed() {
		McpServer server = connect();
		assertRefused(() -> tool(server, "größe").call(Map.of()), "Mcp-Name");
		assertRefused(() -> server.getPrompt("größe", Map.of()), "Mcp-Name");
		McpTool region = tool(server, "region");
		assertRefused(() -> region.call(Map.of("region", "Köln")), "Mcp-Param-Region");
		assertThat(region.call(Map.of("region", "west")).text()).isEqualTo("1");
		assertReady(server);
	}

	private static void assertRefused(Runnable call, String header) {
		assertThatExceptionOfType(McpException.class).isThrownBy(call::run)
			.withMessageContaining("Header mismatch (" + header + " was sent as =?base64?...?=")
			.withMessageContaining("the server has to decode it");
	}

	@Test
	void otherMismatchesAreNotExplainedByIt() {
		this.peer.on("POST", McpTestReply.standard()).on("tools/call", MISMATCH);
		McpTool echo = tool(connect(), "echo");
		assertThatExceptionOfType(McpException.class).isThrownBy(() -> echo.call(Map.of()))
			.withMessageContaining("Header mismatch")
			.withMessageNotContaining("base64");
	}

}
