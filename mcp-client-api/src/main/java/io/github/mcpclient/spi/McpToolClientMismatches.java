package io.github.mcpclient.spi;

import java.util.List;

import io.github.mcpclient.event.McpToolClientMismatchEvent;

/**
 * Tells in what declared clients do not match their servers. Actuator and the console
 * show what the bean of this type tells. Must be safe for use by many threads.
 */
@FunctionalInterface
public interface McpToolClientMismatches {

	/**
	 * Return the latest event of each client that does not match its server now. Must not
	 * block.
	 */
	List<McpToolClientMismatchEvent> mismatches();

}
