package io.github.mcpclient.guard;

import io.github.mcpclient.McpToolResult;
import io.github.mcpclient.guard.CallCache.Key;
import io.github.mcpclient.internal.support.MemoryBudget;

/**
 * The results of the tools of one server that may be used again. Safe for use by many
 * threads.
 */
final class CallCache extends MemoryBudget.Cache<Key, McpToolResult> {

	/**
	 * The largest number of results.
	 */
	static final int MAX_RESULTS = 1000;

	/**
	 * The largest size of all of them, as {@link MemoryBudget#sizeOf} has it.
	 */
	static final long MAX_SIZE = 4 * 1024 * 1024;

	/**
	 * The largest size of one of them, which is not to displace all others.
	 */
	static final long MAX_RESULT = MAX_SIZE / 4;

	/**
	 * Create a cache.
	 * @param memory the memory for what is kept
	 */
	CallCache(MemoryBudget memory) {
		super(MAX_RESULTS, MAX_SIZE, MAX_RESULT, memory);
	}

	void drop() {
		drop((key) -> true);
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
