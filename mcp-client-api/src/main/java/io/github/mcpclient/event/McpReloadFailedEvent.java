package io.github.mcpclient.event;

import io.github.mcpclient.management.McpReloadFailure;
import io.github.mcpclient.management.McpServerReloader;

/**
 * Published, as the payload of an application event, when the configuration could not be
 * reloaded. Published once until the failure is corrected or another failure occurs.
 * Listeners are called on a thread that may block.
 *
 * @param failure the failure
 * @see McpServerReloader
 */
public record McpReloadFailedEvent(McpReloadFailure failure) {
}
