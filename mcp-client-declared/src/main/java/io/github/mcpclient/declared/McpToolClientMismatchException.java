package io.github.mcpclient.declared;

import java.util.List;
import java.util.stream.Collectors;

import io.github.mcpclient.event.McpToolClientMismatchEvent;

/**
 * The application cannot start because declared clients that it
 * {@linkplain McpToolClient#required() requires} do not match what their servers list, or
 * these have not listed their tools in time.
 */
public class McpToolClientMismatchException extends RuntimeException {

	private static final int MOST_NAMED = 100;

	private final transient List<McpToolClientMismatchEvent> mismatches;

	/**
	 * Create an exception for clients that do not match.
	 */
	public McpToolClientMismatchException(List<McpToolClientMismatchEvent> mismatches) {
		super("Required declared MCP clients do not match their servers:" + mismatches.stream()
			.limit(MOST_NAMED)
			.map((event) -> "%n    %s (server '%s'):%s".formatted(event.client(), event.serverName(),
					ComparedClients.lines(event.mismatches(), "        ")))
			.collect(Collectors.joining()));
		this.mismatches = List.copyOf(mismatches);
	}

	/**
	 * Return what does not match, of each client that does not.
	 */
	public List<McpToolClientMismatchEvent> getMismatches() {
		return this.mismatches;
	}

}
