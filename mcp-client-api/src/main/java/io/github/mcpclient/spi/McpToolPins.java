package io.github.mcpclient.spi;

import java.util.List;
import java.util.Map;

import io.github.mcpclient.management.ManagedMcpServer;
import io.github.mcpclient.management.McpToolPin;
import io.github.mcpclient.spi.McpToolListingCustomizer.Listing;
import reactor.core.publisher.Mono;

/**
 * Additional interface for a {@link McpToolListingCustomizer} that compares the
 * definitions of tools with approved ones. Implementations must be thread-safe.
 */
public interface McpToolPins {

	/**
	 * Return the result for {@link ManagedMcpServer#toolPins()}. Must not block.
	 * @param listing the current listing
	 */
	List<McpToolPin> pins(Listing listing);

	/**
	 * Approve tools, see {@link ManagedMcpServer#approveTools}.
	 * @param listing the current listing
	 * @param hashes the hash of each tool
	 * @return approves the tools when subscribed to, and completes when they are in use
	 * @throws IllegalArgumentException if the server does not currently list all of these
	 * tools with these hashes
	 */
	Mono<Void> approve(Listing listing, Map<String, String> hashes);

}
