package io.github.mcpclient.registry;

import java.time.Duration;
import java.util.List;

import io.github.mcpclient.McpServerDefinition;
import io.github.mcpclient.config.McpServerDefinitions;

/**
 * The servers at the start, in order; what prepares those that are added later; whether
 * servers connect on first use, and how long the start waits for first attempts.
 */
public record RegistrySettings(List<McpServerDefinition> servers, McpServerDefinitions definitions, boolean lazy,
		Duration startupWait) {
}
