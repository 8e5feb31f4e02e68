package io.github.mcpclient.event;

import java.util.List;

import io.github.mcpclient.management.McpToolPin;

/**
 * Published when a server with {@code tools.pinning} lists tools whose definitions are
 * not approved: once for each definition, and at most ten times in ten minutes for a
 * server.
 *
 * @param serverName the name of the server
 * @param withheld whether these tools are excluded from the application
 * @param tools the tools, none of which is approved
 */
public record McpUnapprovedToolsEvent(String serverName, boolean withheld,
		List<McpToolPin> tools) implements McpServerEvent {

	/**
	 * Create an event.
	 */
	public McpUnapprovedToolsEvent {
		tools = List.copyOf(tools);
	}

}
