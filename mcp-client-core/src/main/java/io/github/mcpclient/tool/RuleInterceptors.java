package io.github.mcpclient.tool;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.function.Supplier;

import io.github.mcpclient.McpTool;
import io.github.mcpclient.McpToolApproval;
import io.github.mcpclient.McpToolInterceptor;
import io.github.mcpclient.McpToolInterceptor.Phase;
import io.github.mcpclient.McpToolResult;
import io.github.mcpclient.authorization.McpCallerIdentity;
import io.github.mcpclient.definition.McpToolRule;
import io.github.mcpclient.definition.McpToolRule.Approval;
import io.github.mcpclient.definition.McpToolRule.Rate;
import io.github.mcpclient.support.HeapShare;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * Makes the interceptors of what the rules for tools do with their calls. Safe for use by
 * many threads.
 */
final class RuleInterceptors {

	/**
	 * For clients that make no calls, and for tests.
	 */
	static final RuleInterceptors NONE = new RuleInterceptors(() -> {
		throw new IllegalStateException("There is no McpToolApproval");
	}, Mono::empty, Schedulers.immediate());

	// of a server
	private static final int MOST_CALLERS = 10_000;

	private final Supplier<McpToolApproval> approval;

	private final Mono<String> caller;

	private final Scheduler scheduler;

	// for as long as the server is there, whatever it lists, and for whom
	private final Map<Object, ServerCalls> servers = Collections.synchronizedMap(new WeakHashMap<>());

	/**
	 * Create an instance.
	 * @param approval resolved for the first call that needs it
	 * @param scheduler keeps the time, and signals the results of approvals
	 */
	RuleInterceptors(Supplier<McpToolApproval> approval, McpCallerIdentity callers, Scheduler scheduler) {
		this.approval = approval;
		this.caller = Callers.identify(callers);
		this.scheduler = scheduler;
	}

	/**
	 * Return the interceptors of the calls of a tool.
	 * @param server what there is for as long as the server
	 * @param rule the rule for it, or {@code null} if it has none
	 * @param cached whether results of other tools of the server are kept
	 */
	List<McpToolInterceptor> of(Object server, Tool tool, Tool shown, @Nullable McpToolRule rule, boolean cached) {
		ServerCalls calls = this.servers.computeIfAbsent(server, (added) -> new ServerCalls());
		List<McpToolInterceptor> interceptors = new ArrayList<>();
		if (rule != null) {
			add(calls, tool, shown, rule, interceptors);
		}
		if (cached && !(isReadOnly(tool) && isReadOnly(shown))
				&& interceptors.stream().noneMatch(CacheInterceptor.class::isInstance)) {
			interceptors.add(new WriteInterceptor(calls.cache));
		}
		return List.copyOf(interceptors);
	}

	private void add(ServerCalls calls, Tool tool, Tool shown, McpToolRule rule,
			List<McpToolInterceptor> interceptors) {
		if (ArgumentsInterceptor.isNeeded(rule)) {
			interceptors.add(ArgumentsInterceptor.of(tool, rule));
		}
		if (rule.approval() == Approval.ALWAYS
				|| (rule.approval() == Approval.DESTRUCTIVE && (isDestructive(tool) || isDestructive(shown)))) {
			interceptors.add(new ApprovalInterceptor(this.approval, this.scheduler));
		}
		if (rule.cache() != null
				&& (Boolean.TRUE.equals(rule.cacheAnyway()) || (isCacheable(tool) && isCacheable(shown)))) {
			interceptors.add(new CacheInterceptor(rule.cache(), calls.cache, this.caller, this.scheduler));
		}
		if (rule.ratePerCaller() != null) {
			interceptors.add(new RateInterceptor(Phase.RATE_PER_CALLER, Rate.of(rule.ratePerCaller()), calls.ofCallers,
					this.caller, this.scheduler));
		}
		if (rule.rate() != null) {
			interceptors
				.add(new RateInterceptor(Phase.RATE, Rate.of(rule.rate()), calls.ofAll, Mono.just(""), this.scheduler));
		}
	}

	/**
	 * Return the result of a call that is not made.
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
	 * What calls of the tools of a server leave behind.
	 */
	private static final class ServerCalls {

		private final CallCache cache = new CallCache(HeapShare.ofCache());

		private final Map<Object, Object> ofAll = bounded();

		private final Map<Object, Object> ofCallers = bounded();

		// those that called last
		private static Map<Object, Object> bounded() {
			return Collections.synchronizedMap(new LinkedHashMap<>(16, 0.75f, true) {

				@Override
				protected boolean removeEldestEntry(Map.Entry<Object, Object> eldest) {
					return size() > MOST_CALLERS;
				}

			});
		}

	}

}
