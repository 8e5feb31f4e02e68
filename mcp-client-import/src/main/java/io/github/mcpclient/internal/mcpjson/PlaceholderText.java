package io.github.mcpclient.internal.mcpjson;

/**
 * Builds a text with placeholders in Spring's syntax, and escapes literals: Spring treats
 * any <code>${...}</code> as a placeholder, and a backslash before a placeholder as an
 * escape.
 */
final class PlaceholderText {

	private static final String PREFIX = "${";

	// a placeholder with a default and no name
	private static final String DOLLAR = "${:$}";

	private static final String BACKSLASH = "${:\\}";

	private final StringBuilder text = new StringBuilder();

	static String escape(String literal) {
		return new PlaceholderText().literal(literal).toString();
	}

	PlaceholderText literal(String literal) {
		if (literal.startsWith("{") && endsWith('$')) {
			this.text.setLength(this.text.length() - 1);
			placeholder(DOLLAR);
		}
		int start = 0;
		for (int prefix = literal.indexOf(PREFIX); prefix != -1; prefix = literal.indexOf(PREFIX, start)) {
			this.text.append(literal, start, prefix);
			placeholder(DOLLAR);
			start = prefix + 1;
		}
		this.text.append(literal, start, literal.length());
		return this;
	}

	PlaceholderText placeholder(String placeholder) {
		int end = this.text.length();
		while (endsWith('\\')) {
			this.text.setLength(this.text.length() - 1);
		}
		this.text.append(BACKSLASH.repeat(end - this.text.length())).append(placeholder);
		return this;
	}

	int length() {
		return this.text.length();
	}

	private boolean endsWith(char ch) {
		int last = this.text.length() - 1;
		return last >= 0 && this.text.charAt(last) == ch;
	}

	@Override
	public String toString() {
		return this.text.toString();
	}

}
