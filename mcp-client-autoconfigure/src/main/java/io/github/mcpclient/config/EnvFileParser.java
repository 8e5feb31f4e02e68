package io.github.mcpclient.config;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Parses the syntax known as dotenv, which has no standard. Each line is
 * {@code NAME=value}, optionally after {@code export}; empty lines and lines that begin
 * with {@code #} are ignored. A value without quotation marks ends with the line or
 * before a {@code #} that follows a space. A value in single quotation marks is literal;
 * a value in double quotation marks may have the escapes {@code \n}, {@code \r},
 * {@code \t}, {@code \"}, {@code \\} and {@code \$}; both may span lines. Variables are
 * not expanded, and the last value of a name applies. Messages contain no part of the
 * text, which may be secret.
 */
final class EnvFileParser {

	private static final Pattern IGNORED = Pattern.compile("(?:[ \\t]*+(?:#[^\\n]*+)?\\n)*+[ \\t]*+");

	private static final Pattern ASSIGNMENT = Pattern.compile("(?:export[ \\t]++(?!=))?([^\\s=]*+)[ \\t]*+=");

	private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_.-]*");

	private static final Pattern QUOTED = Pattern
		.compile("[ \\t]*+(?:\"((?:[^\"\\\\]|\\\\[\\s\\S])*+)\"|'([^']*+)')[ \\t]*+");

	private static final Pattern END = Pattern.compile("(?=[#\\n])");

	private static final Pattern UNQUOTED = Pattern.compile("(?![ \\t]*+[\"'])([^\\n]*?)(?=[ \\t]#|\\n)");

	private static final Pattern ESCAPE = Pattern.compile("\\\\([nrt\"\\\\$])");

	private final String text;

	private final Matcher matcher;

	private int position;

	EnvFileParser(String text) {
		// each line ends with a line break
		this.text = text.replace("\r\n", "\n").replace('\r', '\n') + "\n";
		this.matcher = IGNORED.matcher(this.text);
	}

	Map<String, String> parse() throws SyntaxException {
		Map<String, String> variables = new LinkedHashMap<>();
		while (skip(IGNORED) && this.position < this.text.length()) {
			if (!skip(ASSIGNMENT)) {
				throw error("is not NAME=value");
			}
			String name = this.matcher.group(1);
			if (!NAME.matcher(name).matches()) {
				throw error("has a name that is not made of letters, digits and '_'");
			}
			variables.put(name, value());
		}
		return variables;
	}

	private String value() throws SyntaxException {
		int start = this.position;
		String value;
		if (skip(UNQUOTED)) {
			value = this.matcher.group(1).strip();
		}
		else if (skip(QUOTED)) {
			String escaped = this.matcher.group(1);
			value = (escaped != null) ? ESCAPE.matcher(escaped).replaceAll(EnvFileParser::unescaped)
					: this.matcher.group(2);
			if (!skip(END)) {
				throw error("has text after the closing quotation mark");
			}
		}
		else {
			throw error("has an unclosed quotation mark");
		}
		if (value.indexOf('\0') != -1) {
			this.position = start;
			throw error("has a NUL character");
		}
		return value;
	}

	private static String unescaped(MatchResult escape) {
		String value = switch (escape.group(1)) {
			case "n" -> "\n";
			case "r" -> "\r";
			case "t" -> "\t";
			default -> escape.group(1);
		};
		return Matcher.quoteReplacement(value);
	}

	private boolean skip(Pattern pattern) {
		boolean found = this.matcher.usePattern(pattern).region(this.position, this.text.length()).lookingAt();
		this.position = found ? this.matcher.end() : this.position;
		return found;
	}

	private SyntaxException error(String reason) {
		long line = this.text.chars().limit(this.position).filter((ch) -> ch == '\n').count() + 1;
		return new SyntaxException("line " + line + " " + reason);
	}

	/**
	 * A line cannot be read.
	 */
	static final class SyntaxException extends Exception {

		SyntaxException(String message) {
			super(message);
		}

	}

}
