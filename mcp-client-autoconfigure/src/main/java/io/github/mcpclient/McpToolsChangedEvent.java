package io.github.mcpclient;

import java.util.Set;

/**
 * Published when the tools of a server changed, as the application sees them. The catalog
 * and the tool beans already reflect the change.
 *
 * <p>
 * A server also loses a tool when a server that is configured before it begins to offer a
 * tool of the same name, and regains it when that one disappears. Both servers then have
 * an event, first the one that loses the name.
 */
public class McpToolsChangedEvent extends McpServerEvent {

	private final Set<String> added;

	private final Set<String> removed;

	private final Set<String> changed;

	/**
	 * Create an event.
	 */
	public McpToolsChangedEvent(Object source, String serverName, Set<String> added, Set<String> removed,
			Set<String> changed) {
		super(source, serverName);
		this.added = Set.copyOf(added);
		this.removed = Set.copyOf(removed);
		this.changed = Set.copyOf(changed);
	}

	/**
	 * Return the prefixed names of the added tools.
	 */
	public Set<String> getAdded() {
		return this.added;
	}

	/**
	 * Return the prefixed names of the removed tools.
	 */
	public Set<String> getRemoved() {
		return this.removed;
	}

	/**
	 * Return the prefixed names of the tools whose definition changed.
	 */
	public Set<String> getChanged() {
		return this.changed;
	}

}
