package io.github.mcpclient.internal.support;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The latest of many items. Thread-safe.
 *
 * @param <T> the type of the items
 */
public final class RecentItems<T> {

	static final int MOST = 50;

	// small, since most servers are called rarely
	private final Deque<T> items = new ArrayDeque<>(0);

	/**
	 * Return a map with a maximum size that discards the oldest entry. Not thread-safe.
	 */
	public static <K, V> Map<K, V> map(int most) {
		return map(most, false);
	}

	/**
	 * Return a map with a maximum size that discards the oldest, or least recently used,
	 * entry. Not thread-safe.
	 */
	public static <K, V> Map<K, V> map(int most, boolean byUse) {
		return new LinkedHashMap<>(16, 0.75f, byUse) {

			@Override
			protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
				return size() > most;
			}

		};
	}

	/**
	 * Add an item, and discard the oldest if there are {@value #MOST}.
	 */
	public void add(T item) {
		synchronized (this.items) {
			if (this.items.size() == MOST) {
				this.items.removeLast();
			}
			this.items.addFirst(item);
		}
	}

	/**
	 * Return the items, the latest first.
	 */
	public List<T> list() {
		synchronized (this.items) {
			return List.copyOf(this.items);
		}
	}

}
