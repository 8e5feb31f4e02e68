package io.github.mcpclient.tool;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import com.networknt.schema.regex.RegularExpression;
import com.networknt.schema.regex.RegularExpressions;
import org.jspecify.annotations.Nullable;

/**
 * A regular expression of a schema, searched for in a time that grows with the text and
 * the expression only.
 */
final class SchemaPattern implements RegularExpression {

	/**
	 * What one instruction of a program costs to make, and to keep.
	 */
	private static final int COMPILED = 1000;

	private final @Nullable Pattern pattern;

	private SchemaPattern(@Nullable Pattern pattern) {
		this.pattern = pattern;
	}

	/**
	 * Compile an expression within the current budget.
	 * @param regex the expression, of ECMA 262
	 * @return the pattern, which is {@linkplain #isChecked() not checked} where the
	 * expression is too large, or has no counterpart in the syntax of RE2
	 */
	static SchemaPattern of(String regex) {
		CheckBudget budget = CheckBudget.current();
		budget.spend(COMPILED);
		PatternTranslation translation = PatternTranslation
			.of(RegularExpressions.replaceLongformCharacterProperties(regex));
		if (translation == null) {
			return new SchemaPattern(null);
		}
		budget.spend((long) COMPILED * translation.size());
		try {
			return new SchemaPattern(Pattern.compile(translation.regex()));
		}
		catch (PatternSyntaxException | StackOverflowError ex) {
			return new SchemaPattern(null);
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

}
