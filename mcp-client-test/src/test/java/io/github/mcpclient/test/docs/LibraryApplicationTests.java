package io.github.mcpclient.test.docs;

import io.github.mcpclient.test.MockMcpServer;
import io.github.mcpclient.test.server.McpTestReply;
import io.github.mcpclient.test.server.McpTestServer;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.test.context.TestPropertySource;

import static org.assertj.core.api.Assertions.assertThat;

@TestPropertySource(properties = { "mcp.servers.search.enabled=false", "mcp.servers.local-files.enabled=false" })
@SpringBootTest
class LibraryApplicationTests {

	@MockMcpServer
	static final McpTestServer library = McpTestServer.create().tool("find", McpTestReply.text("Everything"));

	@Test
	void finds(@Autowired BookFinder finder) {
		assertThat(finder.find("bees")).isEqualTo("Everything");
	}

}
