package io.github.mcpclient.tool;

/**
 * Makes names that came from a server fit for a log line or a message.
 */
final class Printable {

	private static final int LIMIT = 128;

	private Printable() {
	}

	/**
	 * Cut a text, and replace what would break a line or deceive a reader.
	 * @param text the text
	 * @return the text on one line
	 */
	static String text(String text) {
		StringBuilder line = new StringBuilder();
		text.codePoints().limit(LIMIT).forEach((c) -> line.appendCodePoint(isPrintable(c) ? c : '?'));
		return (text.length() > LIMIT) ? line.append("...").toString() : line.toString();
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
