package io.github.mcpclient.event;

import java.util.List;

import io.github.mcpclient.management.McpToolPin;

/**
 * Published when a server whose definitions are pinned lists tools with definitions that
 * are not approved: once for each definition, and at most ten times in ten minutes for a
 * server.
 *
 * @param serverName the name of the server
 * @param withheld whether the application does not get these tools
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
