package io.github.mcpclient.tool;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/**
 * An expression of ECMA 262 in the syntax of RE2, with a bound of what it takes to
 * compile: RE2 repeats what is to be repeated, and descends into what is nested.
 *
 * @param regex the expression for RE2
 * @param size how many instructions it takes at most
 */
record PatternTranslation(String regex, int size) {

	private static final int MAX_LENGTH = 2000;

	private static final int MAX_DEPTH = 50;

	private static final int MAX_SIZE = 3000;

	private static final int MAX_DIGITS = 4;

	/**
	 * A class such as {@code \p{L}} has hundreds of ranges.
	 */
	private static final int PROPERTY = 100;

	private static final String BLANKS = "\\s\\x0b\\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}"
			+ "\\x{3000}\\x{feff}";

	/**
	 * What means something else than its characters, or one character.
	 */
	private static final Pattern TOKEN = Pattern.compile(
			"\\\\u\\{\\p{XDigit}+}"
					+ "|\\\\u[dD][89abAB]\\p{XDigit}{2}\\\\u[dD][c-fC-F]\\p{XDigit}{2}|\\\\u\\p{XDigit}{4}"
					+ "|\\\\[pP]\\{[^}]*}|\\\\.|\\(\\?<(?![=!])|\\(\\?:|\\[\\^?|\\{[0-9]+(?:,[0-9]*)?}|.",
			Pattern.DOTALL);

	/**
	 * Translate an expression.
	 * @param regex the expression
	 * @return the translation, or {@code null} where the expression is too large, or
	 * plainly has no counterpart; RE2 itself refuses others
	 */
	static @Nullable PatternTranslation of(String regex) {
		if (regex.length() > MAX_LENGTH) {
			return null;
		}
		StringBuilder result = new StringBuilder();
		Deque<Integer> outer = new ArrayDeque<>();
		boolean inClass = false;
		int properties = 0;
		// one instruction for an alternative that is empty
		int size = 1;
		// of what a repetition would repeat
		int last = 0;
		Matcher tokens = TOKEN.matcher(regex);
		while (tokens.find()) {
			String token = tokens.group();
			String translation = translate(token, inClass);
			if (translation == null) {
				return null;
			}
			result.append(translation);
			properties += (token.startsWith("\\p") || token.startsWith("\\P")) ? PROPERTY : 0;
			if (inClass) {
				inClass = !token.equals("]");
				continue;
			}
			int more = switch (token.charAt(0)) {
				case '*', '+', '?', '|' -> 2;
				case '{' -> (token.length() > 1) ? repetition(token, last) : 0;
				default -> 0;
			};
			last += more;
			size += more;
			if (token.charAt(0) == '(') {
				// No look-around, and no flags, which ECMA does not have
				if (outer.size() == MAX_DEPTH || (token.length() == 1 && regex.startsWith("?", tokens.end()))) {
					return null;
				}
				outer.push(size);
				size = 1;
				last = 0;
			}
			else if (token.equals(")")) {
				if (outer.isEmpty()) {
					return null;
				}
				last = size + 2;
				size = outer.pop() + last;
			}
			else if (more == 0) {
				inClass = token.charAt(0) == '[';
				if (inClass && regex.startsWith("]", tokens.end())) {
					return null;
				}
				last = 1;
				size++;
			}
			if (size > MAX_SIZE) {
				return null;
			}
		}
		size += properties + 2;
		return (outer.isEmpty() && !inClass && size <= MAX_SIZE) ? new PatternTranslation(result.toString(), size)
				: null;
	}

	private static @Nullable String translate(String token, boolean inClass) {
		if (token.charAt(0) == '\\') {
			return (token.length() > 1) ? translateEscape(token, inClass) : null;
		}
		if (inClass) {
			return token.startsWith("[") ? "\\" + token : token;
		}
		return switch (token) {
			case "." -> "[^\\n\\r\\x{2028}\\x{2029}]";
			case "{" -> "\\{";
			case "(?<" -> "(?P<";
			default -> token;
		};
	}

	private static @Nullable String translateEscape(String token, boolean inClass) {
		return switch (token.charAt(1)) {
			case 's' -> inClass ? BLANKS : "[" + BLANKS + "]";
			case 'S' -> inClass ? token : "[^" + BLANKS + "]";
			case 'u' -> (token.length() > 2) ? translateCharacter(token) : null;
			case 'p', 'P' -> (token.length() > 2) ? token : null;
			case 'C', 'Q', 'E' -> null;
			default -> token;
		};
	}

	private static @Nullable String translateCharacter(String token) {
		if (token.charAt(2) == '{') {
			return "\\x" + token.substring(2);
		}
		int c = Integer.parseInt(token.substring(2, 6), 16);
		if (token.length() > 6) {
			c = Character.toCodePoint((char) c, (char) Integer.parseInt(token.substring(8), 16));
		}
		return (Character.getType(c) != Character.SURROGATE) ? "\\x{" + Integer.toHexString(c) + "}" : null;
	}

	/**
	 * Return by how much <code>{2}</code>, <code>{2,}</code> or <code>{2,5}</code> make
	 * the program larger.
	 */
	private static int repetition(String token, int once) {
		String[] bounds = token.substring(1, token.length() - 1).split(",");
		if (bounds[0].length() > MAX_DIGITS || bounds[bounds.length - 1].length() > MAX_DIGITS) {
			return MAX_SIZE + 1;
		}
		int least = Integer.parseInt(bounds[0]);
		int most = Integer.parseInt(bounds[bounds.length - 1]);
		return once * Math.max(0, Math.max(least, most) - 1) + Math.max(0, most - least) + 2;
	}

}
