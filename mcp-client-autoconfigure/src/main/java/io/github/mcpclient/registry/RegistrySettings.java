package io.github.mcpclient.registry;

import java.time.Duration;

import io.github.mcpclient.tool.ToolSettings;

/**
 * How the registry connects, and what it offers.
 *
 * @param lazy whether servers connect at their first use rather than at the start
 * @param startupWait how long the start waits for the first attempts to end
 * @param tools the rules for the tools of all servers
 */
public record RegistrySettings(boolean lazy, Duration startupWait, ToolSettings tools) {
}
