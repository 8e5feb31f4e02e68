package io.github.mcpclient.config;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Reads the syntax known as dotenv, of which there is no standard. Here it is
 * {@code NAME=value}, perhaps after {@code export}, one a line; lines that are empty or
 * begin with {@code #} do not count. A value without quotation marks ends with the line
 * or before a {@code #} that follows a space. One in single quotation marks is taken as
 * it stands, one in double quotation marks may have {@code \n}, {@code \r}, {@code \t},
 * {@code \"}, {@code \\} and {@code \$}; both may span lines. Nothing stands for another
 * variable. Of a name that comes twice the last value counts. Messages hold nothing of
 * the text, which may be secret all over.
 */
final class EnvFileParser {

	private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_.-]*");

	private static final int END = -1;

	private final String text;

	private int position;

	private int line = 1;

	EnvFileParser(String text) {
		String lines = text.replace("\r\n", "\n").replace('\r', '\n');
		this.text = lines.startsWith("\uFEFF") ? lines.substring(1) : lines;
	}

	/**
	 * Read the text.
	 * @return names and values, in the order of the text
	 * @throws SyntaxException if a line cannot be read
	 */
	Map<String, String> parse() throws SyntaxException {
		Map<String, String> variables = new LinkedHashMap<>();
		while (peek() != END) {
			skipBlanks();
			if (peek() == '#') {
				rest();
			}
			else if (peek() != END && peek() != '\n') {
				String name = name();
				variables.put(name, value());
			}
			if (peek() == '\n') {
				next();
			}
		}
		return variables;
	}

	private String name() throws SyntaxException {
		String name = word();
		if (name.equals("export") && skipBlanks() && peek() != '=') {
			name = word();
		}
		skipBlanks();
		if (peek() != '=') {
			throw new SyntaxException(this.line, "is not NAME=value");
		}
		if (!NAME.matcher(name).matches()) {
			throw new SyntaxException(this.line, "has a name that is not made of letters, digits and '_'");
		}
		next();
		return name;
	}

	private String word() {
		int start = this.position;
		while (peek() != END && peek() != '\n' && peek() != '=' && !isBlank(peek())) {
			next();
		}
		return this.text.substring(start, this.position);
	}

	private String value() throws SyntaxException {
		int start = this.line;
		boolean blank = skipBlanks();
		String value = (peek() == '"' || peek() == '\'') ? quoted() : unquoted(blank);
		if (value.indexOf('\0') != -1) {
			throw new SyntaxException(start, "has a NUL character");
		}
		return value;
	}

	private String unquoted(boolean blank) {
		int start = this.position;
		int end = start;
		boolean afterBlank = blank;
		while (peek() != END && peek() != '\n') {
			int ch = next();
			if (ch == '#' && afterBlank) {
				rest();
				break;
			}
			afterBlank = isBlank(ch);
			if (!afterBlank) {
				end = this.position;
			}
		}
		return this.text.substring(start, end);
	}

	private String quoted() throws SyntaxException {
		int start = this.line;
		int quote = next();
		StringBuilder value = new StringBuilder();
		while (peek() != quote) {
			if (peek() == END) {
				throw new SyntaxException(start, "has a quotation mark that nothing closes");
			}
			int ch = next();
			if (ch == '\\' && quote == '"' && peek() != END) {
				value.append(escaped(next()));
			}
			else {
				value.append((char) ch);
			}
		}
		next();
		skipBlanks();
		if (peek() == '#') {
			rest();
		}
		if (peek() != END && peek() != '\n') {
			throw new SyntaxException(this.line, "goes on after the quotation mark that closes the value");
		}
		return value.toString();
	}

	private static String escaped(int ch) {
		return switch (ch) {
			case 'n' -> "\n";
			case 'r' -> "\r";
			case 't' -> "\t";
			case '"', '\\', '$' -> String.valueOf((char) ch);
			default -> "\\" + (char) ch;
		};
	}

	private boolean skipBlanks() {
		int start = this.position;
		while (isBlank(peek())) {
			next();
		}
		return this.position > start;
	}

	private void rest() {
		while (peek() != END && peek() != '\n') {
			next();
		}
	}

	private int peek() {
		return (this.position < this.text.length()) ? this.text.charAt(this.position) : END;
	}

	private int next() {
		char ch = this.text.charAt(this.position++);
		if (ch == '\n') {
			this.line++;
		}
		return ch;
	}

	private static boolean isBlank(int ch) {
		return ch == ' ' || ch == '\t';
	}

	/**
	 * A line cannot be read.
	 */
	static final class SyntaxException extends Exception {

		private final int line;

		private final String reason;

		SyntaxException(int line, String reason) {
			super("Line " + line + " " + reason);
			this.line = line;
			this.reason = reason;
		}

		int line() {
			return this.line;
		}

		String reason() {
			return this.reason;
		}

	}

}
