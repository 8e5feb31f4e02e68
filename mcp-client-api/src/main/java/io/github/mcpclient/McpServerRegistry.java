package io.github.mcpclient;

import java.util.List;
import java.util.Map;
import java.util.Optional;

import io.github.mcpclient.management.McpServerManager;
import org.jspecify.annotations.Nullable;

/**
 * All MCP servers by name: the entry point for applications. The client connects every
 * enabled server when the application starts, or on first use with
 * {@code mcp.startup.mode=lazy}, and reconnects it when the connection is lost. A failure
 * of one server affects neither the other servers nor the application. To add or remove
 * servers, use {@link McpServerManager}. All methods are thread-safe.
 *
 * <p>
 * Not intended to be implemented by applications, as later versions may add methods. In
 * tests, mock it, or use the scripted server of {@code mcp-client-test}.
 */
public interface McpServerRegistry {

	/**
	 * Return all servers, including disabled ones: first the configured servers in their
	 * order, then the added ones. {@link McpServer#status()} returns the state of each.
	 * Never blocks.
	 * @return a snapshot of the servers
	 */
	List<McpServer> servers();

	/**
	 * Return the server of the given name.
	 * @throws NoSuchMcpServerException if there is no server of that name
	 */
	McpServer server(String name);

	/**
	 * Find the server of the given name.
	 * @return the server, or empty if there is no server of that name
	 */
	Optional<McpServer> find(String name);

	/**
	 * Return the tools of all servers.
	 */
	McpToolCatalog tools();

	/**
	 * Call a tool by its prefixed name and wait for its result. Same as
	 * {@code tools().get(toolName).call(arguments)}.
	 * @param toolName the prefixed name, {@code <server>_<tool>}
	 * @param arguments the arguments of the tool, sent unchanged; values may be
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
