package io.github.mcpclient;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.util.unit.DataSize;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

/**
 * Tests that the message of an exception is fit for a log, whatever a server says.
 */
class ExceptionMessageTests {

	private static final String TEXT = "It broke\r\nWARN forged\u001b[31m\u202e" + "x".repeat(4_000_000);

	static Stream<RuntimeException> exceptions() {
		McpServerStatus status = mock();
		given(status.name()).willReturn("a");
		given(status.state()).willReturn(McpServerState.UNAVAILABLE);
		given(status.since()).willReturn(Instant.EPOCH);
		given(status.lastError()).willReturn(TEXT);
		McpToolResult result = McpToolResult.error("a_b", TEXT);
		return Stream.of(new McpProtocolException("a", "tools/call b", -32603, TEXT, null),
				new McpToolException(result), new McpConnectionException("a", TEXT, false, null),
				new McpServerUnavailableException(status),
				new McpSchemaViolationException("a", "It does not fit", List.of(TEXT)),
				new McpUnsupportedException("a", "prompts/get", TEXT),
				new McpRequestTimeoutException("a", TEXT, Duration.ofSeconds(1)),
				new NoSuchMcpToolException(TEXT, List.of(TEXT), List.of()),
				NoSuchMcpToolException.because(TEXT, null, TEXT));
	}

	@ParameterizedTest(name = "{index}")
	@MethodSource("exceptions")
	void messageIsOneLineOfLimitedLength(RuntimeException exception) {
		assertThat(exception.getMessage()).contains("It broke")
			.hasSizeLessThan(10_000)
			.doesNotContain("\r", "\n", "\u001b", "\u202e");
	}

	@Test
	void settingOfAServerIsNamedAsItIsWritten() {
		assertThat(new McpRequestTimeoutException("my.server", "ping", Duration.ZERO))
			.hasMessageContaining(" Raise mcp.servers[my.server].request-timeout, ");
		assertThat(new McpResultTooLargeException("my.server", "ping", DataSize.ofBytes(1)))
			.hasMessageEndingWith(" raise mcp.servers[my.server].max-result-size.");
	}

	@Test
	void whatTheServerSentIsThereAsItCame() {
		Map<String, Object> data = Map.of("text", TEXT);
		McpProtocolException exception = new McpProtocolException("a", "tools/call b", -32603, TEXT, data);
		assertThat(exception.getErrorMessage()).isEqualTo(TEXT);
		assertThat(exception.getData()).isSameAs(data);
	}

}
