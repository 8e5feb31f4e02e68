package io.github.mcpclient;

/**
 * Thrown if a server does not declare the capability that a request needs, or the
 * configuration disables the capability. Nothing was sent.
 */
public class McpUnsupportedException extends McpException {

	private final String request;

	private final String reason;

	/**
	 * Create an exception.
	 * @param request the request, such as {@code prompts/get}
	 * @param reason the reason, without a full stop
	 */
	public McpUnsupportedException(String serverName, String request, String reason) {
		super(serverName, "MCP server '" + serverName + "' cannot be sent " + request + ": " + reason + ".", true,
				null);
		this.request = request;
		this.reason = reason;
	}

	/**
	 * Return the request, such as {@code prompts/get}.
	 */
	public String getRequest() {
		return this.request;
	}

	/**
	 * Return the reason, without a full stop.
	 */
	public String getReason() {
		return this.reason;
	}

}
