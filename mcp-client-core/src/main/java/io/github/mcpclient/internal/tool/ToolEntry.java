package io.github.mcpclient.internal.tool;

import java.time.Duration;
import java.util.Map;
import java.util.Objects;

import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.definition.McpServerDefinition.Tools;
import io.github.mcpclient.definition.McpToolRule;
import io.github.mcpclient.internal.connection.ToolConnection;
import io.github.mcpclient.internal.naming.ToolNames;
import io.github.mcpclient.internal.schema.SchemaCheck;
import io.github.mcpclient.internal.support.Printable;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import io.modelcontextprotocol.spec.McpSchema.ToolAnnotations;
import org.jspecify.annotations.Nullable;

/**
 * A tool that passed all rules, as the server listed it; the same entry as long as the
 * server lists the same tool. If values are not validated, there is no check.
 *
 * @param tool the tool as the server listed it
 * @param customized the result of the customizers
 */
record ToolEntry(ToolNames names, ToolServer server, Tool tool, CustomizedTool customized, boolean repeatable,
		@Nullable SchemaCheck argumentsCheck, @Nullable SchemaCheck resultCheck) {

	static ToolEntry of(ToolNames names, ToolServer server, Tool tool, CustomizedTool customized) {
		Tools settings = server.definition().tools();
		return new ToolEntry(names, server, tool, customized,
				isRepeatable(tool.annotations()) && isRepeatable(customized.shown().annotations()),
				settings.validateArguments() ? check(server, tool, "inputSchema", tool.inputSchema()) : null,
				settings.validateResults() ? check(server, tool, "outputSchema", tool.outputSchema()) : null);
	}

	private static @Nullable SchemaCheck check(ToolServer server, Tool tool, String name,
			@Nullable Map<String, @Nullable Object> schema) {
		return (schema == null || schema.isEmpty()) ? null
				: new SchemaCheck(server.name(), name + " of its tool '" + Printable.text(tool.name()) + "'", schema);
	}

	static @Nullable String title(Tool tool) {
		return (tool.title() == null && tool.annotations() != null) ? tool.annotations().title() : tool.title();
	}

	static Map<String, @Nullable Object> inputSchema(Tool tool) {
		Map<String, @Nullable Object> schema = tool.inputSchema();
		return (schema != null) ? schema : Map.of();
	}

	String name() {
		return this.names.prefixed();
	}

	String serverName() {
		return this.server.name();
	}

	McpServerDefinition definition() {
		return this.server.definition();
	}

	ToolConnection connection() {
		return this.server.connection();
	}

	/**
	 * Return the tool as the application and models see it.
	 */
	Tool shown() {
		return this.customized.shown();
	}

	@Nullable McpToolRule rule() {
		return this.customized.rule();
	}

	Duration timeout() {
		McpToolRule rule = rule();
		return (rule != null && rule.timeout() != null) ? rule.timeout() : definition().timeouts().request();
	}

	/**
	 * Return the time limit of a call with progress, or {@code null} if it equals
	 * {@link #timeout()}.
	 */
	@Nullable Duration maxTimeout() {
		McpToolRule rule = rule();
		Duration longest = (rule != null && rule.progressExtendsTimeoutTo() != null) ? rule.progressExtendsTimeoutTo()
				: definition().timeouts().progressExtendsTo();
		return (longest != null && longest.compareTo(timeout()) > 0) ? longest : null;
	}

	boolean isHidden() {
		Duration away = definition().tools().hideWhenUnavailable();
		return away != null && connection().isAwayFor(away);
	}

	/**
	 * Return whether this entry is unchanged for the same tool.
	 */
	boolean isFor(ToolServer server, ToolNames names, CustomizedTool customized) {
		return this.server.isSame(server) && this.names.equals(names) && this.customized.equals(customized);
	}

	boolean isSameTool(ToolEntry other) {
		return serverName().equals(other.serverName()) && this.tool.name().equals(other.tool.name());
	}

	/**
	 * Return whether another entry is for the same tool, with the same rules.
	 */
	boolean isStill(@Nullable ToolEntry other) {
		return other == this || (other != null && isSameTool(other) && other.tool.equals(this.tool)
				&& Objects.equals(other.rule(), rule()));
	}

	private static boolean isRepeatable(ToolAnnotations hints) {
		return hints != null
				&& (Boolean.TRUE.equals(hints.readOnlyHint()) || Boolean.TRUE.equals(hints.idempotentHint()));
	}

}
