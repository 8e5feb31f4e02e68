package io.github.mcpclient.internal.support;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The latest of many. Safe for use by many threads.
 *
 * @param <T> the type of each
 */
public final class RecentItems<T> {

	static final int MOST = 50;

	// small, as most servers are called seldom
	private final Deque<T> items = new ArrayDeque<>(0);

	/**
	 * Return a map that forgets what was put first if there are more. Not safe for use by
	 * many threads.
	 */
	public static <K, V> Map<K, V> map(int most) {
		return map(most, false);
	}

	/**
	 * Return a map that forgets what was put first, or used first, if there are more. Not
	 * safe for use by many threads.
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
	 * Add one, in place of the oldest if there are {@value #MOST}.
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
	 * Return what there is, the latest first.
	 */
	public List<T> list() {
		synchronized (this.items) {
			return List.copyOf(this.items);
		}
	}

}
