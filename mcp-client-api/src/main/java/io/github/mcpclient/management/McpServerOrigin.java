package io.github.mcpclient.management;

import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.definition.McpServerDefinitionSource;
import org.jspecify.annotations.Nullable;

/**
 * The origin of a server. It stays the same when the server is
 * {@linkplain McpServerManager#replace replaced}.
 *
 * @param kind how the server was defined
 * @param location the file and line, or the property source, that names the server, or
 * {@code null} if code defines it
 * @see ManagedMcpServer#origin()
 */
public record McpServerOrigin(Kind kind, @Nullable String location) {

	/**
	 * The ways in which a server can be defined.
	 */
	public enum Kind {

		/**
		 * Properties below {@code mcp.servers}.
		 */
		CONFIGURED,

		/**
		 * An imported file, such as {@code mcp.json}.
		 */
		IMPORTED,

		/**
		 * A bean of type {@link McpServerDefinition} or
		 * {@link McpServerDefinitionSource}.
		 */
		BEAN,

		/**
		 * A call of {@link McpServerManager#add}.
		 */
		ADDED

	}

}
