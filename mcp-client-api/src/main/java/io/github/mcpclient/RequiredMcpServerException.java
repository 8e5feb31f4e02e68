package io.github.mcpclient;

import java.util.List;

/**
 * The application cannot start because servers that it requires are not READY.
 */
public class RequiredMcpServerException extends RuntimeException {

	private static final int MOST_NAMED = 100;

	private final transient List<McpServerStatus> servers;

	/**
	 * Create an exception for the servers of the given status.
	 */
	public RequiredMcpServerException(List<McpServerStatus> servers) {
		super("Required MCP servers are not READY: "
				+ String.join(", ", servers.stream().limit(MOST_NAMED).map(McpServerStatus::name).toList())
				+ ((servers.size() > MOST_NAMED) ? " and " + (servers.size() - MOST_NAMED) + " more" : ""));
		this.servers = List.copyOf(servers);
	}

	/**
	 * Return the status of the servers.
	 */
	public List<McpServerStatus> getServers() {
		return this.servers;
	}

}
