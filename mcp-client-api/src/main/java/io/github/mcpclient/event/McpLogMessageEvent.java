package io.github.mcpclient.event;

import io.modelcontextprotocol.spec.McpSchema.LoggingMessageNotification;

/**
 * Published when a server sends a log message, whether or not its logger is enabled.
 *
 * @param serverName the name of the server
 * @param message the message; data other than text is JSON. All text in it comes from the
 * server, as it is, and is not to be trusted
 */
public record McpLogMessageEvent(String serverName, LoggingMessageNotification message) implements McpServerEvent {
}
