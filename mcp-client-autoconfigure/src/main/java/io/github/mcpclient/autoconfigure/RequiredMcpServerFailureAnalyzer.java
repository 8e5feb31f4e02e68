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

	private static final int MAX_SHOWN = 100;

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, RequiredMcpServerException cause) {
		StringBuilder description = new StringBuilder("MCP servers that the application requires are not available:");
		List<McpServerStatus> shown = cause.getServers().stream().limit(MAX_SHOWN).toList();
		int more = cause.getServers().size() - shown.size();
		String others = (more > 0) ? " and " + more + " more" : "";
		shown.forEach((server) -> description.append("%n    %s (%s): %s".formatted(server.name(), server.target(),
				(server.lastError() != null) ? server.lastError() : "no response yet")));
		description.append((more > 0) ? "%n   %s".formatted(others) : "");
		List<String> names = shown.stream().map(McpServerStatus::name).toList();
		return new FailureAnalysis(description.toString(),
				"Make the servers available, increase mcp.servers.<name>.initialization-timeout (or"
						+ " .first-start-timeout, for a server that is downloaded first), or start the application"
						+ " without them: set mcp.servers.<name>.required to false for " + String.join(", ", names)
						+ others + ". A server that is part of this application cannot be"
						+ " required: its port opens later, and the client connects to it then.",
				cause);
	}

}
