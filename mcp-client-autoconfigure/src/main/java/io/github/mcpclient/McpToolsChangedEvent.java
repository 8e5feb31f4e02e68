package io.github.mcpclient;

import java.util.Set;

import org.springframework.context.ApplicationEvent;

/**
 * Published when the tools of a server changed, as the application sees them. Arrives on
 * a thread that may block, after the catalog and the tool beans follow the change.
 *
 * <p>
 * A server also loses a tool when a server that is configured before it comes to offer
 * one of the same name, and gets it back when that one goes. Each of the two servers has
 * an event then, the one that loses the name first.
 */
public class McpToolsChangedEvent extends ApplicationEvent {

	private final String serverName;

	private final Set<String> added;

	private final Set<String> removed;

	private final Set<String> changed;

	/**
	 * Create an event.
	 * @param source the registry
	 * @param serverName the name of the server
	 * @param added the prefixed names of the tools that came
	 * @param removed the prefixed names of the tools that went
	 * @param changed the prefixed names of the tools whose definition is another
	 */
	public McpToolsChangedEvent(Object source, String serverName, Set<String> added, Set<String> removed,
			Set<String> changed) {
		super(source);
		this.serverName = serverName;
		this.added = Set.copyOf(added);
		this.removed = Set.copyOf(removed);
		this.changed = Set.copyOf(changed);
	}

	/**
	 * Return the name of the server.
	 * @return the configured name
	 */
	public String getServerName() {
		return this.serverName;
	}

	/**
	 * Return the tools that came.
	 * @return prefixed names
	 */
	public Set<String> getAdded() {
		return this.added;
	}

	/**
	 * Return the tools that went.
	 * @return prefixed names
	 */
	public Set<String> getRemoved() {
		return this.removed;
	}

	/**
	 * Return the tools whose definition is another.
	 * @return prefixed names
	 */
	public Set<String> getChanged() {
		return this.changed;
	}

}
