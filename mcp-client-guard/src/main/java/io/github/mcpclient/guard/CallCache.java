package io.github.mcpclient.guard;

import io.github.mcpclient.McpToolResult;
import io.github.mcpclient.internal.support.JsonSize;
import io.github.mcpclient.internal.support.MemoryBudget;
import io.github.mcpclient.internal.support.MemoryBudget.Cache.Kept;
import org.jspecify.annotations.Nullable;

/**
 * The results of the tools of one server that may be used again. Safe for use by many
 * threads.
 */
final class CallCache {

	/**
	 * The largest number of results.
	 */
	static final int MAX_RESULTS = 1000;

	/**
	 * The largest size of all of them, as {@link JsonSize} has it.
	 */
	static final long MAX_SIZE = 4 * 1024 * 1024;

	/**
	 * The largest size of one of them, which is not to displace all others.
	 */
	static final long MAX_RESULT = MAX_SIZE / 4;

	private final MemoryBudget.Cache<Key, McpToolResult> results;

	/**
	 * Create a cache.
	 * @param memory the memory for what is kept
	 */
	CallCache(MemoryBudget memory) {
		this.results = new MemoryBudget.Cache<>(MAX_RESULTS, MAX_SIZE, MAX_RESULT, memory);
	}

	/**
	 * Return a number that another one follows whenever results are dropped.
	 */
	long changes() {
		return this.results.changes();
	}

	@Nullable McpToolResult find(Key key, long now) {
		return this.results.find(key, now);
	}

	/**
	 * Keep a result, unless results were dropped since the call, or other servers have
	 * all the memory.
	 */
	void keep(Key key, Kept<McpToolResult> added, long now, long changes) {
		this.results.keep(key, added, now, changes);
	}

	void drop() {
		this.results.drop((key) -> true);
	}

	/**
	 * What a result is the answer to.
	 *
	 * @param identity as what the server sees the call
	 */
	record Key(Object identity, String caller, String arguments) {

		@Override
		public String toString() {
			return "Key";
		}

	}

}
