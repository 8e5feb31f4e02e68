package io.github.mcpclient.test;

import io.github.mcpclient.declared.McpToolClient;
import io.github.mcpclient.test.server.McpTestReply;
import io.github.mcpclient.test.server.McpTestServer;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that {@link McpTest} has the declared clients of an application.
 */
@McpTest
class DeclaredClientTests {

	@MockMcpServer("search")
	static final McpTestServer server = McpTestServer.create()
		.tool("find", (request) -> McpTestReply.text("found " + request.argument("query")));

	@Autowired
	Search search;

	@Test
	void aDeclaredClientCallsAScriptedServer() {
		assertThat(this.search.find("x")).isEqualTo("found x");
	}

	@McpToolClient("search")
	interface Search {

		String find(String query);

	}

}
