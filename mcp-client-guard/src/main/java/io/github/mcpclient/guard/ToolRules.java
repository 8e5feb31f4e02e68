package io.github.mcpclient.guard;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.definition.McpServerDefinition.Tools;
import io.github.mcpclient.definition.McpToolRule;
import io.github.mcpclient.definition.McpToolRule.Approval;
import io.github.mcpclient.internal.support.PropertyNames;
import io.github.mcpclient.internal.support.Records;
import io.github.mcpclient.spi.McpToolListingCustomizer.ListedTool;
import org.jspecify.annotations.Nullable;

/**
 * The rules for single tools of a server, merged once for all tools that match the same
 * rules. Safe for use by many threads.
 */
final class ToolRules {

	private final Tools settings;

	private final List<Rule> all;

	private final Map<List<McpToolRule>, McpToolRule> merged = new ConcurrentHashMap<>();

	ToolRules(Tools settings) {
		this.settings = settings;
		this.all = Stream
			.concat(settings.defaultRules().stream().map((rule) -> new Rule(rule, true)),
					settings.rules().stream().map((rule) -> new Rule(rule, false)))
			.toList();
	}

	static boolean isRuled(McpServerDefinition server) {
		return !server.tools().defaultRules().isEmpty() || !server.tools().rules().isEmpty();
	}

	Tools settings() {
		return this.settings;
	}

	/**
	 * Return whether results of tools are cached.
	 */
	boolean isCached() {
		return this.all.stream().anyMatch((rule) -> rule.rule.cache() != null);
	}

	/**
	 * Return the merged rules of a tool, or {@code null} if it has none.
	 */
	@Nullable McpToolRule of(ListedTool tool) {
		return careful(rule(tool, false), rule(tool, true));
	}

	/**
	 * Return the property with the timeout of a tool, from the last matching rule.
	 */
	@Nullable String timeoutSetting(ListedTool tool, McpToolRule merged) {
		if (merged.timeout() == null) {
			return null;
		}
		int index = this.all.size() - 1;
		while (index > 0 && (!merged.timeout().equals(this.all.get(index).rule.timeout())
				|| !tool.matches(this.all.get(index).rule.tools()))) {
			index--;
		}
		int shared = this.settings.defaultRules().size();
		return (index < shared) ? "mcp.defaults.tools.rules[" + index + "].timeout" : PropertyNames
			.ofServer(tool.listing().definition().name(), "tools.rules[" + (index - shared) + "].timeout");
	}

	// the rules of a server apply to its own tools, regardless of their names
	private @Nullable McpToolRule rule(ListedTool tool, boolean forSure) {
		List<McpToolRule> matching = this.all.stream()
			.filter((rule) -> (forSure && rule.shared) ? tool.matchesForSure(rule.rule.tools())
					: tool.matches(rule.rule.tools()))
			.map(Rule::rule)
			.toList();
		return matching.isEmpty() ? null : this.merged.computeIfAbsent(matching, ToolRules::merged);
	}

	private static McpToolRule merged(List<McpToolRule> rules) {
		return rules.stream().reduce((before, rule) -> Records.merge(rule, before)).orElseThrow();
	}

	// a rule of all servers may match a tool of another server: the stricter approval
	// applies
	private static @Nullable McpToolRule careful(@Nullable McpToolRule matching, @Nullable McpToolRule certain) {
		if (matching == null || certain == null || matching == certain) {
			return (matching != null) ? matching : certain;
		}
		Approval approval = certain.approval();
		boolean stricter = approval != null
				&& (matching.approval() == null || approval.compareTo(matching.approval()) > 0);
		return stricter ? Records.merge(certain, matching) : Records.merge(matching, certain);
	}

	private record Rule(McpToolRule rule, boolean shared) {
	}

}
