package io.github.mcpclient.event;

import java.util.Set;

/**
 * Published when the tools of a server changed, as seen by the application. The catalog
 * and the tool beans already reflect the change.
 *
 * <p>
 * A server also loses a tool when a server that is configured before it begins to offer a
 * tool of the same name, and regains it when that tool disappears. Both servers then
 * publish an event, the server that loses the name first.
 *
 * @param serverName the name of the server
 * @param added the prefixed names of the added tools
 * @param removed the prefixed names of the removed tools
 * @param changed the prefixed names of the tools whose definition changed
 */
public record McpToolsChangedEvent(String serverName, Set<String> added, Set<String> removed,
		Set<String> changed) implements McpServerEvent {

	/**
	 * Create an event.
	 */
	public McpToolsChangedEvent {
		added = Set.copyOf(added);
		removed = Set.copyOf(removed);
		changed = Set.copyOf(changed);
	}

}
