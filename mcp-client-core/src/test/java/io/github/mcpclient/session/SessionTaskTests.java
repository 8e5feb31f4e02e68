package io.github.mcpclient.session;

import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.TextContent;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for calls that the server runs as tasks, at the pace of both.
 */
class SessionTaskTests extends SessionFixture {

	private static final String MODERN = "2026-07-28";

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			2025-11-25 | {"content": [{"type": "text", "text": "5"}], "task": {"taskId": "7", "title": "Buy milk"}}
			2025-11-25 | {"structuredContent": {"sum": 5}, "task": {"taskId": "7", "title": "Buy milk"}}
			2026-07-28 | {"resultType": "complete", "content": [], "task": {"taskId": "7"}}
			2026-07-28 | {"resultType": "complete", "task": {"taskId": "7"}}""")
	void aResultMayHaveATaskOfItsOwn(String revision, String result) {
		if (revision.equals(MODERN)) {
			modern();
		}
		openAnswering(result);
		CallToolResult read = call("todo").block(SOON);
		assertThat(read.isError()).isNotEqualTo(true);
		if (result.contains("text")) {
			assertThat(((TextContent) read.content().get(0)).text()).isEqualTo("5");
		}
		assertThat(this.transport.received("tasks/get")).isEmpty();
	}

	private void modern() {
		this.transport.speaks(MODERN).answer("server/discover", """
				{"supportedVersions": ["2026-07-28"], "capabilities": {"tools": {}}}""");
	}

}
