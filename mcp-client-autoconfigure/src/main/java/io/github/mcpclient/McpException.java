package io.github.mcpclient;

import org.jspecify.annotations.Nullable;

/**
 * Base of the exceptions that concern one MCP server. Messages name the server and hold
 * no secrets.
 */
public abstract class McpException extends RuntimeException {

	private final String serverName;

	protected McpException(String serverName, String message, @Nullable Throwable cause) {
		super(message, cause);
		this.serverName = serverName;
	}

	/**
	 * Return the name of the server concerned.
	 * @return the configured name
	 */
	public String getServerName() {
		return this.serverName;
	}

}
