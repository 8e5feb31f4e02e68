package io.github.mcpclient.event;

/**
 * What happened to one MCP server, published as the payload of an application event: see
 * {@link org.springframework.context.event.EventListener @EventListener}. Listeners are
 * called on a thread that may block. Changes of state, tools, prompts and resources of
 * one server arrive in order. What a server sends ({@link McpLogMessageEvent},
 * {@link McpProgressEvent}, {@link McpResourceUpdatedEvent}) and
 * {@link McpServerExceptionEvent} are delivered apart from them, in order among
 * themselves, and are dropped if listeners are too slow.
 */
public interface McpServerEvent {

	/**
	 * Return the name of the server.
	 */
	String serverName();

}
