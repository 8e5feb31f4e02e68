package io.github.mcpclient.tool;

import java.util.function.Function;

import io.github.mcpclient.McpToolRequest;
import io.github.mcpclient.McpToolResult;
import reactor.core.publisher.Mono;

/**
 * Drops the results of a server when one of its tools may write, or may have written.
 */
record WriteStep(CallCache cache) implements RuleStep {

	@Override
	public Mono<McpToolResult> call(RuledCall call, McpToolRequest request,
			Function<McpToolRequest, Mono<McpToolResult>> next) {
		this.cache.drop();
		// before the caller knows
		return next.apply(request).doOnTerminate(this.cache::drop).doOnCancel(this.cache::drop);
	}

}
