package io.github.mcpclient.internal.naming;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.github.mcpclient.McpToolNamingStrategy;
import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.internal.support.Printable;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import org.jspecify.annotations.Nullable;

/**
 * Names the tools of one server: with a strategy of the application, or else based on the
 * configuration and the tool alone, so that a name stays the same after restarts and
 * reconnects. Names from servers and strategies are validated.
 */
record ToolNamer(McpServerDefinition server, ToolNaming naming) {

	// twice the recommendation of the specification
	static final int MAX_ORIGINAL_NAME = 256;

	private static final int HASH_LENGTH = 8;

	// the maximum length of the part of a name before its hash
	static final int MAX_BEFORE_HASH = ToolNames.MAX_LENGTH - HASH_LENGTH - 1;

	/**
	 * Return the prefix of all prefixed names of a server, unless they are truncated
	 * within it.
	 */
	static String prefix(McpServerDefinition server) {
		String prefix = configuredPrefix(server);
		return prefix.isEmpty() ? "" : replaceOtherCharacters(prefix) + '_';
	}

	private static String configuredPrefix(McpServerDefinition server) {
		String prefix = server.tools().prefix();
		return (prefix != null) ? prefix : server.name();
	}

	String prefix() {
		return prefix(this.server);
	}

	boolean isMisleading(String original) {
		return this.naming.prefixes().isOfOther(original, prefix());
	}

	/**
	 * Return the default names that more than one tool would have.
	 */
	Set<String> shared(List<Tool> tools) {
		Map<String, String> originals = new HashMap<>();
		Set<String> shared = new HashSet<>();
		for (Tool tool : (this.naming.strategy() != null) ? List.<Tool>of() : tools) {
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
	 * Name a tool, which may already have names. The strategy is not called again while
	 * tool and server are unchanged.
	 */
	ToolNames name(Tool tool, Set<String> shared, @Nullable ToolNames present, boolean unchanged)
			throws UnusableNameException {
		String original = tool.name();
		if (original.isBlank()) {
			throw new UnusableNameException("it has no name");
		}
		if (original.length() > MAX_ORIGINAL_NAME) {
			throw new UnusableNameException(
					"its name has " + original.length() + " characters, more than " + MAX_ORIGINAL_NAME);
		}
		String presentName = (present != null) ? present.prefixed() : null;
		String name;
		McpToolNamingStrategy strategy = this.naming.strategy();
		if (strategy == null) {
			name = defaultName(original, shared, presentName);
		}
		else {
			name = (presentName != null && unchanged) ? presentName : strategyName(strategy, tool);
		}
		String plain = (strategy != null) ? name : defaultName(original, false);
		return new ToolNames(name, plain.equals(name) ? name : plain, original, isMisleading(original));
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
			throw new UnusableNameException("the McpToolNamingStrategy returned no name");
		}
		// bean factories interpret the ampersand
		if (name.charAt(0) == '&' || name.chars().anyMatch(Character::isISOControl)) {
			throw new UnusableNameException(
					"the McpToolNamingStrategy returned a name that begins with '&' or has control characters: "
							+ Printable.text(name));
		}
		return name;
	}

	private String defaultName(String original, Set<String> shared, @Nullable String present) {
		String plain = defaultName(original, false);
		String hashed = defaultName(original, true);
		if (shared.contains(plain) && !isExact(original)) {
			plain = hashed;
		}
		// a name stays the same if a server with a prefix of this name was added later,
		// or was removed
		if (present != null && (present.equals(plain)
				|| (!present.equals(hashed) && present.replace('_', '-').equals(hashed.replace('_', '-'))))) {
			return present;
		}
		return this.naming.prefixes().disambiguate(plain, prefix()).equals(plain) ? plain
				: this.naming.prefixes().disambiguate(hashed, prefix());
	}

	private String defaultName(String original, boolean hashed) {
		return defaultName(configuredPrefix(this.server), original, hashed);
	}

	/**
	 * Prefix a name. A name that is too long, or in a script other than Latin, always
	 * includes its hash.
	 */
	static String defaultName(String prefix, String original, boolean hashed) {
		String exact = prefix.isEmpty() ? original : prefix + '_' + original;
		String name = replaceOtherCharacters(exact);
		if (!hashed && name.length() <= ToolNames.MAX_LENGTH && isReadable(original)) {
			return name;
		}
		return name.substring(0, Math.min(name.length(), MAX_BEFORE_HASH)) + '_' + hash(exact);
	}

	/**
	 * Return whether model providers accept a name.
	 */
	static boolean isPortable(String name) {
		return name.length() <= ToolNames.MAX_LENGTH && isExact(name);
	}

	// return whether a name contains no characters to be replaced
	private static boolean isExact(String name) {
		return name.chars().allMatch(ToolNamer::isAllowed);
	}

	// a name in another script would consist of replacements only, like any other of its
	// length
	private static boolean isReadable(String original) {
		return original.chars().anyMatch(ToolNamer::isLetterOrDigit) || isExact(original);
	}

	private static String replaceOtherCharacters(String name) {
		StringBuilder result = new StringBuilder(name.length());
		name.codePoints().forEach((c) -> result.append(isAllowed(c) ? (char) c : '-'));
		return result.toString();
	}

	private static boolean isAllowed(int c) {
		return isLetterOrDigit(c) || c == '_' || c == '-';
	}

	private static boolean isLetterOrDigit(int c) {
		return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
	}

	private static String hash(String name) {
		try {
			byte[] digest = MessageDigest.getInstance("SHA-256").digest(name.getBytes(StandardCharsets.UTF_8));
			return HexFormat.of().formatHex(digest, 0, HASH_LENGTH / 2);
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException("Every Java platform has SHA-256", ex);
		}
	}

	/**
	 * Thrown if a tool cannot be named. The message is the reason to be shown.
	 */
	static final class UnusableNameException extends Exception {

		private UnusableNameException(String reason) {
			super(reason);
		}

	}

}
