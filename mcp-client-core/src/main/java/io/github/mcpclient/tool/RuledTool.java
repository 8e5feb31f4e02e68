package io.github.mcpclient.tool;

import java.util.List;

import io.github.mcpclient.McpToolInterceptor;
import io.github.mcpclient.definition.McpToolRule;
import io.github.mcpclient.support.Records;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import io.modelcontextprotocol.spec.McpSchema.ToolAnnotations;
import org.jspecify.annotations.Nullable;

/**
 * What rules make of a tool.
 *
 * @param shown what the application and models see
 * @param rule what the rules come to, or {@code null} if it is only there for others
 * @param timeoutSetting the property of the rule that has the timeout, if one does
 * @param interceptors what is done with each call
 */
record RuledTool(Tool shown, @Nullable McpToolRule rule, @Nullable String timeoutSetting,
		List<McpToolInterceptor> interceptors) {

	/**
	 * Return what a rule makes of a tool, or {@code null} if nothing.
	 */
	static @Nullable RuledTool of(ToolServer server, Tool tool, @Nullable McpToolRule rule,
			@Nullable String timeoutSetting, RuleInterceptors interceptors, boolean cached) {
		Tool shown = (rule != null) ? shown(tool, rule) : tool;
		List<McpToolInterceptor> all = interceptors.of(server.scope().calls(), tool, shown, rule, cached);
		return (rule != null || !all.isEmpty()) ? new RuledTool(shown, rule, timeoutSetting, all) : null;
	}

	private static Tool shown(Tool tool, McpToolRule rule) {
		return new Tool(tool.name(), (rule.title() != null) ? rule.title() : tool.title(),
				(rule.description() != null) ? rule.description() : tool.description(),
				ArgumentsInterceptor.isNeeded(rule) ? ArgumentsInterceptor.of(tool, rule).schema(tool.inputSchema())
						: tool.inputSchema(),
				tool.outputSchema(), annotations(tool.annotations(), rule.annotations()), tool.meta(), tool.icons());
	}

	private static @Nullable ToolAnnotations annotations(@Nullable ToolAnnotations ofServer,
			@Nullable ToolAnnotations ofRule) {
		return (ofServer == null || ofRule == null) ? ((ofRule != null) ? ofRule : ofServer)
				: Records.merge(ofRule, ofServer);
	}

}
