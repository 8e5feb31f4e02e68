package io.github.mcpclient.spi;

import java.util.List;
import java.util.Map;

import io.github.mcpclient.management.ManagedMcpServer;
import io.github.mcpclient.management.McpToolPin;
import io.github.mcpclient.spi.McpToolListingCustomizer.Listing;
import reactor.core.publisher.Mono;

/**
 * What a {@link McpToolListingCustomizer} implements, too, if it compares the definitions
 * of tools with approved ones. Must be safe for use by many threads.
 */
public interface McpToolPins {

	/**
	 * Return what {@link ManagedMcpServer#toolPins()} does. Must not block.
	 * @param listing the present one
	 */
	List<McpToolPin> pins(Listing listing);

	/**
	 * Approve tools as {@link ManagedMcpServer#approveTools} does.
	 * @param listing the present one
	 * @param hashes the hash of each tool
	 * @return approves them for its subscription; completes when the tools are in use
	 * @throws IllegalArgumentException if the server does not list all of these tools
	 * with these hashes now
	 */
	Mono<Void> approve(Listing listing, Map<String, String> hashes);

}
