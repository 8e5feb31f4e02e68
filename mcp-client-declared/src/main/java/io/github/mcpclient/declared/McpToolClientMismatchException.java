package io.github.mcpclient.declared;

import java.util.List;

import io.github.mcpclient.McpException;
import io.github.mcpclient.event.McpToolClientMismatchEvent;
import io.github.mcpclient.internal.support.Printable;

/**
 * The application cannot start because declared clients that it
 * {@linkplain McpToolClient#required() requires} do not match the tools of their servers,
 * or their servers have not listed tools in time.
 */
public class McpToolClientMismatchException extends McpException {

	private static final int MOST_NAMED = 100;

	private final transient List<McpToolClientMismatchEvent> mismatches;

	/**
	 * Create an exception for clients that do not match.
	 */
	public McpToolClientMismatchException(List<McpToolClientMismatchEvent> mismatches) {
		super((mismatches.size() == 1) ? mismatches.get(0).serverName() : null,
				"Required declared MCP clients do not match their servers: "
						+ Printable.first(MOST_NAMED, mismatches, (event) -> event.client() + " " + event.mismatches()),
				true, null);
		this.mismatches = List.copyOf(mismatches);
	}

	/**
	 * Return the mismatches of each client that does not match.
	 */
	public List<McpToolClientMismatchEvent> getMismatches() {
		return this.mismatches;
	}

}
