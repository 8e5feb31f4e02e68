package io.github.mcpclient.event;

import io.github.mcpclient.McpServer;

/**
 * Published when a server announces a change of a resource to which the application has
 * {@linkplain McpServer#subscribe(String) subscribed}. Updates while the server is
 * unavailable are missed.
 *
 * @param serverName the name of the server
 * @param uri the URI of the resource, which may be a part of the subscribed resource
 */
public record McpResourceUpdatedEvent(String serverName, String uri) implements McpServerEvent {
}
