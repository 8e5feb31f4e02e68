package io.github.mcpclient.tool;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.regex.Matcher;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import com.networknt.schema.regex.RegularExpression;
import com.networknt.schema.regex.RegularExpressions;
import org.jspecify.annotations.Nullable;

/**
 * A regular expression of a schema, in the syntax of ECMA 262, searched for by RE2: in a
 * time that grows with the text and the size of the expression only.
 */
final class SchemaPattern implements RegularExpression {

	/**
	 * What one instruction of a program costs to make, and to keep.
	 */
	private static final int COMPILED = 1000;

	private static final int MAX_LENGTH = 2000;

	private static final int MAX_DEPTH = 50;

	private static final int MAX_SIZE = 3000;

	// a class such as \p{L} has hundreds of ranges
	private static final int PROPERTY_SIZE = 100;

	// \s of ECMA 262
	private static final String BLANKS = "\\s\\x0b\\pZ\\x{feff}";

	private static final java.util.regex.Pattern PROPERTY = java.util.regex.Pattern.compile("\\\\[pP]");

	private static final String ESCAPE = "\\\\u\\{\\p{XDigit}++}|\\\\u\\p{XDigit}{4}|\\\\[\\s\\S]";

	private static final java.util.regex.Pattern IN_CLASS = java.util.regex.Pattern.compile(ESCAPE + "|\\[");

	private static final java.util.regex.Pattern TOKEN = java.util.regex.Pattern
		.compile("\\[\\^?+(?!])(?:\\\\[\\s\\S]|[^\\]\\\\])*+]|" + ESCAPE
				+ "|\\(\\?(?:<(?![=!])|:)|\\{(?<least>[0-9]{1,4})(?:,(?<most>[0-9]{0,4}))?}|[\\s\\S]");

	private final @Nullable Pattern pattern;

	/**
	 * Compile an expression within the current budget. It is not checked where it is too
	 * large, or has no counterpart in the syntax of RE2.
	 */
	SchemaPattern(String regex) {
		CheckBudget budget = CheckBudget.current();
		budget.spend(COMPILED);
		Translation translation = translate(RegularExpressions.replaceLongformCharacterProperties(regex));
		Pattern compiled = null;
		if (translation != null) {
			budget.spend((long) COMPILED * translation.size());
			try {
				compiled = Pattern.compile(translation.regex());
			}
			catch (PatternSyntaxException | StackOverflowError ex) {
				// as good as one that is too large
			}
		}
		this.pattern = compiled;
	}

	boolean isChecked() {
		return this.pattern != null;
	}

	@Override
	public boolean matches(String value) {
		CheckBudget budget = CheckBudget.current();
		if (this.pattern == null) {
			return budget.matchesUnknown();
		}
		budget.spend((value.length() + 1L) * this.pattern.programSize());
		return this.pattern.matcher(value).find();
	}

	/**
	 * Translate an expression, and bound the size of its program: RE2 repeats what is to
	 * be repeated, and descends into what is nested. What RE2 itself refuses is left to
	 * it.
	 */
	static @Nullable Translation translate(String regex) {
		if (regex.length() > MAX_LENGTH || regex.contains("\\Q")) {
			return null;
		}
		StringBuilder result = new StringBuilder();
		Deque<Long> outer = new ArrayDeque<>();
		long size = 3 + PROPERTY_SIZE * PROPERTY.matcher(regex).results().count();
		// of what a repetition would repeat
		long last = 0;
		Matcher tokens = TOKEN.matcher(regex);
		while (tokens.find()) {
			String token = tokens.group();
			switch (token.charAt(0)) {
				case '(' -> {
					boolean isFlag = token.length() == 1 && regex.startsWith("?", tokens.end());
					if (isFlag || outer.size() == MAX_DEPTH) {
						return null;
					}
					outer.push(size);
					size = 1;
				}
				case ')' -> {
					if (outer.isEmpty()) {
						return null;
					}
					last = size + 2;
					size = outer.pop() + last;
				}
				case '*', '+', '?', '|' -> {
					last += 2;
					size += 2;
				}
				default -> {
					boolean repeats = tokens.group("least") != null;
					long more = repeats ? repetition(tokens.group("least"), tokens.group("most"), last) : 1;
					last = repeats ? last + more : 1;
					size += more;
				}
			}
			if (size > MAX_SIZE || token.equals("[")) {
				return null;
			}
			result.append(translateToken(token));
		}
		return outer.isEmpty() ? new Translation(result.toString(), size) : null;
	}

	/**
	 * Return by how much <code>{2}</code>, <code>{2,}</code> or <code>{2,5}</code> make
	 * the program larger.
	 */
	private static long repetition(String least, @Nullable String most, long once) {
		int min = Integer.parseInt(least);
		int max = (most == null || most.isEmpty()) ? min : Integer.parseInt(most);
		return once * Math.max(0, max - 1) + Math.max(0, max - min) + 2;
	}

	private static String translateToken(String token) {
		if (token.length() > 1 && token.charAt(0) == '[') {
			return '[' + IN_CLASS.matcher(token.substring(1))
				.replaceAll((item) -> Matcher.quoteReplacement(translateInClass(item.group())));
		}
		return switch (token) {
			case "." -> "[^\\n\\r\\x{2028}\\x{2029}]";
			case "\\s" -> "[" + BLANKS + "]";
			case "\\S" -> "[^" + BLANKS + "]";
			default -> translateCharacter(token);
		};
	}

	private static String translateInClass(String token) {
		return switch (token) {
			case "[" -> "\\[";
			case "\\s" -> BLANKS;
			default -> translateCharacter(token);
		};
	}

	private static String translateCharacter(String token) {
		if (!token.startsWith("\\u") || token.length() == 2) {
			return token;
		}
		if (token.charAt(2) == '{') {
			return "\\x" + token.substring(2);
		}
		char c = (char) Integer.parseInt(token.substring(2), 16);
		// one half of a pair finds the other in the result
		return Character.isSurrogate(c) ? String.valueOf(c) : "\\x{" + token.substring(2) + "}";
	}

	/**
	 * An expression in the syntax of RE2.
	 *
	 * @param regex the expression
	 * @param size how many instructions it takes at most
	 */
	record Translation(String regex, long size) {
	}

}
