package io.github.mcpclient.registry;

import java.util.List;

import io.github.mcpclient.McpServerStatus;

/**
 * The application cannot start, since servers that it requires did not become READY.
 */
public class RequiredMcpServerException extends RuntimeException {

	private final transient List<McpServerStatus> servers;

	/**
	 * Create an exception.
	 * @param servers the status of the servers concerned
	 */
	public RequiredMcpServerException(List<McpServerStatus> servers) {
		super("Required MCP servers are not READY: "
				+ String.join(", ", servers.stream().map(McpServerStatus::name).toList()));
		this.servers = List.copyOf(servers);
	}

	/**
	 * Return the servers concerned.
	 * @return the status of each
	 */
	public List<McpServerStatus> getServers() {
		return this.servers;
	}

}
