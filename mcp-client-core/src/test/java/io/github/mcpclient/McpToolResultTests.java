package io.github.mcpclient;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link McpToolResult}.
 */
class McpToolResultTests {

	@Test
	void successIsNoError() {
		McpToolResult result = McpToolResult.success("a_tool", "found");
		assertThat(result.orThrow()).isSameAs(result);
		assertThat(result.toolName()).isEqualTo("a_tool");
		assertThat(result.text()).isEqualTo("found");
	}

	@Test
	void errorThrowsWhenAsked() {
		assertThatExceptionOfType(McpToolException.class)
			.isThrownBy(() -> McpToolResult.error("a_tool", "not found").orThrow())
			.withMessageContaining("not found");
	}

}
