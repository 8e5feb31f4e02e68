package io.github.mcpclient;

/**
 * The state of the connection to one MCP server.
 *
 * @see McpServerStatus#state()
 */
public enum McpServerState {

	/**
	 * Configured with {@code enabled: false}: listed, never contacted.
	 */
	DISABLED,

	/**
	 * Not used yet: the first use connects.
	 */
	IDLE,

	/**
	 * A connection attempt is under way.
	 */
	CONNECTING,

	/**
	 * Connected: the handshake is done and the tools are listed.
	 */
	READY,

	/**
	 * Not connected: an attempt failed or the connection was lost. Calls fail at once,
	 * the tools known so far stay listed, and another attempt follows after a delay.
	 */
	UNAVAILABLE,

	/**
	 * Closed for good: the application stops or the server was removed.
	 */
	CLOSED

}
