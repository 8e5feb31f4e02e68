package io.github.mcpclient.event;

import io.github.mcpclient.management.McpReload;
import io.github.mcpclient.management.McpServerReloader;

/**
 * Published, as the payload of an application event, when the configuration was reloaded,
 * even if nothing has changed. Listeners are called on a thread that may block.
 *
 * @param changes what has changed
 * @see McpServerReloader
 */
public record McpReloadEvent(McpReload changes) {
}
