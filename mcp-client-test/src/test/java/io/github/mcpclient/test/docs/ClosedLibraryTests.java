package io.github.mcpclient.test.docs;

import io.github.mcpclient.McpServerRegistry;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A server that has been down since the application was started: its tools are not known.
 */
@SpringBootTest(properties = { "mcp.servers.library.url=http://localhost:9/mcp", "mcp.servers.search.enabled=false",
		"mcp.servers.local-files.enabled=false" })
class ClosedLibraryTests {

	@Test
	void isClosed(@Autowired BookFinder finder, @Autowired McpServerRegistry registry) {
		assertThat(registry.server("library").tools()).isEmpty();
		assertThat(finder.find("bees")).isEqualTo("The library is closed");
	}

}
