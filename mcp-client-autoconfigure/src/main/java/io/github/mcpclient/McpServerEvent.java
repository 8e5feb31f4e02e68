package io.github.mcpclient;

import org.springframework.context.ApplicationEvent;

/**
 * Base of the events that concern one MCP server. Listeners are called on a thread that
 * may block; the events of one server arrive in order.
 */
public abstract class McpServerEvent extends ApplicationEvent {

	private final String serverName;

	McpServerEvent(Object source, String serverName) {
		super(source);
		this.serverName = serverName;
	}

	/**
	 * Return the name of the server.
	 */
	public String getServerName() {
		return this.serverName;
	}

}
