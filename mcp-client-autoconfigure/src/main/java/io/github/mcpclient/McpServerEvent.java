package io.github.mcpclient;

import org.springframework.context.ApplicationEvent;

/**
 * Base of the events that concern one MCP server. Listeners are called on a thread that
 * may block. Changes of state, tools, prompts and resources of one server arrive in
 * order. What a server sends ({@link McpLogMessageEvent}, {@link McpProgressEvent},
 * {@link McpResourceUpdatedEvent}) and {@link McpServerExceptionEvent} are apart from
 * them, in order among each other, and dropped where listeners are too slow.
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
