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
 * Builds a {@link McpToolRule}, as {@link McpServerDefinitionBuilder#toolRule} has it. A
 * setting that is not given is left to other rules. Every setter returns this builder.
 * Not safe for use by many threads.
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
	 * Set how long a call may take, in place of {@code request-timeout}. A call that has
	 * a timeout of its own keeps it.
	 */
	public McpToolRuleBuilder timeout(Duration timeout) {
		this.timeout = timeout;
		return this;
	}

	/**
	 * Set how long a call may take in all if the server reports progress, each of which
	 * restarts its timeout. A call that has a timeout of its own keeps it.
	 */
	public McpToolRuleBuilder progressExtendsTimeoutTo(Duration progressExtendsTimeoutTo) {
		this.progressExtendsTimeoutTo = progressExtendsTimeoutTo;
		return this;
	}

	/**
	 * Set the title of the tool, in place of the server's.
	 */
	public McpToolRuleBuilder title(String title) {
		this.title = title;
		return this;
	}

	/**
	 * Set the description of the tool for models, in place of the server's.
	 */
	public McpToolRuleBuilder description(String description) {
		this.description = description;
		return this;
	}

	/**
	 * Set hints of the tool, each in place of that of the server; those that are
	 * {@code null} stay. Access goes by the server's hints alone; whether a call may be
	 * repeated, cached or made without approval goes by both.
	 */
	public McpToolRuleBuilder annotations(ToolAnnotations annotations) {
		this.annotations = annotations;
		return this;
	}

	/**
	 * Add an argument with a fixed value, which models do not see, and which replaces
	 * that of a caller.
	 * @param value any JSON, as maps, lists and simple values; may be secret
	 */
	public McpToolRuleBuilder argument(String name, @Nullable Object value) {
		this.arguments.put(name, value);
		return this;
	}

	/**
	 * Add an argument with a value for callers that give none.
	 * @param value any JSON, as maps, lists and simple values
	 */
	public McpToolRuleBuilder defaultArgument(String name, @Nullable Object value) {
		this.defaultArguments.put(name, value);
		return this;
	}

	/**
	 * Set which calls an {@link McpToolApproval} decides about.
	 */
	public McpToolRuleBuilder approval(Approval approval) {
		this.approval = approval;
		return this;
	}

	/**
	 * Set how many calls all callers together may make.
	 */
	public McpToolRuleBuilder rate(Rate rate) {
		this.rate = rate;
		return this;
	}

	/**
	 * Set how many calls each caller may make; an {@link McpCallerIdentity} tells them
	 * apart.
	 */
	public McpToolRuleBuilder ratePerCaller(Rate ratePerCaller) {
		this.ratePerCaller = ratePerCaller;
		return this;
	}

	/**
	 * Set how long a result may be reused for the same caller and arguments, for tools
	 * that declare {@code readOnlyHint} and {@code idempotentHint}, unless annotations of
	 * a rule deny one of these.
	 */
	public McpToolRuleBuilder cache(Duration cache) {
		this.cache = cache;
		return this;
	}

	/**
	 * Set whether results may be reused whatever the tools declare.
	 */
	public McpToolRuleBuilder cacheAnyway(boolean cacheAnyway) {
		this.cacheAnyway = cacheAnyway;
		return this;
	}

	/**
	 * Build the rule. Mistakes in it are reported when the definition is used: when the
	 * application starts, or when the server is added.
	 */
	public McpToolRule build() {
		return new McpToolRule(this.tools, this.timeout, this.progressExtendsTimeoutTo, this.title, this.description,
				this.annotations, this.arguments, this.defaultArguments, this.approval, this.rate, this.ratePerCaller,
				this.cache, this.cacheAnyway);
	}

}
