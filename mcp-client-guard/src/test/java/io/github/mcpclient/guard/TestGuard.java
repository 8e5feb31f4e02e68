package io.github.mcpclient.guard;

import java.time.Duration;

import io.github.mcpclient.McpToolApproval;
import io.github.mcpclient.authorization.McpCallerIdentity;
import io.github.mcpclient.internal.support.ServerThreads;
import io.github.mcpclient.spi.McpToolPinStore;
import io.github.mcpclient.spi.McpToolPinStore.ApprovedTool;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/**
 * Parts of the guard, for tests of catalogs.
 */
public final class TestGuard {

	public static final Duration RETRY = ToolPins.RETRY;

	private TestGuard() {
	}

	/**
	 * A guard with a time of its own.
	 */
	public static McpGuard of(@Nullable McpToolPinStore store, boolean pinFirstListing, ServerThreads threads,
			Scheduler scheduler) {
		McpCallerIdentity callers = Mono::empty;
		McpToolApproval approval = (tool, request) -> Mono.empty();
		ToolPins pins = (store != null) ? new ToolPins(store, pinFirstListing, threads, scheduler) : null;
		RuleInterceptors rules = new RuleInterceptors(() -> approval, callers, scheduler);
		return new McpGuard(pinFirstListing, () -> pins, () -> rules);
	}

	/**
	 * What approves a tool.
	 */
	public static ApprovedTool approved(Tool tool) {
		PinnedDefinition definition = PinnedDefinition.of(tool);
		return new ApprovedTool(tool.name(), definition.hash(), definition.json());
	}

}
