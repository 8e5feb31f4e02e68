package io.github.mcpclient.management;

import java.util.Optional;

import io.github.mcpclient.definition.InvalidMcpConfigurationException;
import io.github.mcpclient.definition.McpServerCustomizer;
import reactor.core.publisher.Mono;

/**
 * Reads the configuration of the MCP servers again while the application runs, and makes
 * what differs so: servers are added, replaced and removed, and all others notice
 * nothing. Pending calls of a server that is replaced or removed end on its old
 * connection, within their timeouts. Servers that beans or {@link McpServerManager#add}
 * have added stay as they are, and so does what {@link McpServerManager} has changed of a
 * server whose configuration has not.
 *
 * <p>
 * All is validated first: with a mistake, nothing changes. The method that waits and the
 * one that does not follow {@link io.github.mcpclient the rules for both}. Reloads are
 * made one after another, on a thread of their own, and go on whoever waits for them; who
 * asks while one has not begun yet shares it. Before the application has started, and
 * while it is paused, servers are only listed; they connect when it starts. All methods
 * are safe for use by many threads.
 *
 * <p>
 * Implemented by the client, not by applications: later versions may add methods.
 */
public interface McpServerReloader {

	/**
	 * Reload the configuration. {@link McpServerCustomizer}s see all definitions again.
	 * @return what has changed, once the first attempts to connect what is new have
	 * ended, successful or not, but after {@code mcp.startup.wait} at the latest
	 * @throws InvalidMcpConfigurationException with all mistakes of the configuration
	 * @throws IllegalStateException if the configuration cannot be read, the client is
	 * disabled, or the application has stopped for good; where a reload calls this, as it
	 * would wait for its own end; if the thread is interrupted; or after two minutes. The
	 * reload goes on in the last two cases
	 */
	McpReload reload();

	/**
	 * The non-blocking form of {@link #reload}.
	 */
	Mono<McpReload> reloadAsync();

	/**
	 * Return why the configuration could not be reloaded the last time. Never blocks.
	 * @return the failure, or empty if the last reload has succeeded, or there was none
	 */
	Optional<McpReloadFailure> failure();

}
