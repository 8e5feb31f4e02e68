package io.github.mcpclient.tool;

import io.github.mcpclient.connection.McpConnection;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import io.modelcontextprotocol.spec.McpSchema.ToolAnnotations;

/**
 * One tool as a server listed it, with the connection that reaches it. There is one only
 * for a tool that passed all rules, so that none is checked on the way of a call; the
 * same one as long as the server lists the same tool.
 *
 * @param names the names of the tool
 * @param connection the connection to the server
 * @param tool what the server said
 * @param repeatable whether the tool says that calling it twice does no harm
 */
record ToolEntry(ToolNames names, McpConnection connection, Tool tool, boolean repeatable) {

	static ToolEntry of(ToolNames names, McpConnection connection, Tool tool) {
		return new ToolEntry(names, connection, tool, isRepeatable(tool.annotations()));
	}

	String name() {
		return this.names.prefixed();
	}

	String serverName() {
		return this.connection.name();
	}

	boolean isSameTool(ToolEntry other) {
		return serverName().equals(other.serverName()) && this.tool.name().equals(other.tool.name());
	}

	private static boolean isRepeatable(ToolAnnotations hints) {
		return hints != null
				&& (Boolean.TRUE.equals(hints.readOnlyHint()) || Boolean.TRUE.equals(hints.idempotentHint()));
	}

}
