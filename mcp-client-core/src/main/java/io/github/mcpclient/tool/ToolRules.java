package io.github.mcpclient.tool;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

import io.github.mcpclient.definition.McpServerDefinition.Tools;
import io.github.mcpclient.definition.McpToolRule;
import io.github.mcpclient.definition.McpToolRule.Approval;
import io.github.mcpclient.support.PropertyNames;
import io.github.mcpclient.support.Records;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import org.jspecify.annotations.Nullable;

/**
 * The rules for single tools of a server, which are merged once for all tools that the
 * same ones match. Safe for use by many threads.
 */
final class ToolRules {

	private static final ToolRules NONE = new ToolRules(List.of(), List.of(), RuleInterceptors.NONE);

	private final List<Rule> own;

	private final List<Rule> all;

	private final Map<List<McpToolRule>, McpToolRule> merged = new ConcurrentHashMap<>();

	private final RuleInterceptors interceptors;

	private final boolean cached;

	private ToolRules(List<Rule> shared, List<Rule> own, RuleInterceptors interceptors) {
		this.interceptors = interceptors;
		this.own = own;
		this.all = Stream.concat(shared.stream(), own.stream()).toList();
		this.cached = this.all.stream().anyMatch((rule) -> rule.rule.cache() != null);
	}

	static ToolRules of(Tools settings, RuleInterceptors interceptors) {
		return (settings.defaultRules().isEmpty() && settings.rules().isEmpty()) ? NONE
				: new ToolRules(rules(settings.defaultRules(), true), rules(settings.rules(), false), interceptors);
	}

	private static List<Rule> rules(List<McpToolRule> rules, boolean shared) {
		return rules.stream()
			.map((rule) -> new Rule(rule, ToolFilter.of("tools.rules", rule.tools()), shared))
			.toList();
	}

	/**
	 * Return what the rules make of a tool, or {@code null} if nothing.
	 */
	@Nullable RuledTool of(ToolNames names, ToolServer server, Tool tool) {
		if (this.all.isEmpty()) {
			return null;
		}
		McpToolRule rule = rule(names, false);
		if (names.isAmbiguous()) {
			rule = careful(rule, rule(names, true));
		}
		return RuledTool.of(server, tool, rule, timeoutSetting(server.name(), names, rule), this.interceptors,
				this.cached);
	}

	// the last one decides
	private @Nullable String timeoutSetting(String server, ToolNames names, @Nullable McpToolRule merged) {
		if (merged == null || merged.timeout() == null) {
			return null;
		}
		int index = this.all.size() - 1;
		while (index > 0 && (!merged.timeout().equals(this.all.get(index).rule.timeout())
				|| !this.all.get(index).filter.isFor(names, false))) {
			index--;
		}
		int shared = this.all.size() - this.own.size();
		return (index < shared) ? "mcp.defaults.tools.rules[" + index + "].timeout"
				: PropertyNames.ofServer(server, "tools.rules[" + (index - shared) + "].timeout");
	}

	// the rules of a server are for its own tools, whatever these are called
	private @Nullable McpToolRule rule(ToolNames names, boolean certainly) {
		List<McpToolRule> matching = this.all.stream()
			.filter((rule) -> rule.filter.isFor(names, certainly && rule.shared))
			.map(Rule::rule)
			.toList();
		return matching.isEmpty() ? null : this.merged.computeIfAbsent(matching, ToolRules::merged);
	}

	private static McpToolRule merged(List<McpToolRule> rules) {
		return rules.stream().reduce((before, rule) -> Records.merge(rule, before)).orElseThrow();
	}

	// a rule of all servers may mean a tool of another one: the approval is what either
	// asks for
	private static @Nullable McpToolRule careful(@Nullable McpToolRule matching, @Nullable McpToolRule certain) {
		if (matching == null || certain == null) {
			return (matching != null) ? matching : certain;
		}
		Approval approval = certain.approval();
		boolean stricter = approval != null
				&& (matching.approval() == null || approval.compareTo(matching.approval()) > 0);
		return stricter ? Records.merge(certain, matching) : Records.merge(matching, certain);
	}

	/**
	 * Return the patterns that match none of these tools, but for those of all servers.
	 */
	List<String> unmatched(Collection<ToolNames> tools) {
		return this.own.stream().flatMap((rule) -> rule.filter.without(tools).stream()).distinct().toList();
	}

	private record Rule(McpToolRule rule, ToolFilter filter, boolean shared) {
	}

}
