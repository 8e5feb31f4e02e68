package io.github.mcpclient.definition;

import java.util.Collection;

import io.github.mcpclient.management.McpServerManager;

/**
 * Adds servers that code defines, for example from a database. Beans of this type are
 * called once, when the application starts. A single server can also be a bean of type
 * {@link McpServerDefinition}. To add and remove servers later, use
 * {@link McpServerManager}.
 */
@FunctionalInterface
public interface McpServerDefinitionSource {

	/**
	 * Return the servers to add after the configured servers. Names must be unique,
	 * ignoring case, {@code -}, {@code _} and {@code .}. Startup fails if this method
	 * throws an exception.
	 * @return the complete definitions, in order; {@code mcp.defaults} do not apply to
	 * them
	 */
	Collection<McpServerDefinition> definitions();

}
