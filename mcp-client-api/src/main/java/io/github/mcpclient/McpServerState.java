package io.github.mcpclient;

import io.github.mcpclient.management.McpServerManager;

/**
 * The state of the connection to one MCP server.
 *
 * @see McpServerStatus#state()
 */
public enum McpServerState {

	/**
	 * Disabled by {@code enabled: false} or {@link McpServerManager#disable}: listed,
	 * never contacted.
	 */
	DISABLED,

	/**
	 * Not used yet: the first use connects. A server that requires users to log in stays
	 * {@code IDLE}, with that requirement as its last error, since each of its users has
	 * a separate connection.
	 */
	IDLE,

	/**
	 * A connection attempt is in progress.
	 */
	CONNECTING,

	/**
	 * Connected: the handshake has succeeded and the tools are listed.
	 */
	READY,

	/**
	 * Not connected: an attempt failed or the connection was lost. Calls fail
	 * immediately, and the known tools stay listed. Another attempt follows after a
	 * delay, unless {@code reconnect.enabled} is {@code false}.
	 */
	UNAVAILABLE,

	/**
	 * Closed permanently: the application has stopped or the server was removed.
	 */
	CLOSED

}
