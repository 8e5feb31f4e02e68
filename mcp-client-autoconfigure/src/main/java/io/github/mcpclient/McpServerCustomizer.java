package io.github.mcpclient;

/**
 * Changes the descriptions of servers before they are used. All beans of this type see
 * each server in their order: those that are configured, those that beans add, and those
 * that are {@linkplain McpServerRegistrar#add added} or
 * {@linkplain McpServerRegistrar#replace replaced} while the application runs, on the
 * thread that does that.
 */
@FunctionalInterface
public interface McpServerCustomizer {

	/**
	 * Change the description of a server. Where it throws, or leaves a description that
	 * is not valid, the start of the application fails, or the server is not added.
	 * @param serverName the name of the server
	 * @param builder the description, with all defaults merged; its name and its type
	 * stay
	 */
	void customize(String serverName, McpServerDefinition.Builder builder);

}
