package io.github.mcpclient;

import java.util.List;

import io.github.mcpclient.internal.support.Printable;

/**
 * Thrown on startup if servers that the application requires are not READY.
 * {@link #getServers()} returns all of them. {@link #getServerName()} returns the name of
 * the server, or {@code null} if there are several.
 */
public class RequiredMcpServerException extends McpException {

	private static final int MOST_NAMED = 100;

	private final transient List<McpServerStatus> servers;

	/**
	 * Create an exception for the servers of the given status.
	 */
	public RequiredMcpServerException(List<McpServerStatus> servers) {
		super((servers.size() == 1) ? servers.get(0).name() : null,
				"Required MCP servers are not READY: " + Printable.first(MOST_NAMED, servers, McpServerStatus::name),
				true, null);
		this.servers = List.copyOf(servers);
	}

	/**
	 * Return the status of each of these servers.
	 */
	public List<McpServerStatus> getServers() {
		return this.servers;
	}

}
