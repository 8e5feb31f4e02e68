package io.github.mcpclient;

import io.github.mcpclient.support.Printable;
import org.jspecify.annotations.Nullable;

/**
 * Base of the exceptions that concern one MCP server. Messages name the server and hold
 * no secrets. They are one line of limited length, without control characters, even where
 * they quote the server, whose words are not to be trusted all the same.
 */
public abstract class McpException extends RuntimeException {

	private static final int LONGEST_MESSAGE = 8000;

	private final String serverName;

	protected McpException(String serverName, String message, @Nullable Throwable cause) {
		super(Printable.line(message, LONGEST_MESSAGE), cause);
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
