package io.github.mcpclient;

import io.modelcontextprotocol.spec.McpSchema.LoggingMessageNotification;

/**
 * Published when a server sends a log message, whether or not its logger is enabled. All
 * text in it comes from the server, as it is, and is not to be trusted.
 */
public class McpLogMessageEvent extends McpServerEvent {

	private final transient LoggingMessageNotification message;

	/**
	 * Create an event.
	 */
	public McpLogMessageEvent(Object source, String serverName, LoggingMessageNotification message) {
		super(source, serverName);
		this.message = message;
	}

	/**
	 * Return the message; data other than text is JSON.
	 */
	public LoggingMessageNotification getMessage() {
		return this.message;
	}

}
