package io.github.mcpclient.spi;

import java.util.List;

import io.github.mcpclient.event.McpToolClientMismatchEvent;

/**
 * Strategy interface that provides the current mismatches between declared clients and
 * their servers. Actuator and the console show the mismatches of the bean of this type.
 * Implementations must be thread-safe.
 */
@FunctionalInterface
public interface McpToolClientMismatches {

	/**
	 * Return the latest event of each client that does not currently match its server.
	 * Must not block.
	 */
	List<McpToolClientMismatchEvent> mismatches();

}
