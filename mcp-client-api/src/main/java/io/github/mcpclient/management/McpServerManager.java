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
 * without affecting other servers, and provides their management operations. To use the
 * servers, see {@link McpServerRegistry}. The configuration itself does not change: after
 * a restart, the application has the configured servers again.
 *
 * <p>
 * Each change has a method that waits and a method that does not, as
 * {@link io.github.mcpclient the base package} describes. A change is made immediately,
 * as a whole, and continues to its end: interrupting the thread, cancelling the
 * subscription, or an {@link McpRequestTimeoutException}, ends only the wait. Methods
 * that wait throw this exception after the longest of the server's timeouts and 45
 * seconds. If a server cannot be reached, no exception is thrown: the returned status
 * contains the error. All methods are thread-safe.
 *
 * <p>
 * Not intended to be implemented by applications, as later versions may add methods. In
 * tests, mock it, or use the scripted server of {@code mcp-client-test}.
 */
public interface McpServerManager {

	/**
	 * Return all servers, in the order of {@link McpServerRegistry#servers()}. Never
	 * blocks.
	 * @return a snapshot of the servers
	 */
	List<ManagedMcpServer> servers();

	/**
	 * Return the server of the given name. Never blocks.
	 * @throws NoSuchMcpServerException if there is no server of exactly that name
	 */
	ManagedMcpServer server(String name);

	/**
	 * Find the server of the given name. Never blocks.
	 * @return the server, or empty if there is no server of exactly that name
	 */
	Optional<ManagedMcpServer> find(String name);

	/**
	 * Add a server after all others. It is treated like a configured server: its
	 * definition is validated by the same rules and passed to
	 * {@link McpServerCustomizer}s, and it connects immediately, unless servers connect
	 * on first use and no server was used yet. However, {@code mcp.defaults} do not
	 * apply. Its tools are in the catalog once it is READY, and are beans soon after; if
	 * another server has a tool of the same name, the server that was defined first keeps
	 * the name.
	 *
	 * <p>
	 * Before the application has started, and while it is paused, the server is only
	 * listed; it connects when the application starts. The start then fails if the server
	 * cannot be connected and is {@linkplain McpServerDefinition#required() required}.
	 * @return the status when the first attempt to connect has ended, successful or not,
	 * or immediately if no attempt begins
	 * @throws IllegalArgumentException if the definition is not valid, with all errors in
	 * the message; or if a server of that name already exists, ignoring case, {@code -},
	 * {@code _} and {@code .}
	 * @throws IllegalStateException if the application has stopped permanently, or the
	 * client is disabled
	 */
	McpServerStatus add(McpServerDefinition definition);

	/**
	 * The non-blocking form of {@link #add}.
	 */
	Mono<McpServerStatus> addAsync(McpServerDefinition definition);

	/**
	 * Replace the definition of a server, for example with other credentials. The server
	 * keeps its name, its position among the servers and its {@link McpServer}. Its
	 * connection is closed: pending calls fail immediately with
	 * {@link McpServerUnavailableException}. The server then connects as with
	 * {@link #add}, even if the definition is the same; a child process starts only after
	 * the old one has ended. The known tools stay listed, by the rules of the new
	 * definition, until the server has listed them again, and calls until then wait for
	 * the first attempt to connect; this does not apply if the new definition is not
	 * enabled. If the definitions differ in their {@linkplain McpServerDefinition#tools()
	 * tools} alone, the connection stays open, and the new rules apply immediately,
	 * unless they set other fixed arguments: their values are masked from the beginning
	 * of a connection, so this requires a new one.
	 * @return the status when the old connection is closed and the first attempt to
	 * connect again has ended, successful or not
	 * @throws IllegalArgumentException if the definition is not valid, with all errors in
	 * the message
	 * @throws NoSuchMcpServerException if there is no server of exactly that name
	 * @throws IllegalStateException if the application has stopped permanently
	 */
	McpServerStatus replace(McpServerDefinition definition);

	/**
	 * The non-blocking form of {@link #replace}.
	 */
	Mono<McpServerStatus> replaceAsync(McpServerDefinition definition);

	/**
	 * Remove a server. Its tools leave the catalog immediately, and their beans are
	 * hidden soon after; tools of other servers that had lost their names to its tools
	 * regain them. Pending calls fail immediately with
	 * {@link McpServerUnavailableException}, and an attempt to connect is aborted. An
	 * {@link McpServer} that was obtained before is {@link McpServerState#CLOSED} from
	 * then on.
	 *
	 * <p>
	 * This method waits for the end of the connection, and of a child process, for at
	 * most eight seconds.
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
	 * {@link McpServerCustomizer}s have already been applied to that definition, and are
	 * not called again. Nothing happens if the server is already enabled.
	 * @return the status when the first attempt to connect has ended, successful or not,
	 * or immediately if no attempt begins
	 * @throws IllegalArgumentException if the definition is not valid, with all errors in
	 * the message: the definition of a disabled server may be invalid
	 * @throws NoSuchMcpServerException if there is no server of exactly that name
	 * @throws IllegalStateException if the application has stopped permanently
	 */
	McpServerStatus enable(String name);

	/**
	 * The non-blocking form of {@link #enable}.
	 */
	Mono<McpServerStatus> enableAsync(String name);

	/**
	 * Close the connection to a server, including the connections of its users, until the
	 * server is {@linkplain #enable enabled} again. Pending calls fail immediately with
	 * {@link McpServerUnavailableException}, and its tools leave the catalog. The server
	 * is {@link McpServerState#DISABLED} from then on, even if it is
	 * {@linkplain McpServerDefinition#required() required}; it keeps its name, its
	 * position and its {@link McpServer}. Nothing happens if the server is already
	 * disabled.
	 * @return the status when the connection is closed and a child process has ended,
	 * after eight seconds at the latest
	 * @throws NoSuchMcpServerException if there is no server of exactly that name
	 * @throws IllegalStateException if the application has stopped permanently
	 */
	McpServerStatus disable(String name);

	/**
	 * The non-blocking form of {@link #disable}.
	 */
	Mono<McpServerStatus> disableAsync(String name);

}
