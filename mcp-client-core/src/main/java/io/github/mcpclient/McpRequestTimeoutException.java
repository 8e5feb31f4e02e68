package io.github.mcpclient;

import java.time.Duration;

import io.github.mcpclient.support.PropertyNames;

/**
 * A request was not answered within its timeout. If it was already sent, it was cancelled
 * at the server, which may have acted on it nevertheless.
 */
public class McpRequestTimeoutException extends McpException {

	private final Duration timeout;

	/**
	 * Create an exception.
	 * @param request the request, such as {@code tools/call echo}
	 */
	public McpRequestTimeoutException(String serverName, String request, Duration timeout) {
		super(serverName,
				"MCP server '" + serverName + "' did not answer " + request + " within " + timeout.toMillis()
						+ " ms. The request was cancelled. Raise "
						+ PropertyNames.ofServer(serverName, "request-timeout")
						+ ", or the timeout of the call, if it needs longer.",
				null);
		this.timeout = timeout;
	}

	/**
	 * Return the timeout of the request.
	 */
	public Duration getTimeout() {
		return this.timeout;
	}

}
