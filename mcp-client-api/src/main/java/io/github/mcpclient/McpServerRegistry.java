package io.github.mcpclient;

import java.util.List;
import java.util.Map;
import java.util.Optional;

import io.github.mcpclient.management.McpServerManager;
import org.jspecify.annotations.Nullable;

/**
 * All MCP servers by name: the entry point for applications. Every enabled server is
 * connected when the application starts, or on first use with
 * {@code mcp.startup.mode=lazy}, and kept connected; a failure of one server affects
 * neither the others nor the application. {@link McpServerManager} changes which servers
 * there are. All methods are safe for use by many threads.
 *
 * <p>
 * Implemented by the client, not by applications: later versions may add methods. Tests
 * mock it, or have a scripted server of {@code mcp-client-test}.
 */
public interface McpServerRegistry {

	/**
	 * Return all servers, including disabled ones, in the order of their configuration,
	 * followed by those that were added. {@link McpServer#status()} returns the state of
	 * each. Never blocks.
	 * @return a snapshot of which servers there are
	 */
	List<McpServer> servers();

	/**
	 * Return the server of the given name.
	 * @throws NoSuchMcpServerException if there is no server of that name
	 */
	McpServer server(String name);

	/**
	 * Find the server of the given name.
	 * @return the server, or empty if there is none of that name
	 */
	Optional<McpServer> find(String name);

	/**
	 * Return the tools of all servers.
	 */
	McpToolCatalog tools();

	/**
	 * Call a tool by its prefixed name and wait for its result: the same as
	 * {@code tools().get(toolName).call(arguments)}.
	 * @param toolName the prefixed name, {@code <server>_<tool>}
	 * @param arguments the arguments of the tool, sent as they are; values may be
	 * {@code null}
	 * @return the result, which may be an {@linkplain McpToolResult#isError() error} that
	 * the tool reports
	 * @throws NoSuchMcpToolException if no tool of that name is known
	 * @throws McpException if the call failed, see {@link McpTool#call(Map)}
	 * @throws IllegalStateException if called on a thread that must not block
	 */
	default McpToolResult callTool(String toolName, Map<String, ? extends @Nullable Object> arguments) {
		return tools().get(toolName).call(arguments);
	}

}
