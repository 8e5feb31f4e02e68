package io.github.mcpclient.event;

import io.github.mcpclient.management.McpReloadFailure;
import io.github.mcpclient.management.McpServerReloader;

/**
 * Published, as the payload of an application event, when the configuration could not be
 * reloaded: once, until what is wrong is mended or something else is wrong. Listeners are
 * called on a thread that may block.
 *
 * @param failure what is wrong
 * @see McpServerReloader
 */
public record McpReloadFailedEvent(McpReloadFailure failure) {
}
