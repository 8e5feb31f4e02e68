package io.github.mcpclient.internal.model;

import java.util.List;
import java.util.Map;

import io.github.mcpclient.McpToolResult;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.Content;
import io.modelcontextprotocol.spec.McpSchema.ImageContent;
import io.modelcontextprotocol.spec.McpSchema.TextContent;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ModelText}.
 */
class ModelTextTests {

	@Test
	void textIsText() {
		assertThat(ModelText.of(result(false, null, text("hello"), text("\"world\"")))).isEqualTo("hello\n\"world\"");
		assertThat(ModelText.of(result(false, null, text("a cat:"), ImageContent.builder("AAAA", "image/png").build())))
			.isEqualTo("a cat:\n[image/png image, 3 bytes]");
	}

	@Test
	void structuredContentIsKept() {
		Map<String, Object> sum = Map.of("sum", 5);
		assertThat(ModelText.of(result(false, sum))).isEqualTo("{\"sum\":5}");
		assertThat(ModelText.of(result(false, sum, text("It is five")))).isEqualTo("It is five\n{\"sum\":5}");
		assertThat(ModelText.of(result(false, List.of(1, 2), text("[1, 3]")))).isEqualTo("[1, 3]\n[1,2]");
	}

	@Test
	void structuredContentThatTheTextHasIsNotRepeated() {
		assertThat(ModelText.of(result(false, Map.of("sum", 5), text("{ \"sum\": 5 }")))).isEqualTo("{ \"sum\": 5 }");
		assertThat(ModelText.of(result(false, Map.of("sum", 5), text("note"), text("{\"sum\":5}"))))
			.isEqualTo("note\n{\"sum\":5}");
		assertThat(ModelText.of(result(false, Map.of("content", "a file"), text("a file")))).isEqualTo("a file");
	}

	@Test
	void anErrorSaysSo() {
		assertThat(ModelText.of(result(true, null, text("no such file")))).isEqualTo("Error: no such file");
		assertThat(ModelText.of(result(true, null, text("ERROR 42")))).isEqualTo("ERROR 42");
		assertThat(ModelText.of(result(true, null))).isEqualTo("Error: the tool failed and did not say why");
	}

	@Test
	void anEmptyResultSaysSo() {
		assertThat(ModelText.of(result(false, null))).isEqualTo("[empty result]");
		assertThat(ModelText.of(result(false, null, text("")))).isEqualTo("[empty result]");
	}

	private static TextContent text(String text) {
		return TextContent.builder(text).build();
	}

	private static McpToolResult result(boolean error, @Nullable Object structured, Content... items) {
		return McpToolResult.of("a_tool", new CallToolResult(List.of(items), error, structured, null));
	}

}
