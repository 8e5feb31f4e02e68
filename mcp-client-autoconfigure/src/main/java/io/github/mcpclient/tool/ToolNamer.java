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
 * Names the tools of one server, and checks the names: the original ones are remote
 * input, and the strategy may be the application's.
 */
final class ToolNamer {

	/**
	 * Longest original name, in characters: twice what the specification recommends.
	 */
	static final int MAX_ORIGINAL_NAME = 256;

	private final McpServerDefinition server;

	private final @Nullable McpToolNamingStrategy strategy;

	private final ServerHeads heads;

	private final String head;

	ToolNamer(McpServerDefinition server, @Nullable McpToolNamingStrategy strategy, ServerHeads heads) {
		this.server = server;
		this.strategy = strategy;
		this.heads = heads;
		this.head = ToolNaming.head(server);
	}

	boolean isOfStrategy() {
		return this.strategy != null;
	}

	/**
	 * Return the names that more than one tool would have, one of them or all with
	 * characters replaced.
	 * @param tools all tools of the server
	 * @return the names; none where a strategy names the tools
	 */
	Set<String> shared(List<Tool> tools) {
		Map<String, String> originals = new HashMap<>();
		Set<String> shared = new HashSet<>();
		for (Tool tool : (this.strategy != null) ? List.<Tool>of() : tools) {
			if (tool.name().length() <= MAX_ORIGINAL_NAME) {
				String first = originals.putIfAbsent(plainName(tool.name(), false), tool.name());
				if (first != null && !first.equals(tool.name())) {
					shared.add(plainName(first, false));
				}
			}
		}
		return shared;
	}

	/**
	 * Name a tool.
	 * @param tool the tool
	 * @param shared the names that more than one tool of the server would have
	 * @param present the name that the tool has, or {@code null} for none
	 * @return the name by which the application is to know it
	 * @throws UnusableNameException if there is none
	 */
	String name(Tool tool, Set<String> shared, @Nullable String present) throws UnusableNameException {
		String original = tool.name();
		if (original.isBlank()) {
			throw new UnusableNameException("it has no name");
		}
		if (original.length() > MAX_ORIGINAL_NAME) {
			throw new UnusableNameException(
					"its name has " + original.length() + " characters, more than " + MAX_ORIGINAL_NAME);
		}
		if (this.strategy == null) {
			return defaultName(original, shared, present);
		}
		String name = ask(this.strategy, tool);
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
		String plain = plainName(original, false);
		if (shared.contains(plain) && !ToolNaming.isExact(original)) {
			plain = plainName(original, true);
		}
		if (plain.equals(present)) {
			// a server whose head it begins with came later
			return plain;
		}
		String hashed = plainName(original, true);
		if (present != null && !present.equals(hashed) && present.replace('_', '-').equals(hashed.replace('_', '-'))) {
			// or has gone since
			return present;
		}
		return this.heads.apart(plain, this.head).equals(plain) ? plain : this.heads.apart(hashed, this.head);
	}

	private String plainName(String original, boolean hashed) {
		return ToolNaming.prefixedName(ToolNaming.prefix(this.server), original, hashed);
	}

	private @Nullable String ask(McpToolNamingStrategy strategy, Tool tool) throws UnusableNameException {
		try {
			return strategy.toolName(this.server, tool);
		}
		catch (Throwable ex) {
			throw new UnusableNameException("the McpToolNamingStrategy failed: " + Printable.text(ex.toString()));
		}
	}

	/**
	 * A tool cannot be named. The message is the reason to be shown.
	 */
	static final class UnusableNameException extends Exception {

		private final String reason;

		UnusableNameException(String reason) {
			super(reason);
			this.reason = reason;
		}

		String reason() {
			return this.reason;
		}

	}

}
