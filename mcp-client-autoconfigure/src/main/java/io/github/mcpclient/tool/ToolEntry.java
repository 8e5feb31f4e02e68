package io.github.mcpclient.tool;

import java.time.Duration;
import java.util.Map;

import io.github.mcpclient.McpServerDefinition.Tools;
import io.github.mcpclient.connection.McpConnection;
import io.github.mcpclient.support.Printable;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import io.modelcontextprotocol.spec.McpSchema.ToolAnnotations;
import org.jspecify.annotations.Nullable;

/**
 * One tool as a server listed it, with the connection that reaches it. There is one only
 * for a tool that passed all rules, so that none is checked on the way of a call; the
 * same one as long as the server lists the same tool.
 *
 * @param repeatable whether the tool says that calling it twice does no harm
 * @param argumentsCheck {@code null} where checking arguments is left to the server
 * @param resultCheck {@code null} where anything goes
 */
record ToolEntry(ToolNames names, McpConnection connection, Tool tool, boolean repeatable,
		@Nullable SchemaCheck argumentsCheck, @Nullable SchemaCheck resultCheck) {

	static ToolEntry of(ToolNames names, McpConnection connection, Tool tool) {
		Tools settings = connection.definition().tools();
		return new ToolEntry(names, connection, tool, isRepeatable(tool.annotations()),
				settings.validateArguments() ? check(connection, tool, "inputSchema", tool.inputSchema()) : null,
				settings.validateResults() ? check(connection, tool, "outputSchema", tool.outputSchema()) : null);
	}

	private static @Nullable SchemaCheck check(McpConnection connection, Tool tool, String name,
			@Nullable Map<String, Object> schema) {
		return (schema == null || schema.isEmpty()) ? null : new SchemaCheck(connection.name(),
				name + " of its tool '" + Printable.text(tool.name()) + "'", schema);
	}

	String name() {
		return this.names.prefixed();
	}

	String serverName() {
		return this.connection.name();
	}

	boolean isHidden() {
		Duration away = this.connection.definition().tools().hideWhenUnavailable();
		return away != null && this.connection.isAwayFor(away);
	}

	boolean isSameTool(ToolEntry other) {
		return serverName().equals(other.serverName()) && this.tool.name().equals(other.tool.name());
	}

	private static boolean isRepeatable(ToolAnnotations hints) {
		return hints != null
				&& (Boolean.TRUE.equals(hints.readOnlyHint()) || Boolean.TRUE.equals(hints.idempotentHint()));
	}

}
