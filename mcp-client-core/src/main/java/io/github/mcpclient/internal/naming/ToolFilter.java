package io.github.mcpclient.internal.naming;

import java.util.Collection;
import java.util.List;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;

/**
 * Patterns that include and, with {@code !}, exclude tools: the last pattern that matches
 * a tool decides. A tool that no pattern matches is included if the first pattern
 * excludes, or there are no patterns.
 */
public record ToolFilter(String source, List<Rule> rules) {

	/**
	 * Parse valid patterns.
	 */
	public static ToolFilter of(String source, Collection<String> patterns) {
		return new ToolFilter(source, patterns.stream().map(String::strip).map(ToolFilter::rule).toList());
	}

	private static Rule rule(String pattern) {
		boolean denies = pattern.startsWith("!");
		return new Rule(pattern, denies, new Glob((denies ? pattern.substring(1) : pattern).strip()));
	}

	/**
	 * Return why a tool is excluded, or {@code null} if it is included.
	 */
	public @Nullable String refusal(ToolNames names) {
		Rule last = last((rule) -> rule.decides(names));
		if (last != null) {
			return last.denies() ? this.source + " denies it: " + last.text() : null;
		}
		return allowsOthers() ? null : this.source + " does not name it";
	}

	/**
	 * Return whether these patterns, which do not control access, match a tool.
	 * @param certainly whether to ignore a name that looks like the name of a tool of
	 * another server
	 */
	public boolean isFor(ToolNames names, boolean certainly) {
		Rule last = last((rule) -> certainly ? rule.means(names) : rule.matches(names));
		return (last != null) ? !last.denies() : allowsOthers();
	}

	private @Nullable Rule last(Predicate<Rule> matching) {
		for (int i = this.rules.size() - 1; i >= 0; i--) {
			if (matching.test(this.rules.get(i))) {
				return this.rules.get(i);
			}
		}
		return null;
	}

	private boolean allowsOthers() {
		return this.rules.isEmpty() || this.rules.get(0).denies();
	}

	/**
	 * Return the patterns without wildcards that match no tool, and may be misspelled.
	 */
	public List<String> unmatched(Collection<ToolNames> tools) {
		return without((rule) -> rule.glob().isPlain() && tools.stream().noneMatch(rule::decides));
	}

	/**
	 * Return the patterns that match no tool.
	 */
	public List<String> without(Collection<ToolNames> tools) {
		return without((rule) -> !rule.denies() && tools.stream().noneMatch(rule::matches));
	}

	private List<String> without(Predicate<Rule> patterns) {
		return this.rules.stream().filter(patterns).map(Rule::text).distinct().toList();
	}

	public boolean isEmpty() {
		return this.rules.isEmpty();
	}

	record Rule(String text, boolean denies, Glob glob) {

		// a name cannot include a tool in a selection of another server, or bypass a
		// pattern that excludes it
		private boolean decides(ToolNames names) {
			return this.denies ? matches(names) : means(names);
		}

		private boolean matches(ToolNames names) {
			return this.glob.matches(names.prefixed()) || this.glob.matches(names.original())
					|| (names.isAmbiguous() && this.glob.matches(names.plain()));
		}

		private boolean means(ToolNames names) {
			return this.glob.matches(names.prefixed()) || (!names.misleading() && this.glob.matches(names.original()));
		}

	}

}
