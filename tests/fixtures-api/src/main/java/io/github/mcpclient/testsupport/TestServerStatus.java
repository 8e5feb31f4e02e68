package io.github.mcpclient.testsupport;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

import io.github.mcpclient.McpServerDeviation;
import io.github.mcpclient.McpServerState;
import io.github.mcpclient.McpServerStatus;
import io.modelcontextprotocol.spec.McpSchema.Implementation;

/**
 * A status that a test makes up.
 */
public record TestServerStatus(String name, McpServerState state, String type, String target, boolean required,
		Implementation serverInfo, String protocolVersion, int tools, int prompts, int resources, int resourceTemplates,
		Instant since, int attempts, Duration latency, String lastError, Instant nextRetry,
		List<String> stderr) implements McpServerStatus {

	@Override
	public StepKind failedStep() {
		return null;
	}

	@Override
	public int users() {
		return 0;
	}

	@Override
	public List<McpServerDeviation> deviations() {
		return List.of();
	}

}
