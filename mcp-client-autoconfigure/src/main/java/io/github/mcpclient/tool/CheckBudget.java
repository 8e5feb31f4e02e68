package io.github.mcpclient.tool;

import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

import com.networknt.schema.Error;
import com.networknt.schema.ExecutionContext;
import com.networknt.schema.SchemaException;
import com.networknt.schema.regex.RegularExpression;
import com.networknt.schema.regex.RegularExpressions;
import org.jspecify.annotations.Nullable;

/**
 * How much work one check of a value against a schema may be: both come from a server,
 * and a few lines of schema, or one regular expression, can keep a processor busy for
 * years. For one thread and one check.
 */
final class CheckBudget extends ExecutionContext {

	/**
	 * What a keyword costs, where a character that an expression looks at costs one.
	 */
	private static final int KEYWORD = 10;

	/**
	 * Expressions are not told of what they are a part.
	 */
	private static final ThreadLocal<@Nullable CheckBudget> CURRENT = new ThreadLocal<>();

	private long left;

	CheckBudget(long budget) {
		this.left = budget;
	}

	/**
	 * Run a check within this budget.
	 * @param check the check
	 * @throws ExceededException if it takes more
	 */
	void run(Runnable check) {
		CURRENT.set(this);
		try {
			check.run();
		}
		finally {
			CURRENT.remove();
		}
	}

	private void spend(int cost) {
		this.left -= cost;
		if (this.left < 0) {
			throw new ExceededException();
		}
	}

	@Override
	public void evaluationPathAddLast(String keyword) {
		spend(KEYWORD);
		super.evaluationPathAddLast(keyword);
	}

	@Override
	public void evaluationPathAddLast(int index) {
		spend(KEYWORD);
		super.evaluationPathAddLast(index);
	}

	@Override
	public void addError(Error error) {
		spend(KEYWORD);
		super.addError(error);
	}

	/**
	 * Make an expression that is compiled when it is first needed, and searches within
	 * the budget.
	 * @param regex the expression of ECMA 262, as far as Java has the same
	 * @return the expression
	 */
	static RegularExpression expression(String regex) {
		return new Expression(regex);
	}

	private static final class Expression implements RegularExpression {

		private final String regex;

		private volatile @Nullable Pattern pattern;

		private Expression(String regex) {
			this.regex = regex;
		}

		@Override
		public boolean matches(String value) {
			CheckBudget budget = CURRENT.get();
			return pattern().matcher((budget != null) ? new Text(value, budget) : value).find();
		}

		private Pattern pattern() {
			Pattern pattern = this.pattern;
			if (pattern == null) {
				try {
					pattern = Pattern.compile(RegularExpressions
						.replaceLongformCharacterProperties(RegularExpressions.replaceDollarAnchors(this.regex)));
				}
				catch (PatternSyntaxException ex) {
					throw new SchemaException("it has a regular expression that is not understood");
				}
				this.pattern = pattern;
			}
			return pattern;
		}

	}

	/**
	 * A text that counts how often an expression looks at it.
	 */
	private record Text(CharSequence value, CheckBudget budget) implements CharSequence {

		@Override
		public int length() {
			return this.value.length();
		}

		@Override
		public char charAt(int index) {
			this.budget.spend(1);
			return this.value.charAt(index);
		}

		@Override
		public CharSequence subSequence(int start, int end) {
			return new Text(this.value.subSequence(start, end), this.budget);
		}

		@Override
		public String toString() {
			return this.value.toString();
		}

	}

	/**
	 * A check takes more than its budget.
	 */
	static final class ExceededException extends SchemaException {

		ExceededException() {
			super("it takes too long to check a value against it");
		}

	}

}
