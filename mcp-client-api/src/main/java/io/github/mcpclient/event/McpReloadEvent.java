package io.github.mcpclient.event;

import io.github.mcpclient.management.McpReload;
import io.github.mcpclient.management.McpServerReloader;

/**
 * Published, as the payload of an application event, when a reload of the configuration
 * has changed servers, or has succeeded after a failed one. Listeners are called on a
 * thread that may block.
 *
 * @param changes the changes
 * @see McpServerReloader
 */
public record McpReloadEvent(McpReload changes) {
}
