package io.github.mcpclient.event;

import io.github.mcpclient.McpServer;

/**
 * Published when a server announces that a resource changed, to which the application has
 * {@linkplain McpServer#subscribe(String) subscribed}. Updates while the server is
 * unavailable are missed.
 *
 * @param serverName the name of the server
 * @param uri the uri of the resource, which may be a part of the one that was subscribed
 * to
 */
public record McpResourceUpdatedEvent(String serverName, String uri) implements McpServerEvent {
}
