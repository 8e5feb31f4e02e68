package io.github.mcpclient;

import java.util.Collection;

/**
 * Adds servers that are not configured but known to code, from a database for instance. A
 * bean of this type is asked once, when the application starts; a single server can be a
 * bean of type {@link McpServerDefinition} as well. Servers that come and go later are
 * those of {@link McpServerRegistry}.
 */
@FunctionalInterface
public interface McpServerDefinitionSource {

	/**
	 * Return the servers to add, after those that are configured. No two servers of the
	 * application may have the same name, without regard to case, {@code -}, {@code _}
	 * and {@code .}. Fails the start of the application where it throws.
	 * @return the servers, complete and in order; the settings at {@code mcp.defaults} do
	 * not hold for them
	 */
	Collection<McpServerDefinition> definitions();

}
