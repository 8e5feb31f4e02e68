package io.github.mcpclient;

import org.springframework.context.ApplicationEvent;

/**
 * Published when the resources of a server, or its templates of such, changed; also when
 * they become known, which is after the server is READY. Arrives on a thread that may
 * block.
 */
public class McpResourcesChangedEvent extends ApplicationEvent {

	private final String serverName;

	/**
	 * Create an event.
	 * @param source the registry
	 * @param serverName the name of the server
	 */
	public McpResourcesChangedEvent(Object source, String serverName) {
		super(source);
		this.serverName = serverName;
	}

	/**
	 * Return the name of the server, whose {@linkplain McpServer#features() features} are
	 * the new ones.
	 * @return the configured name
	 */
	public String getServerName() {
		return this.serverName;
	}

}
