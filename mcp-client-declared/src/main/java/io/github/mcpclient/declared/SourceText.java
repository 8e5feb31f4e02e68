package io.github.mcpclient.declared;

import java.util.ArrayList;
import java.util.List;

import io.github.mcpclient.internal.support.Printable;

/**
 * Escapes untrusted text for Java source, so that the text stays within its literal or
 * comment.
 */
final class SourceText {

	private static final int WIDTH = 88;

	// fillers of Hangul
	private static final String BLANK_LETTERS = "\u115F\u1160\u3164\uFFA0";

	private SourceText() {
	}

	/**
	 * Return a string literal. Characters that are not seen are escaped. A compiler reads
	 * {@code \}{@code u000a} as a line break, so that those below 32 are octal.
	 */
	static String literal(String text) {
		StringBuilder literal = new StringBuilder(text.length() + 2).append('"');
		for (int i = 0; i < text.length(); i += Character.charCount(text.codePointAt(i))) {
			int c = text.codePointAt(i);
			if (c == '"' || c == '\\') {
				literal.append('\\').append((char) c);
			}
			else if (c < ' ') {
				literal.append("\\%03o".formatted(c));
			}
			else if (c == ' ' || isSeen(c)) {
				literal.appendCodePoint(c);
			}
			else {
				for (char unit : Character.toChars(c)) {
					literal.append("\\u%04x".formatted((int) unit));
				}
			}
		}
		return literal.append('"').toString();
	}

	private static boolean isSeen(int c) {
		return c > ' ' && c < 0x7f || Character.isLetterOrDigit(c) && BLANK_LETTERS.indexOf(c) == -1;
	}

	/**
	 * Return a text for a comment, without blank lines at its ends.
	 * @param limit the length of its beginning that is used
	 */
	static String prose(String text, int limit) {
		String start = Printable.lines(text, limit).strip();
		return escape((text.length() > limit) ? start + " ..." : start);
	}

	private static String escape(String text) {
		StringBuilder escaped = new StringBuilder(text.length());
		for (char c : text.toCharArray()) {
			switch (c) {
				case '&' -> escaped.append("&amp;");
				case '<' -> escaped.append("&lt;");
				case '>' -> escaped.append("&gt;");
				case '@' -> escaped.append("&#64;");
				case '\\' -> escaped.append("&#92;");
				// of the end of a comment
				case '/' -> escaped.append(isAfterStar(escaped) ? "&#47;" : "/");
				default -> escaped.append(c);
			}
		}
		return escaped.toString();
	}

	private static boolean isAfterStar(StringBuilder text) {
		return !text.isEmpty() && text.charAt(text.length() - 1) == '*';
	}

	/**
	 * Return a comment for Javadoc, or an empty text where there is nothing to say.
	 * @param prose what {@link #prose} returned
	 * @param tags block tags, of such texts
	 */
	static String javadoc(String indent, String prose, List<String> tags) {
		List<String> lines = new ArrayList<>();
		for (String line : (Iterable<String>) prose.lines()::iterator) {
			wrap(line.isBlank() ? "<p>" : line.stripTrailing(), lines);
		}
		tags.forEach((tag) -> wrap(tag.replace('\n', ' '), lines));
		if (lines.isEmpty()) {
			return "";
		}
		StringBuilder comment = new StringBuilder(indent).append("/**\n");
		lines.forEach((line) -> comment.append(indent).append(" * ").append(line).append('\n'));
		return comment.append(indent).append(" */\n").toString();
	}

	private static void wrap(String text, List<String> lines) {
		int start = 0;
		while (text.length() - start > WIDTH) {
			int end = text.lastIndexOf(' ', start + WIDTH);
			if (end <= start) {
				end = text.indexOf(' ', start + WIDTH);
			}
			if (end == -1) {
				break;
			}
			lines.add(text.substring(start, end));
			start = end + 1;
		}
		lines.add(text.substring(start));
	}

}
