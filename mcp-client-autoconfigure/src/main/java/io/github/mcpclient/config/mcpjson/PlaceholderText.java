package io.github.mcpclient.config.mcpjson;

/**
 * Builds a text with placeholders in Spring's syntax. What is literal stays so: Spring
 * takes any <code>${...}</code> for a placeholder, and a backslash before one for an
 * escape.
 */
final class PlaceholderText {

	private static final String PREFIX = "${";

	// a placeholder without a name, of which only the default is left
	private static final String DOLLAR = "${:$}";

	private static final String BACKSLASH = "${:\\}";

	private final StringBuilder text = new StringBuilder();

	static String escape(String literal) {
		return new PlaceholderText().literal(literal).toString();
	}

	PlaceholderText literal(String literal) {
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
		int last = this.text.length() - 1;
		if (last >= 0 && this.text.charAt(last) == '\\') {
			this.text.setLength(last);
			placeholder(BACKSLASH);
		}
		this.text.append(placeholder);
		return this;
	}

	@Override
	public String toString() {
		return this.text.toString();
	}

}
