package io.github.mcpclient.tool;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BiPredicate;

import io.github.mcpclient.McpToolResult;
import io.github.mcpclient.connection.ToolConnection;
import io.github.mcpclient.support.HeapShare;
import io.github.mcpclient.support.JsonSize;
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

	// the one that was used last at the end
	private final Map<Key, Kept> all = new LinkedHashMap<>(0, 0.75F, true);

	private final HeapShare share;

	private long size;

	private long changes;

	/**
	 * Create a cache.
	 * @param share the memory for what is kept
	 */
	CallCache(HeapShare share) {
		this.share = share;
	}

	/**
	 * Return a number that another one follows whenever results are dropped.
	 */
	long changes() {
		synchronized (this.all) {
			return this.changes;
		}
	}

	@Nullable McpToolResult find(Key key, long now) {
		synchronized (this.all) {
			Kept kept = this.all.get(key);
			return (kept != null && now - kept.end < 0) ? kept.result : null;
		}
	}

	/**
	 * Keep a result, unless results were dropped since the call, or other servers have
	 * all the memory.
	 */
	void keep(Key key, Kept added, long now, long changes) {
		synchronized (this.all) {
			if (changes != this.changes || added.size > MAX_RESULT) {
				return;
			}
			remove((other, kept) -> other.equals(key) || now - kept.end >= 0);
			Iterator<Kept> eldest = this.all.values().iterator();
			while (this.all.size() >= MAX_RESULTS || this.size + added.size > MAX_SIZE
					|| !this.share.take(added.size)) {
				if (!eldest.hasNext()) {
					return;
				}
				removed(eldest.next());
				eldest.remove();
			}
			this.all.put(key, added);
			this.size += added.size;
		}
	}

	void drop() {
		drop((key, kept) -> true);
	}

	/**
	 * Drop the results of one connection.
	 */
	void drop(ToolConnection connection) {
		drop((key, kept) -> key.connection == connection);
	}

	private void drop(BiPredicate<Key, Kept> outdated) {
		synchronized (this.all) {
			this.changes++;
			remove(outdated);
		}
	}

	private void remove(BiPredicate<Key, Kept> outdated) {
		this.all.entrySet().removeIf((entry) -> {
			boolean removed = outdated.test(entry.getKey(), entry.getValue());
			if (removed) {
				removed(entry.getValue());
			}
			return removed;
		});
	}

	private void removed(Kept kept) {
		this.size -= kept.size;
		this.share.give(kept.size);
	}

	record Kept(McpToolResult result, long size, long end) {
	}

	/**
	 * What a result is the answer to.
	 *
	 * @param authorization that of the caller, or {@code null} for that of the connection
	 */
	record Key(String tool, ToolConnection connection, @Nullable Object authorization, String caller,
			String arguments) {

		@Override
		public String toString() {
			return this.tool;
		}

	}

}
