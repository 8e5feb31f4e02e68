package io.github.mcpclient.guard;

import io.github.mcpclient.McpTool;
import io.github.mcpclient.McpToolInterceptor;
import io.github.mcpclient.McpToolRequest;
import io.github.mcpclient.McpToolResult;
import io.github.mcpclient.internal.support.MemoryBudget.Cache;
import reactor.core.publisher.Mono;

/**
 * Drops the cached results of a server when one of its tools may write, or may have
 * written.
 */
record WriteInterceptor(Cache<?, ?> cache) implements McpToolInterceptor.Async {

	@Override
	public Phase phase() {
		return Phase.CALL;
	}

	@Override
	public Mono<McpToolResult> interceptAsync(McpTool tool, McpToolRequest request, Chain chain) {
		drop();
		// before the caller receives the result
		return chain.proceedAsync(request).doOnTerminate(this::drop).doOnCancel(this::drop);
	}

	private void drop() {
		this.cache.drop((key) -> true);
	}

}
