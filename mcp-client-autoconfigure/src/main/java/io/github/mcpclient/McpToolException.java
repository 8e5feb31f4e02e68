package io.github.mcpclient;

/**
 * A tool reported a failure of its own, see {@link McpToolResult#orThrow()}.
 */
public class McpToolException extends RuntimeException {

	private final transient McpToolResult result;

	/**
	 * Create an exception.
	 * @param result the result that is an error
	 */
	public McpToolException(McpToolResult result) {
		super("MCP tool '" + result.toolName() + "' failed: " + result.text());
		this.result = result;
	}

	/**
	 * Return the result.
	 * @return the result that is an error
	 */
	public McpToolResult getResult() {
		return this.result;
	}

}
