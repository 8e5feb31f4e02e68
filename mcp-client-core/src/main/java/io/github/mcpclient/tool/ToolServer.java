package io.github.mcpclient.tool;

import io.github.mcpclient.connection.ToolConnection;
import io.github.mcpclient.definition.McpServerDefinition;

/**
 * A server whose tools are in the catalog: how it is configured now, which its connection
 * need not know, and that connection.
 */
public record ToolServer(McpServerDefinition definition, ToolConnection connection) {

	String name() {
		return this.definition.name();
	}

}
