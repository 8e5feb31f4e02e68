package io.github.mcpclient.definition;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.github.mcpclient.McpToolApproval;
import io.github.mcpclient.authorization.McpCallerIdentity;
import io.github.mcpclient.definition.McpToolRule.Approval;
import io.github.mcpclient.definition.McpToolRule.Rate;
import io.modelcontextprotocol.spec.McpSchema.ToolAnnotations;
import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;

/**
 * Builder for {@link McpToolRule}, see {@link McpServerDefinitionBuilder#toolRule}. A
 * setting that is not specified is determined by other rules. Every setter returns this
 * builder. Not thread-safe.
 */
public final class McpToolRuleBuilder {

	private final List<String> tools;

	private final Map<String, @Nullable Object> arguments = new LinkedHashMap<>();

	private final Map<String, @Nullable Object> defaultArguments = new LinkedHashMap<>();

	private @Nullable Duration timeout;

	private @Nullable Duration progressExtendsTimeoutTo;

	private @Nullable String title;

	private @Nullable String description;

	private @Nullable ToolAnnotations annotations;

	private @Nullable Approval approval;

	private @Nullable Rate rate;

	private @Nullable Rate ratePerCaller;

	private @Nullable Duration cache;

	private @Nullable Boolean cacheAnyway;

	McpToolRuleBuilder(String... tools) {
		Assert.notEmpty(tools, "The rule does not name the tools that it is for. Write '*' for all.");
		this.tools = List.of(tools);
	}

	/**
	 * Set the time limit for a call, which replaces {@code request-timeout}. It does not
	 * apply to a call with its own timeout.
	 */
	public McpToolRuleBuilder timeout(Duration timeout) {
		this.timeout = timeout;
		return this;
	}

	/**
	 * Set the total time limit for a call if the server reports progress, each report of
	 * which restarts the timeout. It does not apply to a call with its own timeout.
	 */
	public McpToolRuleBuilder progressExtendsTimeoutTo(Duration progressExtendsTimeoutTo) {
		this.progressExtendsTimeoutTo = progressExtendsTimeoutTo;
		return this;
	}

	/**
	 * Set the title of the tool, which replaces the server's.
	 */
	public McpToolRuleBuilder title(String title) {
		this.title = title;
		return this;
	}

	/**
	 * Set the description of the tool for models, which replaces the server's.
	 */
	public McpToolRuleBuilder description(String description) {
		this.description = description;
		return this;
	}

	/**
	 * Set hints of the tool, each of which replaces the server's; a hint that is
	 * {@code null} is not replaced. Access is determined by the server's hints alone;
	 * whether a call may be repeated, cached or made without approval is determined by
	 * both.
	 */
	public McpToolRuleBuilder annotations(ToolAnnotations annotations) {
		this.annotations = annotations;
		return this;
	}

	/**
	 * Add an argument with a fixed value, which models do not see, and which replaces the
	 * argument of a caller.
	 * @param value any JSON, as maps, lists and simple values; may be secret
	 */
	public McpToolRuleBuilder argument(String name, @Nullable Object value) {
		this.arguments.put(name, value);
		return this;
	}

	/**
	 * Add an argument with a value for callers that do not specify it.
	 * @param value any JSON, as maps, lists and simple values
	 */
	public McpToolRuleBuilder defaultArgument(String name, @Nullable Object value) {
		this.defaultArguments.put(name, value);
		return this;
	}

	/**
	 * Set the calls that require the decision of an {@link McpToolApproval}.
	 */
	public McpToolRuleBuilder approval(Approval approval) {
		this.approval = approval;
		return this;
	}

	/**
	 * Set the maximum rate of calls of all callers together.
	 */
	public McpToolRuleBuilder rate(Rate rate) {
		this.rate = rate;
		return this;
	}

	/**
	 * Set the maximum rate of calls of each caller; an {@link McpCallerIdentity}
	 * identifies the callers.
	 */
	public McpToolRuleBuilder ratePerCaller(Rate ratePerCaller) {
		this.ratePerCaller = ratePerCaller;
		return this;
	}

	/**
	 * Set how long a result may be reused for the same caller and arguments, for tools
	 * that declare {@code readOnlyHint} and {@code idempotentHint}, unless annotations of
	 * a rule set one of these to {@code false}.
	 */
	public McpToolRuleBuilder cache(Duration cache) {
		this.cache = cache;
		return this;
	}

	/**
	 * Set whether results may be reused regardless of the hints of the tools.
	 */
	public McpToolRuleBuilder cacheAnyway(boolean cacheAnyway) {
		this.cacheAnyway = cacheAnyway;
		return this;
	}

	/**
	 * Build the rule. Errors in it are reported when the definition is used: when the
	 * application starts, or when the server is added.
	 */
	public McpToolRule build() {
		return new McpToolRule(this.tools, this.timeout, this.progressExtendsTimeoutTo, this.title, this.description,
				this.annotations, this.arguments, this.defaultArguments, this.approval, this.rate, this.ratePerCaller,
				this.cache, this.cacheAnyway);
	}

}
