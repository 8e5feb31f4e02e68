package io.github.mcpclient.management;

import java.util.List;
import java.util.Optional;

import io.github.mcpclient.McpRequestTimeoutException;
import io.github.mcpclient.McpServer;
import io.github.mcpclient.McpServerRegistry;
import io.github.mcpclient.McpServerState;
import io.github.mcpclient.McpServerStatus;
import io.github.mcpclient.McpServerUnavailableException;
import io.github.mcpclient.NoSuchMcpServerException;
import io.github.mcpclient.definition.McpServerCustomizer;
import io.github.mcpclient.definition.McpServerDefinition;
import reactor.core.publisher.Mono;

/**
 * Adds, replaces, removes, enables and disables MCP servers while the application runs,
 * without affecting other servers, and has each of them to be managed. To use the
 * servers, see {@link McpServerRegistry}. The configuration itself does not change: after
 * a restart, the application has the configured servers again.
 *
 * <p>
 * Each change has a method that waits and one that does not: see
 * {@link io.github.mcpclient the rules for both}. A change is made at once, as a whole,
 * and goes on without whoever waits for it: to be interrupted, or to cancel a
 * subscription, ends the wait only. So does an {@link McpRequestTimeoutException}, which
 * a method that waits throws after the longest of the server's timeouts and 45 seconds. A
 * server that cannot be reached is no error: the status says so. All methods are safe for
 * use by many threads.
 *
 * <p>
 * Implemented by the client, not by applications: later versions may add methods. Tests
 * mock it, or have a scripted server of {@code mcp-client-test}.
 */
public interface McpServerManager {

	/**
	 * Return all servers, in the order of {@link McpServerRegistry#servers()}. Never
	 * blocks.
	 * @return a snapshot of which servers there are
	 */
	List<ManagedMcpServer> servers();

	/**
	 * Return the server of the given name. Never blocks.
	 * @throws NoSuchMcpServerException if there is no server of exactly that name
	 */
	ManagedMcpServer server(String name);

	/**
	 * Find the server of the given name. Never blocks.
	 * @return the server, or empty if there is none of exactly that name
	 */
	Optional<ManagedMcpServer> find(String name);

	/**
	 * Add a server after all others. It is treated like one that is configured: its
	 * definition is validated by the same rules and seen by {@link McpServerCustomizer}s,
	 * and it connects at once, unless servers connect on first use and nothing was used
	 * so far. However, {@code mcp.defaults} do not apply. Its tools are in the catalog
	 * once it is READY, and are beans soon after; where another server has a tool of the
	 * same name, the server that was defined first keeps the name.
	 *
	 * <p>
	 * Before the application has started, and while it is paused, the server is only
	 * listed; it connects when the application starts. That start fails without it if it
	 * is {@linkplain McpServerDefinition#required() required}.
	 * @return the status when the first attempt to connect has ended, successful or not,
	 * or immediately if no attempt begins
	 * @throws IllegalArgumentException if the definition is not valid, with all mistakes
	 * in the message; or if there already is a server of that name, ignoring case,
	 * {@code -}, {@code _} and {@code .}
	 * @throws IllegalStateException if the application has stopped for good, or the
	 * client is disabled
	 */
	McpServerStatus add(McpServerDefinition definition);

	/**
	 * The non-blocking form of {@link #add}.
	 */
	Mono<McpServerStatus> addAsync(McpServerDefinition definition);

	/**
	 * Give a server another definition, with other credentials for instance. The server
	 * keeps its name, its position among the servers and its {@link McpServer}. Its
	 * connection is closed: pending calls fail at once with
	 * {@link McpServerUnavailableException}. A new connection begins as with
	 * {@link #add}, even if the definition is the same, but a child process starts only
	 * after the old one has ended. The known tools stay listed, by the rules of the new
	 * definition, until the server has listed them again, and calls made meanwhile wait
	 * for the first attempt to connect; this does not apply if the new definition is not
	 * enabled. If the definitions differ in their {@linkplain McpServerDefinition#tools()
	 * tools} alone, the connection is kept, and the new rules apply at once, unless they
	 * fix other arguments, whose values are masked from the beginning of a connection.
	 * @return the status when the old connection is closed and the first attempt to
	 * connect again has ended, successful or not
	 * @throws IllegalArgumentException if the definition is not valid, with all mistakes
	 * in the message
	 * @throws NoSuchMcpServerException if there is no server of exactly that name
	 * @throws IllegalStateException if the application has stopped for good
	 */
	McpServerStatus replace(McpServerDefinition definition);

	/**
	 * The non-blocking form of {@link #replace}.
	 */
	Mono<McpServerStatus> replaceAsync(McpServerDefinition definition);

	/**
	 * Remove a server. Its tools leave the catalog at once, and their beans are hidden
	 * soon after; tools of other servers that had lost their names to its tools get them
	 * back. Pending calls fail at once with {@link McpServerUnavailableException}, and an
	 * attempt to connect is aborted. An {@link McpServer} that was obtained before is
	 * {@link McpServerState#CLOSED} from then on.
	 *
	 * <p>
	 * The end of the connection, and of a child process, is waited for, eight seconds at
	 * most.
	 * @throws NoSuchMcpServerException if there is no server of exactly that name
	 */
	void remove(String name);

	/**
	 * The non-blocking form of {@link #remove}.
	 */
	Mono<Void> removeAsync(String name);

	/**
	 * Connect a server that is {@linkplain McpServerDefinition#enabled() disabled}, as if
	 * it were {@linkplain #replace replaced} by the same definition, but enabled.
	 * {@link McpServerCustomizer}s have seen that definition, and are not asked again.
	 * Nothing happens if the server is already enabled.
	 * @return the status when the first attempt to connect has ended, successful or not,
	 * or immediately if no attempt begins
	 * @throws IllegalArgumentException if the definition is not valid, with all mistakes
	 * in the message: a disabled server may have some
	 * @throws NoSuchMcpServerException if there is no server of exactly that name
	 * @throws IllegalStateException if the application has stopped for good
	 */
	McpServerStatus enable(String name);

	/**
	 * The non-blocking form of {@link #enable}.
	 */
	Mono<McpServerStatus> enableAsync(String name);

	/**
	 * Close the connection to a server, those of its users included, until the server is
	 * {@linkplain #enable enabled} again. Pending calls fail at once with
	 * {@link McpServerUnavailableException}, and its tools leave the catalog. The server
	 * is {@link McpServerState#DISABLED} from then on, even if it is
	 * {@linkplain McpServerDefinition#required() required}; it keeps its name, its
	 * position and its {@link McpServer}. Nothing happens if the server is already
	 * disabled.
	 * @return the status when the connection is closed and a child process has ended,
	 * after eight seconds at the latest
	 * @throws NoSuchMcpServerException if there is no server of exactly that name
	 * @throws IllegalStateException if the application has stopped for good
	 */
	McpServerStatus disable(String name);

	/**
	 * The non-blocking form of {@link #disable}.
	 */
	Mono<McpServerStatus> disableAsync(String name);

}
