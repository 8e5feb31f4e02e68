package io.github.mcpclient.tool;

import io.github.mcpclient.McpServer.RecentCall;
import io.github.mcpclient.connection.ToolConnection;
import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.support.Latest;

/**
 * A server whose tools are in the catalog: how it is configured now, which its connection
 * need not know, that connection, and what was called last.
 */
public record ToolServer(McpServerDefinition definition, ToolConnection connection, Latest<RecentCall> calls) {

	String name() {
		return this.definition.name();
	}

}
