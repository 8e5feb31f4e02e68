package io.github.mcpclient.event;

import io.github.mcpclient.McpServerFeatures;

/**
 * Published when the {@linkplain McpServerFeatures#prompts() prompts} of a server changed
 * or became known, which happens after the server has become READY.
 *
 * @param serverName the name of the server
 */
public record McpPromptsChangedEvent(String serverName) implements McpServerEvent {
}
