package io.github.mcpclient.tool;

import java.util.Arrays;
import java.util.List;
import java.util.Map;

import io.github.mcpclient.McpToolResult;
import io.modelcontextprotocol.json.McpJsonDefaults;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.Content;
import io.modelcontextprotocol.spec.McpSchema.ImageContent;
import io.modelcontextprotocol.spec.McpSchema.TextContent;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for {@link ModelText}.
 */
class ModelTextTests {

	private final ModelText text = new ModelText(McpJsonDefaults.getMapper());

	@Test
	void argumentsAreAnObject() {
		assertThat(this.text.arguments("t", "{\"a\": {\"b\": [1, null]}}"))
			.isEqualTo(Map.of("a", Map.of("b", Arrays.asList(1, null))));
		assertThat(this.text.arguments("t", " ")).isEmpty();
		assertThat(this.text.arguments("t", "{}")).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(strings = { "secret", "{\"secret\": ", "[\"secret\"]", "null", "\"secret\"", "{} secret" })
	void otherArgumentsAreRefusedWithoutQuotingThem(String json) {
		assertThatIllegalArgumentException().isThrownBy(() -> this.text.arguments("everything_echo", json))
			.withMessage("The arguments of MCP tool 'everything_echo' must be one JSON object, and are not")
			.withNoCause();
	}

	@Test
	void textIsText() {
		assertThat(this.text.of(result(false, null, text("hello"), text("\"world\"")))).isEqualTo("hello\n\"world\"");
		assertThat(this.text.of(result(false, null, text("a cat:"), ImageContent.builder("AAAA", "image/png").build())))
			.isEqualTo("a cat:\n[image/png image, 3 bytes]");
	}

	@Test
	void structuredContentIsKept() {
		Map<String, Object> sum = Map.of("sum", 5);
		assertThat(this.text.of(result(false, sum))).isEqualTo("{\"sum\":5}");
		assertThat(this.text.of(result(false, sum, text("It is five")))).isEqualTo("It is five\n{\"sum\":5}");
		assertThat(this.text.of(result(false, List.of(1, 2), text("[1, 3]")))).isEqualTo("[1, 3]\n[1,2]");
	}

	@Test
	void structuredContentThatTheTextHasIsNotRepeated() {
		assertThat(this.text.of(result(false, Map.of("sum", 5), text("{ \"sum\": 5 }")))).isEqualTo("{ \"sum\": 5 }");
		assertThat(this.text.of(result(false, Map.of("sum", 5), text("note"), text("{\"sum\":5}"))))
			.isEqualTo("note\n{\"sum\":5}");
		assertThat(this.text.of(result(false, Map.of("content", "a file"), text("a file")))).isEqualTo("a file");
	}

	@Test
	void anErrorSaysSo() {
		assertThat(this.text.of(result(true, null, text("no such file")))).isEqualTo("Error: no such file");
		assertThat(this.text.of(result(true, null, text("ERROR 42")))).isEqualTo("ERROR 42");
		assertThat(this.text.of(result(true, null))).isEqualTo("Error: the tool failed and did not say why");
	}

	@Test
	void anEmptyResultSaysSo() {
		assertThat(this.text.of(result(false, null))).isEqualTo("[empty result]");
		assertThat(this.text.of(result(false, null, text("")))).isEqualTo("[empty result]");
	}

	private static TextContent text(String text) {
		return TextContent.builder(text).build();
	}

	private static McpToolResult result(boolean error, @Nullable Object structured, Content... items) {
		return McpToolResult.of("a_tool", new CallToolResult(List.of(items), error, structured, null));
	}

}
