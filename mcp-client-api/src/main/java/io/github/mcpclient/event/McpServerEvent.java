package io.github.mcpclient.event;

/**
 * An event of one MCP server, published as the payload of an application event: see
 * {@link org.springframework.context.event.EventListener @EventListener}. Listeners are
 * called on a thread that may block. Changes of state, tools, prompts and resources of
 * one server arrive in order. Messages of a server ({@link McpLogMessageEvent},
 * {@link McpProgressEvent}, {@link McpResourceUpdatedEvent}) and
 * {@link McpServerExceptionEvent} are delivered from a separate queue, in order, and are
 * dropped if listeners are too slow.
 */
public interface McpServerEvent {

	/**
	 * Return the name of the server.
	 */
	String serverName();

}
