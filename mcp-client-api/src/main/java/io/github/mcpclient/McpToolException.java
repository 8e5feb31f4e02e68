package io.github.mcpclient;

import io.github.mcpclient.internal.support.Printable;

/**
 * Thrown if a tool reports an error, see {@link McpToolResult#orThrow()}. The message
 * quotes the beginning of its text, on one line and without control characters. A result
 * contains the name of the tool and no name of a server, so {@link #getServerName()}
 * returns {@code null}.
 */
public class McpToolException extends McpException {

	private static final int LONGEST_QUOTE = 2000;

	private final transient McpToolResult result;

	/**
	 * Create an exception.
	 */
	public McpToolException(McpToolResult result) {
		super(null, "MCP tool '" + Printable.text(result.toolName()) + "' failed: "
				+ Printable.line(result.text(), LONGEST_QUOTE), true, null);
		this.result = result;
	}

	/**
	 * Return the result.
	 */
	public McpToolResult getResult() {
		return this.result;
	}

}
