package io.github.mcpclient.declared;

import java.util.List;

import io.github.mcpclient.event.McpToolClientMismatchEvent;
import io.github.mcpclient.event.McpToolClientMismatchEvent.Kind;
import io.github.mcpclient.event.McpToolClientMismatchEvent.Mismatch;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/**
 * Explains that required clients do not match their servers.
 */
class McpToolClientMismatchFailureAnalyzer extends AbstractFailureAnalyzer<McpToolClientMismatchException> {

	private static final int MAX_SHOWN = 100;

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, McpToolClientMismatchException cause) {
		StringBuilder description = new StringBuilder(
				"Declared MCP clients that the application requires do not match their servers:");
		cause.getMismatches()
			.stream()
			.limit(MAX_SHOWN)
			.forEach((event) -> description.append("%n    %s (server '%s'):%s".formatted(event.client(),
					event.serverName(), ComparedClients.lines(event.mismatches(), "        "))));
		List<Kind> kinds = cause.getMismatches()
			.stream()
			.map(McpToolClientMismatchEvent::mismatches)
			.flatMap(List::stream)
			.map(Mismatch::kind)
			.distinct()
			.toList();
		StringBuilder action = new StringBuilder();
		if (kinds.contains(Kind.NO_SERVER)) {
			action.append("Configure mcp.servers.<name>, or correct the name in @McpToolClient. ");
		}
		if (kinds.contains(Kind.NOT_LISTED)) {
			action.append("Make the servers available, or allow more time: set mcp.startup.wait, or set"
					+ " mcp.servers.<name>.required=true, so that the start waits for their"
					+ " initialization-timeout. Clients of a server that lists its tools for each user, or that is part"
					+ " of this application, cannot be required, because startup cannot wait for such a server. ");
		}
		if (kinds.stream().anyMatch((kind) -> kind != Kind.NO_SERVER && kind != Kind.NOT_LISTED)) {
			action.append("Update the interfaces or the servers, so that they match. ");
		}
		action.append("To start the application nevertheless, remove 'required = true' from @McpToolClient.");
		return new FailureAnalysis(description.toString(), action.toString(), cause);
	}

}
