package io.github.mcpclient.registry;

import java.time.Duration;

/**
 * When the registry connects.
 *
 * @param lazy whether servers connect at their first use rather than at the start
 * @param startupWait how long the start waits for the first attempts to end
 */
public record RegistrySettings(boolean lazy, Duration startupWait) {
}
