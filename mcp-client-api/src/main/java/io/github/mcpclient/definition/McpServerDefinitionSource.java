package io.github.mcpclient.definition;

import java.util.Collection;

import io.github.mcpclient.management.McpServerManager;

/**
 * Adds servers that are not configured but known to code, from a database for instance.
 * Beans of this type are asked once, when the application starts. A single server can
 * also be a bean of type {@link McpServerDefinition}. To add and remove servers later,
 * use {@link McpServerManager}.
 */
@FunctionalInterface
public interface McpServerDefinitionSource {

	/**
	 * Return the servers to add after those that are configured. No two servers may have
	 * the same name, ignoring case, {@code -}, {@code _} and {@code .}. Startup fails if
	 * this throws.
	 * @return the servers, complete and in order; {@code mcp.defaults} do not apply to
	 * them
	 */
	Collection<McpServerDefinition> definitions();

}
