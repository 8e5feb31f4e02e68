package io.github.mcpclient.definition;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import io.github.mcpclient.McpToolApproval;
import io.github.mcpclient.authorization.McpCallerIdentity;
import io.github.mcpclient.internal.support.Records;
import io.modelcontextprotocol.spec.McpSchema.ToolAnnotations;
import org.jspecify.annotations.Nullable;

import org.springframework.format.annotation.DurationFormat;
import org.springframework.format.annotation.DurationFormat.Unit;
import org.springframework.format.datetime.standard.DurationFormatterUtils;
import org.springframework.util.Assert;

/**
 * A rule for some of the tools of a server. For each setting, the last matching rule that
 * specifies it applies; a setting that is {@code null} is determined by the other rules.
 * A rule cannot include a tool that the configuration excludes. In code, use the builder:
 * the constructor is for binding, and later versions add components to it.
 *
 * @param tools Patterns for the prefixed or original names of the tools that the rule
 * applies to, with the syntax of tools.filter.
 * @param timeout Time limit for a call, which replaces request-timeout. It does not apply
 * to a call with its own timeout.
 * @param progressExtendsTimeoutTo Total time limit for a call if the server reports
 * progress, each report of which restarts the timeout. It does not apply to a call with
 * its own timeout.
 * @param title Title of the tool, which replaces the server's.
 * @param description Description of the tool for models, which replaces the server's.
 * @param annotations Hints of the tool, each of which replaces the server's. Access is
 * determined by the server's hints alone; whether a call may be repeated, cached or made
 * without approval is determined by both.
 * @param arguments Arguments with a fixed value, which models do not see, and which
 * replace the arguments of a caller; may be secret. Each argument is a separate setting.
 * @param defaultArguments Arguments with a value for callers that do not specify them.
 * Each argument is a separate setting.
 * @param approval The calls that require the decision of an {@link McpToolApproval}.
 * @param rate Maximum rate of calls of all callers together, such as 60/m.
 * @param ratePerCaller Maximum rate of calls of each caller, such as 10/s; an
 * {@link McpCallerIdentity} identifies the callers.
 * @param cache How long a result may be reused for the same caller and arguments, for
 * tools that declare readOnlyHint and idempotentHint, unless annotations of a rule set
 * one of these to false.
 * @param cacheRegardlessOfHints Whether results may be reused regardless of the hints of
 * the tools.
 */
public record McpToolRule(List<String> tools, @Nullable Duration timeout, @Nullable Duration progressExtendsTimeoutTo,
		@Nullable String title, @Nullable String description, @Nullable ToolAnnotations annotations,
		Map<String, @Nullable Object> arguments, Map<String, @Nullable Object> defaultArguments,
		@Nullable Approval approval, @Nullable Rate rate, @Nullable Rate ratePerCaller, @Nullable Duration cache,
		@Nullable Boolean cacheRegardlessOfHints) {

	public McpToolRule {
		tools = (tools != null) ? List.copyOf(tools) : List.of();
		arguments = (arguments != null) ? Records.copy(arguments) : Map.of();
		defaultArguments = (defaultArguments != null) ? Records.copy(defaultArguments) : Map.of();
	}

	/**
	 * Create a builder for a rule.
	 * @param tools the patterns for the prefixed or original names of the tools that the
	 * rule applies to, with the syntax of {@code tools.filter}; at least one
	 */
	public static McpToolRuleBuilder builder(String... tools) {
		return new McpToolRuleBuilder(tools);
	}

	@Override
	public String toString() {
		// not the values of arguments
		return "McpToolRule" + this.tools;
	}

	/**
	 * The calls that need an approval.
	 */
	public enum Approval {

		/**
		 * No calls.
		 */
		NEVER,

		/**
		 * Calls of tools that do not declare {@code destructiveHint: false} or, without
		 * that hint, {@code readOnlyHint: true}.
		 */
		DESTRUCTIVE,

		/**
		 * All calls.
		 */
		ALWAYS

	}

	/**
	 * A number of calls per period.
	 *
	 * @param calls the number of calls that may be made at once
	 * @param period the time in which the same number of calls becomes available again,
	 * one by one at equal intervals
	 */
	public record Rate(int calls, Duration period) {

		private static final String INVALID = "This is not a rate. Write for instance 60/m, 5/s or 10/30s.";

		private static final Pattern TEXT = Pattern.compile("(\\d{1,9})\\s*/\\s*(\\d{0,5}(?:ms|s|m|h|d))");

		public Rate {
			Assert.isTrue(calls > 0 && period.toMillis() > 0 && period.toNanos() >= calls, INVALID);
		}

		/**
		 * Read a text such as {@code 60/m} or {@code 5/10s}.
		 * @throws IllegalArgumentException if the text is not a rate
		 */
		public static Rate of(String text) {
			Matcher matcher = TEXT.matcher(text.strip());
			Assert.isTrue(matcher.matches(), INVALID);
			String period = matcher.group(2);
			return new Rate(Integer.parseInt(matcher.group(1)), DurationFormatterUtils
				.parse(Character.isDigit(period.charAt(0)) ? period : "1" + period, DurationFormat.Style.SIMPLE));
		}

		/**
		 * Return the text that {@link #of} reads, with the largest unit that fits.
		 */
		public String text() {
			Unit unit = Stream.of(Unit.DAYS, Unit.HOURS, Unit.MINUTES, Unit.SECONDS)
				.filter((one) -> this.period.toMillis() % one.parse("1").toMillis() == 0)
				.findFirst()
				.orElse(Unit.MILLIS);
			long units = this.period.dividedBy(unit.parse("1"));
			return this.calls + "/" + ((units == 1) ? "" : units) + unit.asSuffix();
		}

		@Override
		public String toString() {
			return this.calls + " calls in " + ((this.period.toMillisPart() == 0) ? this.period.toSeconds() + " s"
					: this.period.toMillis() + " ms");
		}

	}

}
