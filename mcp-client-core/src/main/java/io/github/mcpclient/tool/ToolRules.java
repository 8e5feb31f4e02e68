package io.github.mcpclient.tool;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

import io.github.mcpclient.definition.McpServerDefinition.Tools;
import io.github.mcpclient.definition.McpToolRule;
import io.github.mcpclient.support.Records;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import org.jspecify.annotations.Nullable;

/**
 * The rules for single tools of a server, which are merged once for all tools that the
 * same ones match. Safe for use by many threads.
 */
final class ToolRules {

	private static final ToolRules NONE = new ToolRules(List.of(), List.of(), RuleSteps.NONE);

	private final List<Rule> own;

	private final List<Rule> all;

	private final Map<List<McpToolRule>, McpToolRule> merged = new ConcurrentHashMap<>();

	private final RuleSteps steps;

	private final boolean cached;

	private ToolRules(List<Rule> shared, List<Rule> own, RuleSteps steps) {
		this.steps = steps;
		this.own = own;
		this.all = Stream.concat(shared.stream(), own.stream()).toList();
		this.cached = this.all.stream().anyMatch((rule) -> rule.rule.cache() != null);
	}

	static ToolRules of(Tools settings, RuleSteps steps) {
		return (settings.defaultRules().isEmpty() && settings.rules().isEmpty()) ? NONE
				: new ToolRules(rules(settings.defaultRules()), rules(settings.rules()), steps);
	}

	private static List<Rule> rules(List<McpToolRule> rules) {
		return rules.stream().map((rule) -> new Rule(rule, ToolFilter.of("tools.rules", rule.tools()))).toList();
	}

	/**
	 * Return what the rules make of a tool, or {@code null} if nothing.
	 */
	@Nullable RuledTool of(ToolNames names, ToolServer server, Tool tool) {
		if (this.all.isEmpty()) {
			return null;
		}
		List<McpToolRule> matching = this.all.stream()
			.filter((rule) -> rule.filter.refusal(names) == null)
			.map(Rule::rule)
			.toList();
		McpToolRule rule = matching.isEmpty() ? null : this.merged.computeIfAbsent(matching, ToolRules::merged);
		return RuledTool.of(server, tool, rule, this.steps, this.cached);
	}

	private static McpToolRule merged(List<McpToolRule> rules) {
		return rules.stream().reduce((before, rule) -> Records.merge(rule, before)).orElseThrow();
	}

	/**
	 * Return the patterns that match none of these tools, but for those of all servers.
	 */
	List<String> unmatched(Collection<ToolNames> tools) {
		return this.own.stream().flatMap((rule) -> rule.filter.without(tools).stream()).distinct().toList();
	}

	private record Rule(McpToolRule rule, ToolFilter filter) {
	}

}
