package io.github.mcpclient.management;

import java.util.List;

import io.github.mcpclient.definition.McpServerDefinition;

/**
 * What a reload of the configuration has changed. Each list has names in the order of the
 * servers.
 *
 * @param added the servers that are new
 * @param replaced the servers that have a new connection, or were enabled or disabled
 * @param updated the servers that keep their connection, as only their
 * {@linkplain McpServerDefinition#tools() tools} differ
 * @param removed the servers that are gone
 * @param unchanged how many configured servers are as they were
 * @param restart the properties that differ from those of the start, and apply after a
 * restart only, such as {@code mcp.transports}
 * @see McpServerReloader#reload()
 */
public record McpReload(List<String> added, List<String> replaced, List<String> updated, List<String> removed,
		int unchanged, List<String> restart) {

	/**
	 * Create an instance.
	 */
	public McpReload {
		added = List.copyOf(added);
		replaced = List.copyOf(replaced);
		updated = List.copyOf(updated);
		removed = List.copyOf(removed);
		restart = List.copyOf(restart);
	}

}
