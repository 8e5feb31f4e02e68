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
 * has it decides; a setting that is {@code null} is left to the other rules. No rule
 * gives the application a tool that its configuration excludes. In code, use the builder:
 * the constructor is for binding, and later versions add components to it.
 *
 * @param tools Patterns for the prefixed or original names of the tools that the rule is
 * for, as those of tools.filter.
 * @param timeout How long a call may take, in place of request-timeout. A call that has a
 * timeout of its own keeps it.
 * @param progressExtendsTimeoutTo How long a call may take in all if the server reports
 * progress, each of which restarts its timeout. A call that has a timeout of its own
 * keeps it.
 * @param title Title of the tool, in place of the server's.
 * @param description Description of the tool for models, in place of the server's.
 * @param annotations Hints of the tool, each in place of that of the server. Access goes
 * by the server's hints alone; whether a call may be repeated, cached or made without
 * approval goes by both.
 * @param arguments Arguments with a fixed value, which models do not see, and which
 * replace those of a caller; may be secret. Each argument is a setting by itself.
 * @param defaultArguments Arguments with a value for callers that give none. Each
 * argument is a setting by itself.
 * @param approval Which calls an {@link McpToolApproval} decides about.
 * @param rate How many calls all callers together may make, such as 60/m.
 * @param ratePerCaller How many calls each caller may make, such as 10/s; an
 * {@link McpCallerIdentity} tells them apart.
 * @param cache How long a result may be reused for the same caller and arguments, for
 * tools that declare readOnlyHint and idempotentHint, unless annotations of a rule deny
 * one of these.
 * @param cacheAnyway Whether results may be reused whatever the tools declare.
 */
public record McpToolRule(List<String> tools, @Nullable Duration timeout, @Nullable Duration progressExtendsTimeoutTo,
		@Nullable String title, @Nullable String description, @Nullable ToolAnnotations annotations,
		Map<String, @Nullable Object> arguments, Map<String, @Nullable Object> defaultArguments,
		@Nullable Approval approval, @Nullable Rate rate, @Nullable Rate ratePerCaller, @Nullable Duration cache,
		@Nullable Boolean cacheAnyway) {

	public McpToolRule {
		tools = (tools != null) ? List.copyOf(tools) : List.of();
		arguments = (arguments != null) ? Records.copy(arguments) : Map.of();
		defaultArguments = (defaultArguments != null) ? Records.copy(defaultArguments) : Map.of();
	}

	/**
	 * Create a builder for a rule.
	 * @param tools the patterns for the prefixed or original names of the tools that the
	 * rule is for, as those of {@code tools.filter}; at least one
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
	 * Which calls need an approval.
	 */
	public enum Approval {

		/**
		 * None.
		 */
		NEVER,

		/**
		 * Those of tools that do not declare {@code destructiveHint: false} or, without
		 * that hint, {@code readOnlyHint: true}.
		 */
		DESTRUCTIVE,

		/**
		 * All.
		 */
		ALWAYS

	}

	/**
	 * A number of calls per period.
	 *
	 * @param calls how many calls may be made at once
	 * @param period the time in which as many calls become available again, one by one at
	 * equal intervals
	 */
	public record Rate(int calls, Duration period) {

		private static final String MISTAKE = "This is not a rate. Write for instance 60/m, 5/s or 10/30s.";

		private static final Pattern TEXT = Pattern.compile("(\\d{1,9})\\s*/\\s*(\\d{0,5}(?:ms|s|m|h|d))");

		public Rate {
			Assert.isTrue(calls > 0 && period.toMillis() > 0 && period.toNanos() >= calls, MISTAKE);
		}

		/**
		 * Read a text such as {@code 60/m} or {@code 5/10s}.
		 * @throws IllegalArgumentException if the text is not a rate
		 */
		public static Rate of(String text) {
			Matcher matcher = TEXT.matcher(text.strip());
			Assert.isTrue(matcher.matches(), MISTAKE);
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
