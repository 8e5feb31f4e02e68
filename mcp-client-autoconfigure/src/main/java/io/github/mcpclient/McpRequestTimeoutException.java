package io.github.mcpclient;

import java.time.Duration;

/**
 * No answer came within the time allowed. The request was cancelled at the server, which
 * may have acted on it all the same.
 */
public class McpRequestTimeoutException extends McpException {

	private final Duration timeout;

	/**
	 * Create an exception.
	 * @param serverName the name of the server
	 * @param request what was asked for, such as {@code tools/call echo}
	 * @param timeout the time allowed
	 */
	public McpRequestTimeoutException(String serverName, String request, Duration timeout) {
		super(serverName,
				"MCP server '" + serverName + "' did not answer " + request + " within " + timeout.toMillis()
						+ " ms. The request was cancelled. Raise mcp.servers." + serverName
						+ ".request-timeout, or the timeout of the call, if it needs longer.",
				null);
		this.timeout = timeout;
	}

	/**
	 * Return the time allowed.
	 * @return the timeout
	 */
	public Duration getTimeout() {
		return this.timeout;
	}

}
