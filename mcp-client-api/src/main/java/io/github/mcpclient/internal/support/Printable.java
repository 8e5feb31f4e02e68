package io.github.mcpclient.internal.support;

import java.util.Collection;
import java.util.List;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

/**
 * Makes untrusted text safe for a log line or a message: removes characters that could
 * deceive a reader, such as control characters, terminal escapes and changes of
 * direction.
 */
public final class Printable {

	private static final int LONGEST_NAME = 128;

	// CSI and OSC sequences, and the short ones
	private static final Pattern ESCAPE = Pattern
		.compile("\u001B(?:\\[[0-?]*+[ -/]*+[@-~]?|\\][^\u0007\u001B]*+\u0007?|[ -Z\\\\^-~])?");

	private Printable() {
	}

	/**
	 * Return a text as one line with a maximum number of characters, followed by its
	 * length if it was cut; an empty line for {@code null}.
	 */
	public static String line(@Nullable String text, int limit) {
		if (text == null) {
			return "";
		}
		String head = cut(text, limit);
		return (head.length() < text.length()) ? plain(head) + "... (" + text.length() + " characters)" : plain(head);
	}

	/**
	 * Return the lines of a text, with a maximum number of characters in total.
	 */
	public static String lines(String text, int limit) {
		return cut(text, limit).lines().map(Printable::plain).collect(Collectors.joining("\n"));
	}

	/**
	 * Return as many of the last lines as fit, at least one, as one line.
	 */
	public static String last(List<String> lines, int limit) {
		StringBuilder last = new StringBuilder();
		for (int i = lines.size() - 1; i >= 0; i--) {
			String line = lines.get(i);
			if (!last.isEmpty() && last.length() + line.length() > limit) {
				break;
			}
			last.insert(0, last.isEmpty() ? line : line + " | ");
		}
		return last.toString();
	}

	/**
	 * Return a name on one line, with {@code ?} in place of characters that could
	 * deceive, so that different names do not look alike.
	 */
	public static String text(String name) {
		StringBuilder line = new StringBuilder();
		name.codePoints().limit(LONGEST_NAME).forEach((c) -> line.appendCodePoint(isPrintable(c) ? c : '?'));
		return (name.length() > LONGEST_NAME) ? line.append("...").toString() : line.toString();
	}

	/**
	 * Return the texts of the first items, and the number of further items.
	 */
	public static <T> String first(int most, Collection<T> items, Function<? super T, String> text) {
		String first = items.stream().limit(most).map(text).collect(Collectors.joining(", "));
		return (items.size() > most) ? first + " and " + (items.size() - most) + " more" : first;
	}

	/**
	 * Return the start of a text, cut between characters.
	 */
	public static String cut(String text, int limit) {
		int end = Math.min(text.length(), limit);
		boolean splits = end < text.length() && end > 0 && Character.isHighSurrogate(text.charAt(end - 1));
		return text.substring(0, splits ? end - 1 : end);
	}

	/**
	 * Return a text on one line. A line break and the whitespace around it become one
	 * space.
	 */
	static String plain(String text) {
		String unescaped = (text.indexOf('\u001B') != -1) ? ESCAPE.matcher(text).replaceAll("") : text;
		StringBuilder line = new StringBuilder(unescaped.length());
		boolean afterBreak = false;
		for (int i = 0; i < unescaped.length(); i += Character.charCount(unescaped.codePointAt(i))) {
			int c = unescaped.codePointAt(i);
			if (Character.isSpaceChar(c) || Character.isWhitespace(c)) {
				boolean blank = !line.isEmpty() && line.charAt(line.length() - 1) == ' ';
				boolean isBreak = !Character.isSpaceChar(c) || !isPrintable(c);
				if (!(blank && (afterBreak || isBreak))) {
					line.append(' ');
				}
				afterBreak |= isBreak;
			}
			else if (isPrintable(c)) {
				line.appendCodePoint(c);
				afterBreak = false;
			}
		}
		return line.toString();
	}

	private static boolean isPrintable(int c) {
		return switch (Character.getType(c)) {
			case Character.CONTROL, Character.FORMAT, Character.SURROGATE, Character.LINE_SEPARATOR,
					Character.PARAGRAPH_SEPARATOR, Character.UNASSIGNED ->
				false;
			default -> true;
		};
	}

}
