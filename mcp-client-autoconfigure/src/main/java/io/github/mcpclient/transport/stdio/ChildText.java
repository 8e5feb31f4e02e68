package io.github.mcpclient.transport.stdio;

import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

import io.github.mcpclient.McpServerDefinition;
import io.github.mcpclient.McpServerDefinition.Stdio;

/**
 * Makes what a child process wrote fit for a log and an error message: no control
 * characters, no terminal escapes, and none of the secrets that were given to the child,
 * which programs like to print when they fail. Secrets in another form (encoded, or cut
 * into pieces) cannot be recognised. Immutable.
 */
final class ChildText {

	private static final String MASK = "******";

	/**
	 * Shorter values would mask half of each line, and protect nothing.
	 */
	private static final int SHORTEST_SECRET = 4;

	private static final Set<String> NO_SECRETS = Set.of("true", "false", "none", "null", "error", "warn", "info",
			"debug", "trace", "production", "development", "test");

	// CSI and OSC sequences, and the short ones
	private static final Pattern ESCAPE = Pattern
		.compile("\u001B(?:\\[[0-?]*+[ -/]*+[@-~]?|\\][^\u0007\u001B]*+\u0007?|[ -Z\\\\^-~])?");

	// C0 and C1, line and paragraph separators, and what changes the direction of text
	private static final Pattern CONTROL = Pattern
		.compile("[\\p{Cc}\u2028\u2029\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069\uFEFF]");

	private final List<String> secrets;

	private ChildText(Set<String> secrets) {
		this.secrets = secrets.stream().sorted(Comparator.comparingInt(String::length).reversed()).toList();
	}

	static ChildText of(McpServerDefinition definition, Stdio stdio) {
		Set<String> secrets = new LinkedHashSet<>();
		stdio.env().values().forEach((value) -> addSecret(secrets, value));
		String target = definition.target();
		for (String arg : stdio.args()) {
			// what the target does not show was found to look like a secret
			if (!target.contains(arg)) {
				addSecret(secrets, arg);
				addSecret(secrets, arg.substring(arg.indexOf('=') + 1));
			}
		}
		return new ChildText(secrets);
	}

	private static void addSecret(Set<String> secrets, String value) {
		// a value of several lines, such as a key, is printed line by line
		value.lines()
			.map(String::strip)
			.filter((line) -> line.length() >= SHORTEST_SECRET && !NO_SECRETS.contains(line))
			.forEach(secrets::add);
	}

	/**
	 * Make text presentable.
	 * @param utf8 holds the text
	 * @param offset where it starts
	 * @param length its length in bytes
	 * @param truncated whether it is the start of a longer text
	 * @param maxLength how many characters to keep
	 * @return the text; ends in {@code ...} where something was left out
	 */
	String clean(byte[] utf8, int offset, int length, boolean truncated, int maxLength) {
		String text = mask(new String(utf8, offset, length, StandardCharsets.UTF_8));
		text = CONTROL.matcher(ESCAPE.matcher(text).replaceAll("")).replaceAll(" ");
		// again: an escape sequence may have parted a secret
		text = mask(text).strip();
		if (truncated) {
			text = maskEnd(text);
		}
		if (text.length() > maxLength) {
			int end = Character.isHighSurrogate(text.charAt(maxLength - 1)) ? maxLength - 1 : maxLength;
			return text.substring(0, end) + "...";
		}
		return truncated ? text + "..." : text;
	}

	private String mask(String text) {
		String masked = text;
		for (String secret : this.secrets) {
			masked = masked.replace(secret, MASK);
		}
		return masked;
	}

	/**
	 * Mask the start of a secret at the place where the text was cut off.
	 * @param text the text
	 * @return the text without it
	 */
	private String maskEnd(String text) {
		for (String secret : this.secrets) {
			for (int length = Math.min(secret.length() - 1, text.length()); length >= SHORTEST_SECRET; length--) {
				if (text.endsWith(secret.substring(0, length))) {
					return text.substring(0, text.length() - length) + MASK;
				}
			}
		}
		return text;
	}

}
