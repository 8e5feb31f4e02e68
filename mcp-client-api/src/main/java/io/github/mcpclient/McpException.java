package io.github.mcpclient;

import io.github.mcpclient.internal.support.Printable;
import org.jspecify.annotations.Nullable;

/**
 * Base of the exceptions that concern one MCP server. A message names the server and
 * contains no secrets. It is one line of about 8,000 characters at most, without control
 * characters, even if it quotes text of the server, which is still not to be trusted.
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
	 */
	public String getServerName() {
		return this.serverName;
	}

}
