package io.github.mcpclient.autoconfigure;

import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;

import io.github.mcpclient.McpServerState;
import io.github.mcpclient.McpServerStatus;
import io.github.mcpclient.RequiredMcpServerException;
import io.github.mcpclient.testsupport.TestServerStatus;
import org.junit.jupiter.api.Test;

import org.springframework.boot.diagnostics.FailureAnalysis;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link RequiredMcpServerFailureAnalyzer}.
 */
class RequiredMcpServerFailureAnalyzerTests {

	@Test
	void aReportOfVeryManyServersIsBounded() {
		List<McpServerStatus> servers = IntStream.range(0, 3000)
			.<McpServerStatus>mapToObj((i) -> new TestServerStatus("s" + i, McpServerState.UNAVAILABLE, "stdio", "npx",
					true, null, null, 0, 0, 0, 0, Instant.EPOCH, 1, null, "It is broken.", null, List.of()))
			.toList();
		RequiredMcpServerException failure = new RequiredMcpServerException(servers);
		assertThat(failure).hasMessageEndingWith(", s99 and 2900 more");
		FailureAnalysis analysis = new RequiredMcpServerFailureAnalyzer().analyze(failure, failure);
		assertThat(analysis.getDescription().lines()).hasSize(102)
			.endsWith("    s99 (npx): It is broken.", "    and 2900 more");
		assertThat(analysis.getAction()).contains("s98, s99 and 2900 more. ");
	}

}
