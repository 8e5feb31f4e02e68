package io.github.mcpclient.connection;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

import io.github.mcpclient.McpServerState;
import io.github.mcpclient.McpServerStatus;
import io.modelcontextprotocol.spec.McpSchema.Implementation;
import org.jspecify.annotations.Nullable;

/**
 * The status at one moment.
 */
record StatusSnapshot(String name, McpServerState state, String type, String target, boolean required,
		@Nullable Implementation serverInfo, @Nullable String protocolVersion, int tools, int prompts, int resources,
		int resourceTemplates, Instant since, int attempts, @Nullable Duration latency, @Nullable String lastError,
		@Nullable Instant nextRetry, List<String> stderr) implements McpServerStatus {

	StatusSnapshot {
		stderr = List.copyOf(stderr);
	}

}
