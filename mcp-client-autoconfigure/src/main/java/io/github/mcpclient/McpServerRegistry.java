package io.github.mcpclient;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * All configured MCP servers, by name: the entry point for applications. The registry
 * connects every enabled server when the application starts and keeps it connected; no
 * failure of one server reaches another or the application. All methods are safe for use
 * by many threads.
 */
public interface McpServerRegistry {

	/**
	 * Return a snapshot of all servers, the disabled ones included, in the order of their
	 * configuration. Never blocks.
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

}
