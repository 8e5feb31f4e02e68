package io.github.mcpclient.test.docs;

import io.github.mcpclient.McpTool;
import io.github.mcpclient.McpToolCatalog;
import io.github.mcpclient.McpToolResult;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.test.context.bean.override.mockito.MockitoBean;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.anyMap;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

class WithoutServersTests {

	@Test
	void mocksTheCatalog() {
		McpToolCatalog tools = mock();
		McpTool find = mock();
		given(tools.get("library_find")).willReturn(find);
		given(find.call(anyMap())).willReturn(McpToolResult.success("library_find", "A book"));
		assertThat(new BookFinder(tools).find("bees")).isEqualTo("A book");
	}

	@Nested
	@SpringBootTest(properties = "mcp.enabled=false")
	class LibraryWithoutMcpTests {

		@MockitoBean
		McpToolCatalog tools;

		@Test
		void isNotConnected(@Autowired BookFinder finder) {
			McpTool find = mock();
			given(this.tools.get("library_find")).willReturn(find);
			given(find.call(anyMap())).willReturn(McpToolResult.success("library_find", "A book"));
			assertThat(finder.find("bees")).isEqualTo("A book");
		}

	}

}
