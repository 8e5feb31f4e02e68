package io.github.mcpclient;

import java.util.List;

import io.github.mcpclient.internal.support.Printable;

/**
 * The application cannot start because servers that it requires are not READY.
 * {@link #getServers()} has all of them; {@link #getServerName()} is the name of the one,
 * or {@code null} if there are several.
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
	 * Return the status of the servers.
	 */
	public List<McpServerStatus> getServers() {
		return this.servers;
	}

}
