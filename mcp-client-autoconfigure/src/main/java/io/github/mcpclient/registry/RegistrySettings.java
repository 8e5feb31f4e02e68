package io.github.mcpclient.registry;

import java.time.Duration;

import io.github.mcpclient.tool.ToolSettings;

/**
 * Whether servers connect on first use, how long the start waits for first attempts to
 * connect, and the rules for the tools of all servers.
 */
public record RegistrySettings(boolean lazy, Duration startupWait, ToolSettings tools) {
}
