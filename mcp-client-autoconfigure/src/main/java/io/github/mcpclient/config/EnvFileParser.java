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

	private static final Pattern EXPORT = Pattern.compile("^export[ \\t]+");

	private final String text;

	private int position;

	EnvFileParser(String text) {
		String lines = text.replace("\r\n", "\n").replace('\r', '\n');
		// each line ends with a line break
		this.text = (lines.startsWith("\uFEFF") ? lines.substring(1) : lines) + "\n";
	}

	Map<String, String> parse() throws SyntaxException {
		Map<String, String> variables = new LinkedHashMap<>();
		for (; this.position < this.text.length(); this.position++) {
			skipBlanks();
			if (current() == '#') {
				this.position = endOfLine();
			}
			else if (current() != '\n') {
				String name = name();
				variables.put(name, value());
			}
		}
		return variables;
	}

	private String name() throws SyntaxException {
		int equals = this.text.indexOf('=', this.position);
		String name = (equals != -1) ? this.text.substring(this.position, equals).strip() : "";
		name = EXPORT.matcher(name).replaceFirst("");
		if (equals == -1 || name.indexOf(' ') != -1 || name.indexOf('\t') != -1 || name.indexOf('\n') != -1) {
			throw mistake(this.position, "is not NAME=value");
		}
		if (!NAME.matcher(name).matches()) {
			throw mistake(this.position, "has a name that is not made of letters, digits and '_'");
		}
		this.position = equals + 1;
		return name;
	}

	private String value() throws SyntaxException {
		int start = this.position;
		skipBlanks();
		String value = (current() == '"' || current() == '\'') ? quoted() : unquoted();
		if (value.indexOf('\0') != -1) {
			throw mistake(start, "has a NUL character");
		}
		return value;
	}

	private String unquoted() {
		int start = this.position;
		int end = endOfLine();
		int comment = start;
		while (comment < end && !(this.text.charAt(comment) == '#' && isBlank(this.text.charAt(comment - 1)))) {
			comment++;
		}
		this.position = end;
		return this.text.substring(start, comment).stripTrailing();
	}

	private String quoted() throws SyntaxException {
		int start = this.position;
		char quote = current();
		StringBuilder value = new StringBuilder();
		for (this.position++; this.position < this.text.length() && current() != quote; this.position++) {
			if (current() == '\\' && quote == '"' && this.position + 1 < this.text.length()) {
				this.position++;
				value.append(escaped(current()));
			}
			else {
				value.append(current());
			}
		}
		if (this.position >= this.text.length()) {
			throw mistake(start, "has a quotation mark that nothing closes");
		}
		this.position++;
		skipBlanks();
		if (current() != '#' && current() != '\n') {
			throw mistake(this.position, "goes on after the quotation mark that closes the value");
		}
		this.position = endOfLine();
		return value.toString();
	}

	private static String escaped(char ch) {
		return switch (ch) {
			case 'n' -> "\n";
			case 'r' -> "\r";
			case 't' -> "\t";
			case '"', '\\', '$' -> String.valueOf(ch);
			default -> "\\" + ch;
		};
	}

	private void skipBlanks() {
		while (isBlank(current())) {
			this.position++;
		}
	}

	private char current() {
		return this.text.charAt(this.position);
	}

	private int endOfLine() {
		return this.text.indexOf('\n', this.position);
	}

	private SyntaxException mistake(int position, String reason) {
		return new SyntaxException(
				(int) this.text.substring(0, position).chars().filter((ch) -> ch == '\n').count() + 1, reason);
	}

	private static boolean isBlank(char ch) {
		return ch == ' ' || ch == '\t';
	}

	/**
	 * A line cannot be read.
	 */
	static final class SyntaxException extends Exception {

		SyntaxException(int line, String reason) {
			super("line " + line + " " + reason);
		}

	}

}
