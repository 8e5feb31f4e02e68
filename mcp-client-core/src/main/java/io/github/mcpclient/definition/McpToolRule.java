package io.github.mcpclient.definition;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.github.mcpclient.McpToolApproval;
import io.github.mcpclient.authorization.McpCallerIdentity;
import io.github.mcpclient.support.Records;
import io.modelcontextprotocol.spec.McpSchema.ToolAnnotations;
import org.jspecify.annotations.Nullable;

import org.springframework.format.annotation.DurationFormat;
import org.springframework.format.datetime.standard.DurationFormatterUtils;

/**
 * A rule for some of the tools of a server. Of the rules that match a tool, the last one
 * that has a setting decides it; a setting that is {@code null} is left to the others. No
 * rule lets the application have a tool that its configuration excludes.
 *
 * @param tools Patterns for the prefixed or original names of the tools that the rule is
 * for, as those of tools.filter.
 * @param timeout How long a call may take, in place of request-timeout. A call that has a
 * timeout of its own keeps it.
 * @param title Title of the tool, in place of the server's.
 * @param description Description of the tool for models, in place of the server's.
 * @param annotations Hints of the tool, in place of the server's one by one. Access,
 * approval and repetition go by those of the server, unless these are stricter.
 * @param arguments Arguments with a fixed value, which models do not see, and which
 * replace those of a caller; may be secret. One by one.
 * @param defaultArguments Arguments with a value for callers that give none. One by one.
 * @param approval Which calls an {@link McpToolApproval} decides about.
 * @param rate How many calls all callers together may make, such as 60/m.
 * @param ratePerCaller How many calls each caller may make, such as 10/s; an
 * {@link McpCallerIdentity} tells them apart.
 * @param cache How long a result may be used again for the same caller and arguments, of
 * tools that say readOnlyHint and idempotentHint, and whose annotations do not deny it.
 * @param cacheAnyway Whether results may be used again whatever the tools say.
 */
public record McpToolRule(List<String> tools, @Nullable Duration timeout, @Nullable String title,
		@Nullable String description, @Nullable ToolAnnotations annotations, Map<String, Object> arguments,
		Map<String, Object> defaultArguments, @Nullable Approval approval, @Nullable String rate,
		@Nullable String ratePerCaller, @Nullable Duration cache, @Nullable Boolean cacheAnyway) {

	public McpToolRule {
		tools = (tools != null) ? List.copyOf(tools) : List.of();
		arguments = (arguments != null) ? Records.copy(arguments) : Map.of();
		defaultArguments = (defaultArguments != null) ? Records.copy(defaultArguments) : Map.of();
	}

	@Override
	public String toString() {
		// not the values of arguments
		return "McpToolRule" + this.tools;
	}

	/**
	 * Which calls are approved first.
	 */
	public enum Approval {

		/**
		 * None.
		 */
		NEVER,

		/**
		 * Those of tools that do not say {@code destructiveHint: false} or
		 * {@code readOnlyHint: true}.
		 */
		DESTRUCTIVE,

		/**
		 * All.
		 */
		ALWAYS

	}

	/**
	 * A number of calls in a time.
	 *
	 * @param calls how many calls may be made at once
	 * @param period the time after which as many again may be made; they come back evenly
	 */
	public record Rate(int calls, Duration period) {

		private static final Pattern TEXT = Pattern.compile("(\\d{1,9})\\s*/\\s*(\\d{0,5}(?:ms|s|m|h|d))");

		/**
		 * Read a text such as {@code 60/m} or {@code 5/10s}.
		 * @throws IllegalArgumentException if it is none
		 */
		public static Rate of(String text) {
			Matcher matcher = TEXT.matcher(text.strip());
			if (matcher.matches()) {
				String period = matcher.group(2);
				Rate rate = new Rate(Integer.parseInt(matcher.group(1)), DurationFormatterUtils
					.parse(Character.isDigit(period.charAt(0)) ? period : "1" + period, DurationFormat.Style.SIMPLE));
				if (rate.calls > 0 && rate.period.toNanos() >= rate.calls) {
					return rate;
				}
			}
			throw new IllegalArgumentException("This is not a rate");
		}

		@Override
		public String toString() {
			return this.calls + " calls in " + ((this.period.toMillisPart() == 0) ? this.period.toSeconds() + " s"
					: this.period.toMillis() + " ms");
		}

	}

}
