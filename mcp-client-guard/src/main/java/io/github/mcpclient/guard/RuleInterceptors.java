package io.github.mcpclient.guard;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

import io.github.mcpclient.McpTool;
import io.github.mcpclient.McpToolApproval;
import io.github.mcpclient.McpToolInterceptor;
import io.github.mcpclient.McpToolInterceptor.Phase;
import io.github.mcpclient.McpToolResult;
import io.github.mcpclient.authorization.McpCallerIdentity;
import io.github.mcpclient.definition.McpServerDefinition.Tools;
import io.github.mcpclient.definition.McpToolRule;
import io.github.mcpclient.definition.McpToolRule.Approval;
import io.github.mcpclient.guard.CacheInterceptor.Key;
import io.github.mcpclient.internal.support.CallerContext;
import io.github.mcpclient.internal.support.MemoryBudget;
import io.github.mcpclient.internal.support.MemoryBudget.Cache;
import io.github.mcpclient.internal.support.RecentItems;
import io.github.mcpclient.internal.support.Records;
import io.github.mcpclient.spi.McpToolListingCustomizer.ListedTool;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import io.modelcontextprotocol.spec.McpSchema.ToolAnnotations;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/**
 * Applies the rules for single tools, by interceptors of their calls. Safe for use by
 * many threads.
 */
final class RuleInterceptors {

	// of a server
	private static final int MOST_CALLERS = 10_000;

	private final Supplier<McpToolApproval> approval;

	private final Mono<String> caller;

	private final Scheduler scheduler;

	/**
	 * Create an instance.
	 * @param approval resolved for the first call that needs it
	 * @param scheduler keeps the time, and signals the results of approvals
	 */
	RuleInterceptors(Supplier<McpToolApproval> approval, McpCallerIdentity callers, Scheduler scheduler) {
		this.approval = approval;
		this.caller = CallerContext.bound(() -> callers.identify().defaultIfEmpty(""));
		this.scheduler = scheduler;
	}

	/**
	 * Show a tool as its rules say, and intercept its calls.
	 */
	void apply(ListedTool tool) {
		ServerState server = tool.listing().state(ServerState.class, ServerState::new);
		ToolRules rules = server.rules(tool.listing().definition().tools());
		McpToolRule rule = rules.of(tool);
		List<McpToolInterceptor> interceptors = new ArrayList<>();
		if (rule != null) {
			tool.rule(rule, rules.timeoutSetting(tool, rule));
			tool.show(shown(tool.shown(), rule));
			add(server, tool.tool(), tool.shown(), rule, interceptors);
		}
		if (rules.isCached() && !(isReadOnly(tool.tool()) && isReadOnly(tool.shown()))
				&& interceptors.stream().noneMatch(CacheInterceptor.class::isInstance)) {
			interceptors.add(new WriteInterceptor(server.cache));
		}
		interceptors.forEach(tool::intercept);
	}

	private static Tool shown(Tool tool, McpToolRule rule) {
		return new Tool(tool.name(), (rule.title() != null) ? rule.title() : tool.title(),
				(rule.description() != null) ? rule.description() : tool.description(),
				ArgumentsInterceptor.isNeeded(rule) ? ArgumentsInterceptor.of(tool, rule).schema(tool.inputSchema())
						: tool.inputSchema(),
				tool.outputSchema(), annotations(tool.annotations(), rule.annotations()), tool.meta(), tool.icons());
	}

	private static @Nullable ToolAnnotations annotations(@Nullable ToolAnnotations ofServer,
			@Nullable ToolAnnotations ofRule) {
		return (ofServer == null || ofRule == null) ? ((ofRule != null) ? ofRule : ofServer)
				: Records.merge(ofRule, ofServer);
	}

	private void add(ServerState server, Tool tool, Tool shown, McpToolRule rule,
			List<McpToolInterceptor> interceptors) {
		if (ArgumentsInterceptor.isNeeded(rule)) {
			interceptors.add(ArgumentsInterceptor.of(tool, rule));
		}
		if (rule.approval() == Approval.ALWAYS
				|| (rule.approval() == Approval.DESTRUCTIVE && (isDestructive(tool) || isDestructive(shown)))) {
			interceptors.add(new ApprovalInterceptor(this.approval, this.scheduler));
		}
		if (rule.cache() != null
				&& (Boolean.TRUE.equals(rule.cacheRegardlessOfHints()) || (isCacheable(tool) && isCacheable(shown)))) {
			interceptors.add(new CacheInterceptor(rule.cache(), server.cache, this.caller, this.scheduler));
		}
		if (rule.ratePerCaller() != null) {
			interceptors.add(new RateInterceptor(Phase.RATE_PER_CALLER, rule.ratePerCaller(), server.ofCallers,
					this.caller, this.scheduler));
		}
		if (rule.rate() != null) {
			interceptors.add(new RateInterceptor(Phase.RATE, rule.rate(), server.ofAll, Mono.just(""), this.scheduler));
		}
	}

	/**
	 * Return the result of a call that was not executed.
	 */
	static Mono<McpToolResult> refused(McpTool tool, String reason) {
		return Mono
			.just(McpToolResult.error(tool.name(), "MCP tool '" + tool.name() + "' was not executed: " + reason));
	}

	private static boolean isDestructive(Tool tool) {
		Boolean destructive = (tool.annotations() != null) ? tool.annotations().destructiveHint() : null;
		return (destructive != null) ? destructive : !isReadOnly(tool);
	}

	private static boolean isReadOnly(Tool tool) {
		return tool.annotations() != null && Boolean.TRUE.equals(tool.annotations().readOnlyHint());
	}

	// always with the same result
	private static boolean isCacheable(Tool tool) {
		return isReadOnly(tool) && Boolean.TRUE.equals(tool.annotations().idempotentHint());
	}

	/**
	 * The rules of a server, and the state of calls of its tools.
	 */
	private static final class ServerState {

		private volatile @Nullable ToolRules rules;

		private final Cache<Key, McpToolResult> cache = CacheInterceptor.cache(MemoryBudget.ofCache());

		private final Map<Object, Object> ofAll = bounded();

		private final Map<Object, Object> ofCallers = bounded();

		private ToolRules rules(Tools settings) {
			ToolRules known = this.rules;
			if (known == null || known.settings() != settings) {
				known = new ToolRules(settings);
				this.rules = known;
			}
			return known;
		}

		// the most recent callers
		private static Map<Object, Object> bounded() {
			return Collections.synchronizedMap(RecentItems.map(MOST_CALLERS, true));
		}

	}

}
