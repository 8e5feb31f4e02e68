package io.github.mcpclient.internal.tool;

import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.internal.connection.ToolConnection;

/**
 * A server whose tools are in the catalog: how it is configured now, which its connection
 * need not know, that connection, and what is kept for it.
 */
public record ToolServer(McpServerDefinition definition, ToolConnection connection, ServerScope scope) {

	String name() {
		return this.definition.name();
	}

	/**
	 * Return whether another one has this definition and connection.
	 */
	boolean isSame(ToolServer other) {
		return other.definition == this.definition && other.connection == this.connection && other.scope == this.scope;
	}

}
