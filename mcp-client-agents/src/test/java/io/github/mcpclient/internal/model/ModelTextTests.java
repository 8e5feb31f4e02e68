package io.github.mcpclient.internal.model;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import io.github.mcpclient.McpConnectionException;
import io.github.mcpclient.McpException;
import io.github.mcpclient.McpInterruptedException;
import io.github.mcpclient.McpRequestTimeoutException;
import io.github.mcpclient.McpServerState;
import io.github.mcpclient.McpServerStatus;
import io.github.mcpclient.McpServerUnavailableException;
import io.github.mcpclient.McpToolResult;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.Content;
import io.modelcontextprotocol.spec.McpSchema.ImageContent;
import io.modelcontextprotocol.spec.McpSchema.TextContent;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

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
		assertThat(ModelText.of(result(true, null))).isEqualTo("Error: the tool failed without a message");
	}

	@Test
	void anEmptyResultSaysSo() {
		assertThat(ModelText.of(result(false, null))).isEqualTo("[empty result]");
		assertThat(ModelText.of(result(false, null, text("")))).isEqualTo("[empty result]");
	}

	private static TextContent text(String text) {
		return TextContent.builder(text).build();
	}

	static Stream<Arguments> failures() {
		McpServerStatus away = status(McpServerState.UNAVAILABLE);
		McpServerStatus closed = status(McpServerState.CLOSED);
		InterruptedException stopped = new InterruptedException();
		String check = " It may have been executed: check before you try again.";
		String lost = "The connection to MCP tool 'a_b' was lost during the call." + check;
		return Stream.of(
				Arguments.of(new McpServerUnavailableException(away),
						"MCP tool 'a_b' is not available now. Try again later."),
				Arguments.of(new McpServerUnavailableException(closed), "No MCP tool 'a_b'."),
				Arguments.of(new McpServerUnavailableException(closed, false), lost),
				Arguments.of(new McpConnectionException("a", "It broke", false, null), lost),
				Arguments.of(new McpConnectionException("a", "It broke", true, null),
						"MCP tool 'a_b' could not be reached. Try again later."),
				Arguments.of(new McpRequestTimeoutException("a", "tools/call b", Duration.ofSeconds(1)),
						"MCP tool 'a_b' did not respond in time." + check),
				Arguments.of(
						new McpRequestTimeoutException("a", "tools/call b", Duration.ofSeconds(1), false, true, null),
						"MCP tool 'a_b' could not be called in time. Try again later."),
				Arguments.of(new McpInterruptedException("a", "tools/call b", false, stopped),
						"MCP tool 'a_b' was interrupted." + check),
				Arguments.of(new McpInterruptedException("a", "tools/call b", true, stopped),
						"MCP tool 'a_b' was interrupted."));
	}

	@ParameterizedTest
	@MethodSource("failures")
	void aFailureTellsWhetherTheToolMayHaveRun(McpException failure, String text) {
		assertThat(ModelText.failure("a_b", failure)).isEqualTo(text);
	}

	private static McpServerStatus status(McpServerState state) {
		McpServerStatus status = mock();
		given(status.name()).willReturn("a");
		given(status.state()).willReturn(state);
		return status;
	}

	private static McpToolResult result(boolean error, @Nullable Object structured, Content... items) {
		return McpToolResult.of("a_tool", new CallToolResult(List.of(items), error, structured, null));
	}

}
