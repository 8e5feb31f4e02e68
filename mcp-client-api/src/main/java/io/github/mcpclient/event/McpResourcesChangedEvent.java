package io.github.mcpclient.event;

import io.github.mcpclient.McpServerFeatures;

/**
 * Published when the {@linkplain McpServerFeatures#resources() resources} or resource
 * templates of a server changed or became known, which happens after the server has
 * become READY.
 *
 * @param serverName the name of the server
 */
public record McpResourcesChangedEvent(String serverName) implements McpServerEvent {
}
