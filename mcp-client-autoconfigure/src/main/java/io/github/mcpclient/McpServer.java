package io.github.mcpclient;

import java.util.List;

import reactor.core.publisher.Mono;

/**
 * One configured MCP server. A handle stays valid for as long as the server is
 * configured, across any number of reconnects. All methods are safe for use by many
 * threads.
 *
 * @see McpServerRegistry#server(String)
 */
public interface McpServer {

	/**
	 * Return the configured name.
	 * @return the name
	 */
	String name();

	/**
	 * Return a snapshot of the state of this server. Never blocks.
	 * @return the status
	 */
	McpServerStatus status();

	/**
	 * Return the tools of this server that the application may call, sorted by name. They
	 * stay listed while the server is unavailable. Never blocks.
	 * @return a snapshot of the tools
	 */
	List<McpTool> tools();

	/**
	 * Return the tools that the server offers but that are not listed in
	 * {@link #tools()}, or have no bean, each with the reason. A name in
	 * {@code tools.filter} that no tool has is listed, too: it may be misspelt.
	 * @return a snapshot of the tools left out
	 */
	List<ExcludedTool> excludedTools();

	/**
	 * Drop the present connection, if any, and connect anew without waiting for the next
	 * planned attempt. Starts at once, whether or not the result is subscribed to;
	 * requests made while an attempt is under way join it.
	 * @return the status when the attempt has ended, well or not; never an error
	 */
	Mono<McpServerStatus> reconnect();

	/**
	 * List the tools of the server anew. Starts at once, whether or not the result is
	 * subscribed to. A refresh that fails keeps the tools known so far.
	 * @return the status when the listing has ended; fails with
	 * {@link McpServerUnavailableException} where the server is not connected, and with
	 * another {@link McpException} where the listing failed
	 */
	Mono<McpServerStatus> refresh();

	/**
	 * A tool that the server offers and that the application does not get, or not as a
	 * bean.
	 *
	 * @param originalName the name that the server gives to the tool, or the entry of
	 * {@code tools.filter}
	 * @param reason why the tool is left out
	 */
	record ExcludedTool(String originalName, String reason) {
	}

}
