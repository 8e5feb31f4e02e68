package io.github.mcpclient.support;

import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.stream.IntStream;

/**
 * The latest of many. Safe for use by many threads, which do not wait for each other.
 *
 * @param <T> the type of each
 */
public final class Latest<T> {

	static final int MOST = 50;

	private final AtomicReferenceArray<T> ring = new AtomicReferenceArray<>(MOST);

	private final AtomicLong added = new AtomicLong();

	/**
	 * Adds one, in place of the oldest if there are {@value #MOST}.
	 */
	public void add(T item) {
		this.ring.set((int) (this.added.getAndIncrement() % MOST), item);
	}

	/**
	 * Returns what there is, the latest first.
	 */
	public List<T> list() {
		long added = this.added.get();
		return IntStream.rangeClosed(1, MOST)
			.mapToObj((i) -> this.ring.get(Math.floorMod(added - i, MOST)))
			.filter(Objects::nonNull)
			.toList();
	}

}
