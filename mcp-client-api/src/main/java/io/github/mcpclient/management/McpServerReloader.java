package io.github.mcpclient.management;

import java.util.Optional;

import io.github.mcpclient.definition.InvalidMcpConfigurationException;
import io.github.mcpclient.definition.McpServerCustomizer;
import reactor.core.publisher.Mono;

/**
 * Reloads the configuration of the MCP servers while the application runs, and applies
 * the differences: servers are added, replaced and removed, and unchanged servers are not
 * affected. Pending calls of a server that is replaced or removed continue on its old
 * connection, within their timeouts. Servers that beans or {@link McpServerManager#add}
 * have added do not change. Changes that {@link McpServerManager} has made to a server
 * remain if its configuration has not changed.
 *
 * <p>
 * The complete configuration is validated first: if it contains an error, nothing
 * changes. The two forms of the method follow the rules that {@link io.github.mcpclient
 * the base package} describes. Reloads run one after another, on a dedicated thread, and
 * continue if a caller stops waiting; calls made before a reload begins share it. Before
 * the application has started, and while it is paused, servers are only listed; they
 * connect when it starts. All methods are thread-safe.
 *
 * <p>
 * Not intended to be implemented by applications, as later versions may add methods.
 */
public interface McpServerReloader {

	/**
	 * Reload the configuration. {@link McpServerCustomizer}s are applied to all
	 * definitions again.
	 * @return the changes, once the first attempts to connect added and replaced servers
	 * have ended, successful or not, and at the latest after {@code mcp.startup.wait}
	 * @throws InvalidMcpConfigurationException with all errors of the configuration
	 * @throws IllegalStateException if the configuration cannot be read, the client is
	 * disabled, or the application has stopped permanently; if code that a reload calls,
	 * such as an {@link McpServerCustomizer}, calls this method, since it would wait for
	 * its own end; if the thread is interrupted; or after two minutes. The reload
	 * continues in the last two cases
	 */
	McpReload reload();

	/**
	 * The non-blocking form of {@link #reload}.
	 */
	Mono<McpReload> reloadAsync();

	/**
	 * Return the failure of the last reload. Never blocks.
	 * @return the failure, or empty if the last reload has succeeded, or no reload has
	 * run yet
	 */
	Optional<McpReloadFailure> failure();

}
