package io.github.mcpclient;

/**
 * A server cannot be asked for something: it does not say that it has the capability, or
 * the configuration switches it off. Nothing was sent.
 */
public class McpUnsupportedException extends McpException {

	/**
	 * Create an exception.
	 * @param serverName the name of the server
	 * @param request what was asked for, such as {@code prompts/get}
	 * @param reason why it cannot be, without a full stop
	 */
	public McpUnsupportedException(String serverName, String request, String reason) {
		super(serverName, "MCP server '" + serverName + "' cannot be asked for " + request + ": " + reason + ".", null);
	}

}
