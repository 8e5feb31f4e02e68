package io.github.mcpclient.guard;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

import io.github.mcpclient.McpTool;
import io.github.mcpclient.McpToolInterceptor;
import io.github.mcpclient.McpToolRequest;
import io.github.mcpclient.McpToolResult;
import io.github.mcpclient.guard.CacheInterceptor.Key;
import io.github.mcpclient.internal.support.MemoryBudget;
import io.github.mcpclient.internal.support.MemoryBudget.Cache;
import io.github.mcpclient.internal.support.MemoryBudget.Cache.Kept;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * Returns the result of an earlier call of the same caller, with the same authorization
 * and arguments.
 *
 * @param caller who calls
 */
record CacheInterceptor(Duration time, Cache<Key, McpToolResult> cache, Mono<String> caller,
		Scheduler clock) implements McpToolInterceptor.Async {

	/**
	 * The largest number of results of a server.
	 */
	static final int MAX_RESULTS = 1000;

	/**
	 * The largest size of all results, as defined by {@link MemoryBudget#sizeOf}.
	 */
	static final long MAX_SIZE = 4 * 1024 * 1024;

	/**
	 * The largest size of one result, which must not displace all others.
	 */
	static final long MAX_RESULT = MAX_SIZE / 4;

	// the same text for the same arguments
	private static final JsonMapper JSON = JsonMapper.builder()
		.enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS)
		.build();

	/**
	 * Return a cache for the results of the tools of one server.
	 * @param memory the memory for cached results
	 */
	static Cache<Key, McpToolResult> cache(MemoryBudget memory) {
		return new Cache<>(MAX_RESULTS, MAX_SIZE, MAX_RESULT, memory);
	}

	@Override
	public Phase phase() {
		return Phase.CACHE;
	}

	@Override
	public Mono<McpToolResult> interceptAsync(McpTool tool, McpToolRequest request, Chain chain) {
		String arguments = json(List.of(request.arguments(), request.meta()));
		if (arguments == null) {
			return chain.proceedAsync(request);
		}
		// if no identity is available in time, the call that requests it again fails
		return Mono.zip(this.caller, chain.identity(), (caller, identity) -> new Key(identity, caller, arguments))
			.singleOptional()
			.flatMap((key) -> key.isPresent() ? call(request, chain, key.get()) : chain.proceedAsync(request));
	}

	private Mono<McpToolResult> call(McpToolRequest request, Chain chain, Key key) {
		long changes = this.cache.changes();
		McpToolResult kept = this.cache.find(key, now());
		return (kept != null) ? Mono.just(kept) : chain.proceedAsync(request)
			// that of the same call may have become another one
			.flatMap((result) -> result.isError() ? Mono.just(result)
					: chain.identity()
						.filter(key.identity()::equals)
						.doOnNext((same) -> keep(key, result, changes))
						.thenReturn(result));
	}

	private void keep(Key key, McpToolResult result, long changes) {
		long size = MemoryBudget.sizeOf(key.arguments()) + MemoryBudget.sizeOf(result.structuredContent())
				+ MemoryBudget.sizeOf(result.meta());
		try {
			size += MemoryBudget.sizeOf(JSON.<JsonNode>valueToTree(result.content()));
		}
		catch (JacksonException ex) {
			return;
		}
		this.cache.keep(key, new Kept<>(result, size, now() + this.time.toNanos()), now(), changes);
	}

	private long now() {
		return this.clock.now(TimeUnit.NANOSECONDS);
	}

	private static @Nullable String json(Object value) {
		try {
			return JSON.writeValueAsString(value);
		}
		catch (JacksonException ex) {
			return null;
		}
	}

	/**
	 * The call to which a cached result belongs.
	 *
	 * @param identity the authorization and headers of the call
	 */
	record Key(Object identity, String caller, String arguments) {

		@Override
		public String toString() {
			return "Key";
		}

	}

}
