package io.github.mcpclient.tool;

import java.util.Collection;
import java.util.List;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;

/**
 * Patterns that allow and, with {@code !}, deny: the last one that matches a tool
 * decides. A tool that none matches is allowed if the first pattern denies, or there is
 * none.
 */
record ToolFilter(String source, List<Rule> rules) {

	/**
	 * Parse patterns, which are valid.
	 */
	static ToolFilter of(String source, Collection<String> patterns) {
		return new ToolFilter(source, patterns.stream().map(String::strip).map(ToolFilter::rule).toList());
	}

	private static Rule rule(String pattern) {
		boolean denies = pattern.startsWith("!");
		return new Rule(pattern, denies, new Glob((denies ? pattern.substring(1) : pattern).strip()));
	}

	/**
	 * Return why a tool is left out, or {@code null} if it is allowed.
	 */
	@Nullable String refusal(ToolNames names) {
		for (int i = this.rules.size() - 1; i >= 0; i--) {
			Rule rule = this.rules.get(i);
			if (rule.matches(names)) {
				return rule.denies() ? this.source + " denies it: " + rule.text() : null;
			}
		}
		boolean allows = this.rules.isEmpty() || this.rules.get(0).denies();
		return allows ? null : this.source + " does not name it";
	}

	/**
	 * Return the patterns without wildcards that no tool matches, which may be misspelt.
	 */
	List<String> unmatched(Collection<ToolNames> tools) {
		return without(tools, (rule) -> rule.glob().isPlain());
	}

	/**
	 * Return the patterns that allow no tool.
	 */
	List<String> without(Collection<ToolNames> tools) {
		return without(tools, (rule) -> !rule.denies());
	}

	private List<String> without(Collection<ToolNames> tools, Predicate<Rule> patterns) {
		return this.rules.stream()
			.filter((rule) -> patterns.test(rule) && tools.stream().noneMatch(rule::matches))
			.map(Rule::text)
			.distinct()
			.toList();
	}

	boolean isEmpty() {
		return this.rules.isEmpty();
	}

	record Rule(String text, boolean denies, Glob glob) {

		private boolean matches(ToolNames names) {
			return this.glob.matches(names.prefixed())
					|| ((this.denies || !names.misleading()) && this.glob.matches(names.original()));
		}

	}

}
