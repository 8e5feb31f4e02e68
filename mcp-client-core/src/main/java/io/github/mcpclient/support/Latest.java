package io.github.mcpclient.support;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/**
 * The latest of many. Safe for use by many threads.
 *
 * @param <T> the type of each
 */
public final class Latest<T> {

	static final int MOST = 50;

	// small, as most servers are called seldom
	private final Deque<T> items = new ArrayDeque<>(0);

	/**
	 * Adds one, in place of the oldest if there are {@value #MOST}.
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
	 * Returns what there is, the latest first.
	 */
	public List<T> list() {
		synchronized (this.items) {
			return List.copyOf(this.items);
		}
	}

}
