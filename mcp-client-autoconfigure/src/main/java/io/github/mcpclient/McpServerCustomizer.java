package io.github.mcpclient;

/**
 * Changes the descriptions of servers before they are used. All beans of this type see
 * each server that is configured, or that beans add, in their order. They do not see
 * servers that are {@linkplain McpServerRegistry added while the application runs}.
 */
@FunctionalInterface
public interface McpServerCustomizer {

	/**
	 * Change the description of a server. Fails the start of the application where it
	 * throws.
	 * @param serverName the name of the server
	 * @param builder the description, with all defaults merged; its name and its type
	 * stay
	 */
	void customize(String serverName, McpServerDefinition.Builder builder);

}
