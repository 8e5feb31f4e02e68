package io.github.mcpclient.event;

import io.github.mcpclient.McpException;

/**
 * Published for each exception that {@link McpMessageListener#onException} describes.
 *
 * @param serverName the name of the server
 * @param exception the exception, which contains no secrets
 */
public record McpServerExceptionEvent(String serverName, McpException exception) implements McpServerEvent {
}
