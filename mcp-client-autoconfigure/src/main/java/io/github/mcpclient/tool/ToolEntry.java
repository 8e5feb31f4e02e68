package io.github.mcpclient.tool;

import io.github.mcpclient.connection.McpConnection;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import io.modelcontextprotocol.spec.McpSchema.ToolAnnotations;

/**
 * One tool as a server listed it, with the connection that reaches it.
 *
 * @param name the prefixed name
 * @param connection the connection to the server
 * @param tool what the server said
 * @param repeatable whether the tool says that calling it twice does no harm
 */
record ToolEntry(String name, McpConnection connection, Tool tool, boolean repeatable) {

	static ToolEntry of(McpConnection connection, Tool tool) {
		return new ToolEntry(ToolNaming.prefixedName(connection.name(), tool.name()), connection, tool,
				isRepeatable(tool.annotations()));
	}

	private static boolean isRepeatable(ToolAnnotations hints) {
		return hints != null
				&& (Boolean.TRUE.equals(hints.readOnlyHint()) || Boolean.TRUE.equals(hints.idempotentHint()));
	}

}
