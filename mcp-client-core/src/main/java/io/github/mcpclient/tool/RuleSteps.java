package io.github.mcpclient.tool;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.function.Supplier;

import io.github.mcpclient.McpServer.RecentCall;
import io.github.mcpclient.McpToolApproval;
import io.github.mcpclient.authorization.McpCallerIdentity;
import io.github.mcpclient.connection.ToolConnection;
import io.github.mcpclient.definition.McpToolRule;
import io.github.mcpclient.definition.McpToolRule.Approval;
import io.github.mcpclient.definition.McpToolRule.Rate;
import io.github.mcpclient.support.HeapShare;
import io.github.mcpclient.support.Latest;
import io.github.mcpclient.support.ServerThreads;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * Makes what the rules for tools do with their calls: arguments, then approval, cache and
 * rates. Safe for use by many threads.
 */
final class RuleSteps {

	/**
	 * For clients that make no calls, and for tests.
	 */
	static final RuleSteps NONE = new RuleSteps(() -> {
		throw new IllegalStateException("There is no McpToolApproval");
	}, Mono::empty, () -> {
		throw new IllegalStateException("There are no threads");
	}, Schedulers.immediate());

	// of a server
	private static final int MOST_CALLERS = 10_000;

	private final Supplier<McpToolApproval> approval;

	private final Mono<String> caller;

	private final Supplier<ServerThreads> threads;

	private final Scheduler scheduler;

	// for as long as the server is there, whatever it lists, and for whom; results that
	// are kept lead to their server, and are dropped with it
	private final Map<Latest<RecentCall>, ServerCalls> servers = Collections.synchronizedMap(new WeakHashMap<>());

	/**
	 * Create an instance.
	 * @param approval resolved for the first call that needs it
	 * @param threads where approvals may block
	 * @param scheduler keeps the time of approvals, and signals their results
	 */
	RuleSteps(Supplier<McpToolApproval> approval, McpCallerIdentity callers, Supplier<ServerThreads> threads,
			Scheduler scheduler) {
		this.approval = approval;
		this.caller = Callers.identify(callers);
		this.threads = threads;
		this.scheduler = scheduler;
	}

	/**
	 * Return what is done with the calls of a tool, in this order.
	 * @param rule the rule for it, or {@code null} if it has none
	 * @param cached whether results of other tools of the server are kept
	 */
	List<RuleStep> of(ToolServer server, Tool tool, Tool shown, @Nullable McpToolRule rule, boolean cached) {
		List<RuleStep> steps = new ArrayList<>();
		if (rule != null) {
			add(server, tool, shown, rule, steps);
		}
		if (cached && !(isReadOnly(tool) && isReadOnly(shown))
				&& steps.stream().noneMatch(CacheStep.class::isInstance)) {
			steps.add(new WriteStep(of(server).cache));
		}
		return List.copyOf(steps);
	}

	private void add(ToolServer server, Tool tool, Tool shown, McpToolRule rule, List<RuleStep> steps) {
		if (ArgumentsStep.isNeeded(rule)) {
			steps.add(ArgumentsStep.of(tool, rule));
		}
		if (rule.approval() == Approval.ALWAYS
				|| (rule.approval() == Approval.DESTRUCTIVE && (isDestructive(tool) || isDestructive(shown)))) {
			steps.add(new ApprovalStep(this.approval, this.threads, this.scheduler));
		}
		if (rule.cache() != null
				&& (Boolean.TRUE.equals(rule.cacheAnyway()) || (isCacheable(tool) && isCacheable(shown)))) {
			steps.add(new CacheStep(rule.cache(), of(server).cache, this.caller, this.scheduler));
		}
		if (rule.ratePerCaller() != null) {
			steps.add(new RateStep(Rate.of(rule.ratePerCaller()), of(server).ofCallers, this.caller));
		}
		if (rule.rate() != null) {
			steps.add(new RateStep(Rate.of(rule.rate()), of(server).ofAll, Mono.just("")));
		}
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

	private ServerCalls of(ToolServer server) {
		return this.servers.computeIfAbsent(server.calls(), (added) -> new ServerCalls());
	}

	/**
	 * A server, or what it lists, is another one now, or has gone: drop its results.
	 */
	void changed(ToolServer server) {
		ServerCalls calls = this.servers.get(server.calls());
		if (calls != null) {
			calls.cache.drop();
		}
	}

	/**
	 * What a server lists for a user may be something else than was known: drop the
	 * results of that user.
	 */
	void changed(ToolServer server, ToolConnection ofUser) {
		ServerCalls calls = this.servers.get(server.calls());
		if (calls != null) {
			calls.cache.drop(ofUser);
		}
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
