package io.github.mcpclient.support;

import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

/**
 * Makes text that came from a server fit for a log line or a message.
 */
public final class Printable {

	private static final int LONGEST_NAME = 128;

	private Printable() {
	}

	/**
	 * Cut a text, put it on one line, and take out what could deceive a reader of it:
	 * control characters, and those that change the direction of what follows.
	 * @param text the text
	 * @param limit the largest number of characters to keep
	 * @return the text, with a marker if it was cut
	 */
	public static String line(@Nullable String text, int limit) {
		if (text == null) {
			return "";
		}
		int end = Math.min(text.length(), limit);
		if (end < text.length() && end > 0 && Character.isHighSurrogate(text.charAt(end - 1))) {
			end--;
		}
		StringBuilder line = new StringBuilder(end);
		text.substring(0, end).codePoints().forEach((c) -> {
			if (Character.isWhitespace(c) || Character.isSpaceChar(c)) {
				line.append(' ');
			}
			else if (isPrintable(c)) {
				line.appendCodePoint(c);
			}
		});
		if (end < text.length()) {
			line.append("... (").append(text.length()).append(" characters)");
		}
		return line.toString();
	}

	/**
	 * Do the same to each line of a text.
	 * @param text the text
	 * @param limit the largest number of characters to keep of all lines
	 * @return the lines
	 */
	public static String lines(String text, int limit) {
		String head = text.substring(0, Math.min(text.length(), limit));
		return head.lines().map((line) -> line(line, limit)).collect(Collectors.joining("\n"));
	}

	/**
	 * Cut a name, and mark what could deceive a reader of it, so that names that differ
	 * do not look alike.
	 * @param name the name
	 * @return the name on one line
	 */
	public static String text(String name) {
		StringBuilder line = new StringBuilder();
		name.codePoints().limit(LONGEST_NAME).forEach((c) -> line.appendCodePoint(isPrintable(c) ? c : '?'));
		return (name.length() > LONGEST_NAME) ? line.append("...").toString() : line.toString();
	}

	/**
	 * Cut a text, and write what could deceive a reader of it as an escape sequence.
	 * @param text the text
	 * @param limit the largest number of characters to take
	 * @return the text on one line, with a marker if it was cut
	 */
	public static String escaped(String text, int limit) {
		int end = Math.min(text.length(), limit);
		StringBuilder line = new StringBuilder(end);
		for (int i = 0; i < end; i++) {
			int c = text.codePointAt(i);
			if (isPrintable(c)) {
				line.appendCodePoint(c);
				i += Character.charCount(c) - 1;
			}
			else {
				line.append(String.format("\\u%04X", (int) text.charAt(i)));
			}
		}
		return (end < text.length()) ? line.append("... (").append(text.length()).append(" characters)").toString()
				: line.toString();
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
