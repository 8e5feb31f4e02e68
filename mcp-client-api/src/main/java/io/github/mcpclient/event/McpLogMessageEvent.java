package io.github.mcpclient.event;

import io.modelcontextprotocol.spec.McpSchema.LoggingMessageNotification;

/**
 * Published when a server sends a log message, regardless of whether its logger is
 * enabled.
 *
 * @param serverName the name of the server
 * @param message the message; data other than text is JSON. All text in it is the
 * unchanged text of the server, and is untrusted
 */
public record McpLogMessageEvent(String serverName, LoggingMessageNotification message) implements McpServerEvent {
}
