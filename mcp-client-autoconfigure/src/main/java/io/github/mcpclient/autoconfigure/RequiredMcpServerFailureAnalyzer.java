package io.github.mcpclient.autoconfigure;

import java.util.List;

import io.github.mcpclient.McpServerStatus;
import io.github.mcpclient.RequiredMcpServerException;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/**
 * Explains that required servers are not available.
 */
class RequiredMcpServerFailureAnalyzer extends AbstractFailureAnalyzer<RequiredMcpServerException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, RequiredMcpServerException cause) {
		StringBuilder description = new StringBuilder("MCP servers that the application requires are not available:");
		cause.getServers()
			.forEach((server) -> description.append("%n    %s (%s): %s".formatted(server.name(), server.target(),
					(server.lastError() != null) ? server.lastError() : "no answer yet")));
		List<String> names = cause.getServers().stream().map(McpServerStatus::name).toList();
		return new FailureAnalysis(description.toString(),
				"Make the servers available, give them more time with mcp.servers.<name>.initialization-timeout (or"
						+ " .first-start-timeout, for one that is downloaded first), or let the application start without them: set mcp.servers.<name>.required to false for "
						+ String.join(", ", names)
						+ ". A server that is part of this application cannot be required: its port opens later, and"
						+ " it is connected then.",
				cause);
	}

}
