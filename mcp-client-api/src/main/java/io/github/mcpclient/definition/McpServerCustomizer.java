package io.github.mcpclient.definition;

import io.github.mcpclient.management.McpServerManager;

/**
 * Customizes the definitions of servers before they are used. All beans of this type are
 * called for every server, in {@code @Order} order: for configured servers, for servers
 * that beans add, and for servers that are {@linkplain McpServerManager#add added} or
 * {@linkplain McpServerManager#replace replaced} while the application runs, on the
 * thread that adds or replaces them.
 */
@FunctionalInterface
public interface McpServerCustomizer {

	/**
	 * Customize the definition of a server. If this method throws an exception, or the
	 * result is not valid, startup fails, or the server is not added or replaced.
	 * @param builder the definition with all defaults merged; its name and type cannot be
	 * changed
	 */
	void customize(String serverName, McpServerDefinitionBuilder builder);

}
