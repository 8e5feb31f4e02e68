package io.github.mcpclient;

import java.util.List;
import java.util.Map;
import java.util.Optional;

import reactor.core.publisher.Mono;

/**
 * All MCP servers, by name: the entry point for applications. The registry connects every
 * enabled server when the application starts and keeps it connected; no failure of one
 * server reaches another or the application. Servers can be added, replaced and removed
 * while the application runs. All methods are safe for use by many threads.
 */
public interface McpServerRegistry {

	/**
	 * Return a snapshot of all servers, the disabled ones included, in the order of their
	 * configuration, and then of being added. Never blocks.
	 * @return the status of each server
	 */
	List<McpServerStatus> servers();

	/**
	 * Return the server of the given name.
	 * @param name the configured name
	 * @return the server
	 * @throws NoSuchMcpServerException if no server of that name is configured
	 */
	McpServer server(String name);

	/**
	 * Find the server of the given name.
	 * @param name the configured name
	 * @return the server, or empty where none of that name is configured
	 */
	Optional<McpServer> find(String name);

	/**
	 * Return the tools of all servers.
	 * @return the live catalog
	 */
	McpToolCatalog tools();

	/**
	 * Call a tool by its prefixed name and wait for its result.
	 * @param toolName the prefixed name, {@code <server>_<tool>}
	 * @param arguments the arguments of the tool
	 * @return the result, which may be an {@linkplain McpToolResult#isError() error} of
	 * the tool itself
	 * @throws NoSuchMcpToolException if no tool of that name is known
	 * @throws McpException if the call failed, see {@link McpTool#call(Map)}
	 */
	McpToolResult callTool(String toolName, Map<String, Object> arguments);

	/**
	 * Add a server while the application runs, after all others. It is like one that is
	 * configured: the same rules hold for its definition, {@link McpServerCustomizer}s
	 * see it, and it connects at once, unless servers connect at their first use and
	 * nothing was used so far. Only the settings at {@code mcp.defaults} do not hold for
	 * it. Its tools are in the catalog once it is READY, and are beans soon after; where
	 * a name is that of another server's tool, the server that came first keeps it.
	 *
	 * <p>
	 * Before the application has started, and while it is paused, the server is listed,
	 * and connects when it starts. From then on it counts like any other: an application
	 * that is paused does not start again without it if it is
	 * {@linkplain McpServerDefinition#required() required}.
	 *
	 * <p>
	 * Never waits for a server, and may be called on any thread, one that must not block
	 * included.
	 * @param definition the server
	 * @return the status when the first attempt to connect has ended, well or not, or now
	 * where none begins. Never an error; the attempt goes on whether or not this is
	 * subscribed to. May signal on a thread that must not block
	 * @throws IllegalArgumentException with all mistakes in the definition; or where
	 * there is a server of that name, without regard to case, {@code -}, {@code _} and
	 * {@code .}
	 * @throws IllegalStateException if the application has stopped for good
	 */
	Mono<McpServerStatus> add(McpServerDefinition definition);

	/**
	 * Give a server another definition while the application runs: other credentials for
	 * instance. The server keeps its name, its place among the servers, and the
	 * {@link McpServer} that stands for it. Its connection is closed: calls that are
	 * under way fail at once with {@link McpServerUnavailableException}. A new connection
	 * begins as with {@link #add}, even where the definition is the same; a child process
	 * only after the old one has ended. The tools known so far stay listed, by the rules
	 * of the new definition, until the server has listed them anew, and calls made
	 * meanwhile wait for the first attempt to connect; not so where the new definition is
	 * not enabled.
	 *
	 * <p>
	 * Never waits for a server, and may be called on any thread, one that must not block
	 * included.
	 * @param definition the server
	 * @return the status when the old connection is closed and the first attempt to
	 * connect anew has ended, well or not. Never an error; all goes on whether or not
	 * this is subscribed to. May signal on a thread that must not block
	 * @throws IllegalArgumentException with all mistakes in the definition
	 * @throws NoSuchMcpServerException if there is no server of exactly that name
	 * @throws IllegalStateException if the application has stopped for good
	 */
	Mono<McpServerStatus> replace(McpServerDefinition definition);

	/**
	 * Remove a server while the application runs. Its tools go from the catalog at once,
	 * and their beans are hidden soon after. Calls that are under way fail at once with
	 * {@link McpServerUnavailableException}, and an attempt to connect ends. Tools of
	 * other servers that had to give way to its tools take their names. A
	 * {@link McpServer} that was obtained before is {@link McpServerState#CLOSED} from
	 * then on. What is configured is not changed: the next start of the application has
	 * the server again.
	 *
	 * <p>
	 * Never waits for a server, and may be called on any thread, one that must not block
	 * included.
	 * @param name the name of the server
	 * @return completes when the connection is closed and a child process has ended,
	 * after eight seconds at the latest. Never an error; all goes on whether or not this
	 * is subscribed to. May signal on a thread that must not block
	 * @throws NoSuchMcpServerException if there is no server of exactly that name
	 */
	Mono<Void> remove(String name);

}
