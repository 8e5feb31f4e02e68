package io.github.mcpclient.tool;

import io.github.mcpclient.McpServerDefinition;
import io.github.mcpclient.McpToolNamingStrategy;
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

	private final McpToolNamingStrategy strategy;

	ToolNamer(McpServerDefinition server, @Nullable McpToolNamingStrategy strategy) {
		this.server = server;
		this.strategy = (strategy != null) ? strategy : new ToolNaming();
	}

	/**
	 * Name a tool.
	 * @param tool the tool
	 * @return the name by which the application is to know it
	 * @throws UnusableNameException if there is none
	 */
	String name(Tool tool) throws UnusableNameException {
		String original = tool.name();
		if (original.isBlank()) {
			throw new UnusableNameException("it has no name");
		}
		if (original.length() > MAX_ORIGINAL_NAME) {
			throw new UnusableNameException(
					"its name has " + original.length() + " characters, more than " + MAX_ORIGINAL_NAME);
		}
		String name = ask(tool);
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

	private @Nullable String ask(Tool tool) throws UnusableNameException {
		try {
			return this.strategy.toolName(this.server, tool);
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
