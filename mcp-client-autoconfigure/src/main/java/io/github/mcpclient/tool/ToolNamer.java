package io.github.mcpclient.tool;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.github.mcpclient.McpServerDefinition;
import io.github.mcpclient.McpToolNamingStrategy;
import io.github.mcpclient.support.Printable;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import org.jspecify.annotations.Nullable;

/**
 * Names the tools of one server. The original names are remote input, and the strategy
 * may be the application's: both are checked.
 */
record ToolNamer(McpServerDefinition server, @Nullable McpToolNamingStrategy strategy, ServerHeads heads) {

	/**
	 * Twice what the specification recommends.
	 */
	static final int MAX_ORIGINAL_NAME = 256;

	/**
	 * Return the default names that more than one tool would have.
	 */
	Set<String> shared(List<Tool> tools) {
		Map<String, String> originals = new HashMap<>();
		Set<String> shared = new HashSet<>();
		for (Tool tool : (this.strategy != null) ? List.<Tool>of() : tools) {
			if (tool.name().length() <= MAX_ORIGINAL_NAME) {
				String name = defaultName(tool.name(), false);
				String first = originals.putIfAbsent(name, tool.name());
				if (first != null && !first.equals(tool.name())) {
					shared.add(name);
				}
			}
		}
		return shared;
	}

	/**
	 * Name a tool, which may have names at present. If tool and server are unchanged
	 * since, the strategy is not asked.
	 */
	ToolNames name(Tool tool, Set<String> shared, @Nullable ToolNames present, boolean unchanged)
			throws UnusableNameException {
		String presentName = (present != null) ? present.prefixed() : null;
		String name = (presentName != null && unchanged && this.strategy != null) ? presentName
				: name(tool, shared, presentName);
		return new ToolNames(name, tool.name(), isMisleading(tool.name()));
	}

	private String name(Tool tool, Set<String> shared, @Nullable String present) throws UnusableNameException {
		String original = tool.name();
		if (original.isBlank()) {
			throw new UnusableNameException("it has no name");
		}
		if (original.length() > MAX_ORIGINAL_NAME) {
			throw new UnusableNameException(
					"its name has " + original.length() + " characters, more than " + MAX_ORIGINAL_NAME);
		}
		return (this.strategy != null) ? strategyName(this.strategy, tool) : defaultName(original, shared, present);
	}

	private String strategyName(McpToolNamingStrategy strategy, Tool tool) throws UnusableNameException {
		String name;
		try {
			name = strategy.toolName(this.server, tool);
		}
		catch (Throwable ex) {
			throw new UnusableNameException("the McpToolNamingStrategy failed: " + Printable.text(ex.toString()));
		}
		if (name == null || name.isBlank()) {
			throw new UnusableNameException("the McpToolNamingStrategy gave it no name");
		}
		// Bean factories give a meaning to the ampersand
		if (name.charAt(0) == '&' || name.chars().anyMatch(Character::isISOControl)) {
			throw new UnusableNameException(
					"the McpToolNamingStrategy gave it a name that begins with '&' or has control characters: "
							+ Printable.text(name));
		}
		return name;
	}

	private String defaultName(String original, Set<String> shared, @Nullable String present) {
		String plain = defaultName(original, false);
		if (shared.contains(plain) && !ToolNaming.isExact(original)) {
			plain = defaultName(original, true);
		}
		if (plain.equals(present)) {
			// a server whose head it begins with came later
			return plain;
		}
		String hashed = defaultName(original, true);
		if (present != null && !present.equals(hashed) && present.replace('_', '-').equals(hashed.replace('_', '-'))) {
			// or has gone since
			return present;
		}
		return this.heads.apart(plain, head()).equals(plain) ? plain : this.heads.apart(hashed, head());
	}

	private String defaultName(String original, boolean hashed) {
		return ToolNaming.prefixedName(ToolNaming.prefix(this.server), original, hashed);
	}

	/**
	 * Return what the names of the server's tools begin with.
	 */
	String head() {
		return ToolNaming.head(this.server);
	}

	boolean isMisleading(String original) {
		return this.heads.isOfOther(original, head());
	}

	/**
	 * A tool cannot be named. The message is the reason to be shown.
	 */
	static final class UnusableNameException extends Exception {

		private UnusableNameException(String reason) {
			super(reason);
		}

	}

}
