package io.github.mcpclient.internal.schema;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.regex.Matcher;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import com.networknt.schema.regex.RegularExpression;
import com.networknt.schema.regex.RegularExpressions;
import org.jspecify.annotations.Nullable;

/**
 * A regular expression of a schema, in the syntax of ECMA 262, matched with RE2 in a time
 * that depends only on the size of the text and the expression.
 */
final class SchemaPattern implements RegularExpression {

	// for each instruction of a program
	private static final int COMPILED = 1000;

	private static final int MAX_LENGTH = 2000;

	private static final int MAX_DEPTH = 50;

	static final int MAX_SIZE = 3000;

	// a class such as \p{L} has hundreds of ranges
	private static final int PROPERTY_SIZE = 100;

	// \s of ECMA 262
	private static final String BLANKS = "\\s\\x0b\\pZ\\x{feff}";

	private static final java.util.regex.Pattern PROPERTY = java.util.regex.Pattern.compile("\\\\[pP]");

	private static final String ESCAPE = "\\\\u\\{\\p{XDigit}++}|\\\\u\\p{XDigit}{4}|\\\\[\\s\\S]";

	private static final java.util.regex.Pattern IN_CLASS = java.util.regex.Pattern.compile(ESCAPE + "|\\[");

	private static final java.util.regex.Pattern TOKEN = java.util.regex.Pattern
		.compile("\\[\\^?+(?!])(?:\\\\[\\s\\S]|[^\\]\\\\])*+]|" + ESCAPE
				+ "|\\((?:\\?(?:<(?![=!])|[\\s\\S])?)?|\\{(?<least>[0-9]{1,4})(?:,(?<most>[0-9]{0,4}))?}|[\\s\\S]");

	// a pattern that RE2 rejects, for constructs whose meaning differs from ECMA 262
	private static final String REFUSED = "(?!";

	private final @Nullable Pattern pattern;

	/**
	 * Compile an expression within the current budget, unless it is too large, or has no
	 * equivalent in the syntax of RE2.
	 */
	SchemaPattern(String regex) {
		this.pattern = compile(RegularExpressions.replaceLongformCharacterProperties(regex), CheckBudget.current());
	}

	private static @Nullable Pattern compile(String regex, CheckBudget budget) {
		budget.spend(COMPILED);
		long size = (regex.length() <= MAX_LENGTH) ? maxSize(regex) : Long.MAX_VALUE;
		if (size > MAX_SIZE) {
			return null;
		}
		budget.spend(COMPILED * size);
		try {
			return Pattern.compile(translate(regex));
		}
		catch (PatternSyntaxException | StackOverflowError ex) {
			return null;
		}
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
	 * Return the maximum number of instructions of a program: RE2 expands repetitions,
	 * and nested expressions recursively.
	 */
	static long maxSize(String regex) {
		Deque<Long> outer = new ArrayDeque<>();
		long size = 3 + PROPERTY_SIZE * PROPERTY.matcher(regex).results().count();
		// the size of the expression that a repetition would repeat
		long last = 0;
		Matcher tokens = TOKEN.matcher(regex);
		while (tokens.find() && size <= MAX_SIZE && outer.size() <= MAX_DEPTH) {
			char first = tokens.group().charAt(0);
			if (first == '(') {
				outer.push(size);
				size = 1;
			}
			else if (first == ')' && !outer.isEmpty()) {
				last = size + 2;
				size = outer.pop() + last;
			}
			else if (tokens.group("least") != null) {
				int least = Integer.parseInt(tokens.group("least"));
				String end = tokens.group("most");
				int most = (end == null || end.isEmpty()) ? least : Integer.parseInt(end);
				size += last * Math.max(0, most - 1) + Math.max(0, most - least) + 2;
			}
			else {
				last = 1;
				size += ("*+?|".indexOf(first) != -1) ? 2 : 1;
			}
		}
		return outer.isEmpty() ? size : MAX_SIZE + 1;
	}

	static String translate(String regex) {
		return TOKEN.matcher(regex).replaceAll((token) -> Matcher.quoteReplacement(translateToken(token.group())));
	}

	private static String translateToken(String token) {
		if (token.length() > 1 && token.charAt(0) == '[') {
			return '[' + IN_CLASS.matcher(token.substring(1))
				.replaceAll((item) -> Matcher.quoteReplacement(translateInClass(item.group())));
		}
		if (token.startsWith("(?") && !token.equals("(?:") && !token.equals("(?<")) {
			return REFUSED;
		}
		return switch (token) {
			case "[", "\\Q" -> REFUSED;
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
		// a surrogate forms a pair with its counterpart in the result
		return Character.isSurrogate(c) ? String.valueOf(c) : "\\x{" + token.substring(2) + "}";
	}

}
