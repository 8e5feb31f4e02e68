package io.github.mcpclient.internal.support;

import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiPredicate;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Limits the memory that the messages of one server may take while they are read, or wait
 * for code of the application: at most the memory that all servers together leave free of
 * a quarter of the heap. So one server that floods the client takes an eighth of the heap
 * at most, several take less each, and there is always memory for the next one. All
 * applications of a JVM share the heap, and therefore the budgets, by the names of the
 * servers. Thread-safe.
 */
public final class MemoryBudget {

	// of a value or a name: for example, an empty map in a list
	private static final int OVERHEAD = 64;

	private static final char LATIN = 0xFF;

	private static final Heap READ = new Heap(Runtime.getRuntime().maxMemory() / 4);

	private static final Heap CACHED = new Heap(Runtime.getRuntime().maxMemory() / 16);

	private final Heap heap;

	private final AtomicLong used = new AtomicLong();

	MemoryBudget(Heap heap) {
		this.heap = heap;
	}

	/**
	 * Return the budget of a server.
	 */
	public static MemoryBudget of(String serverName) {
		return READ.budget(serverName);
	}

	/**
	 * Return a budget for one cache, separate from the memory of messages: one sixteenth
	 * of the heap, for all caches of all servers together.
	 */
	public static MemoryBudget ofCache() {
		return CACHED.budget(new Object());
	}

	/**
	 * Return the approximate number of bytes in memory of the JSON that a server sent: a
	 * tree, or maps, lists and simple values.
	 */
	public static long sizeOf(@Nullable Object value) {
		if (value instanceof Map<?, ?> map) {
			return sizeOf(map.keySet()) + sizeOf(map.values());
		}
		if (value instanceof JsonNode tree && tree.isContainer()) {
			return sizeOf(tree.propertyNames()) + sizeOf(tree.values());
		}
		if (value instanceof Collection<?> items) {
			return OVERHEAD + items.stream().mapToLong(MemoryBudget::sizeOf).sum();
		}
		if (value instanceof JsonNode node) {
			return OVERHEAD + bytes(node.asString(""));
		}
		boolean isLong = value instanceof String || value instanceof BigInteger || value instanceof BigDecimal;
		return OVERHEAD + (isLong ? bytes(String.valueOf(value)) : 0);
	}

	// two for each character, unless all are Latin
	private static long bytes(String text) {
		for (int i = 0; i < text.length(); i++) {
			if (text.charAt(i) > LATIN) {
				return 2L * text.length();
			}
		}
		return text.length();
	}

	/**
	 * Take the given number of bytes, to be {@link #give given} back; return whether they
	 * are available.
	 */
	public boolean take(long bytes) {
		long all;
		do {
			all = this.heap.used.get();
			if (this.used.get() + bytes > this.heap.size - all - bytes) {
				return false;
			}
		}
		while (!this.heap.used.compareAndSet(all, all + bytes));
		this.used.addAndGet(bytes);
		return true;
	}

	/**
	 * Give back the given number of bytes.
	 */
	public void give(long bytes) {
		this.used.addAndGet(-bytes);
		this.heap.used.addAndGet(-bytes);
	}

	/**
	 * Return an object that holds memory for some time.
	 */
	public Lease lease() {
		return new Lease(this);
	}

	/**
	 * A budget that exists while it is in use.
	 */
	private static final class Named extends WeakReference<MemoryBudget> {

		private final Object name;

		private final AtomicLong used;

		Named(Object name, MemoryBudget budget) {
			super(budget, budget.heap.forgotten);
			this.name = name;
			this.used = budget.used;
		}

	}

	/**
	 * The memory of all servers.
	 */
	static final class Heap {

		private final long size;

		private final AtomicLong used = new AtomicLong();

		// a budget that is no longer used is garbage-collected, with its contents.
		// Spring's map of references would discard entries whose values are in use
		private final Map<Object, Named> budgets = new ConcurrentHashMap<>();

		private final ReferenceQueue<MemoryBudget> forgotten = new ReferenceQueue<>();

		Heap(long size) {
			this.size = size;
		}

		MemoryBudget budget(Object name) {
			for (Reference<?> next = this.forgotten.poll(); next != null; next = this.forgotten.poll()) {
				Named named = (Named) next;
				this.budgets.remove(named.name, named);
				this.used.addAndGet(-named.used.get());
			}
			MemoryBudget added = new MemoryBudget(this);
			MemoryBudget known = this.budgets
				.compute(name, (key, named) -> (named != null && !named.refersTo(null)) ? named : new Named(key, added))
				.get();
			return (known != null) ? known : budget(name);
		}

	}

	/**
	 * The memory held of a budget, given back as a whole. Not thread-safe.
	 */
	public static final class Lease implements AutoCloseable {

		private final MemoryBudget budget;

		private long held;

		private Lease(MemoryBudget budget) {
			this.budget = budget;
		}

		/**
		 * Take more bytes; return whether they are available.
		 */
		public boolean take(long bytes) {
			boolean taken = this.budget.take(bytes);
			this.held += taken ? bytes : 0;
			return taken;
		}

		/**
		 * Return the number of bytes that are held.
		 */
		public long held() {
			return this.held;
		}

		@Override
		public void close() {
			if (this.held != 0) {
				this.budget.give(this.held);
				this.held = 0;
			}
		}

	}

	/**
	 * A cache with a limited number and size of values, which expire: the least recently
	 * used values are dropped first. Thread-safe.
	 */
	public static class Cache<K, V> {

		private final int maxCount;

		private final long maxSize;

		private final long maxOne;

		private final MemoryBudget budget;

		// the most recently used value at the end
		private final Map<K, Kept<V>> all = new LinkedHashMap<>(0, 0.75F, true);

		private long size;

		private long changes;

		/**
		 * Create a cache.
		 * @param maxSize the maximum size of all values together, in bytes
		 * @param maxOne the maximum size of one value
		 * @param budget the memory of the cached values
		 */
		public Cache(int maxCount, long maxSize, long maxOne, MemoryBudget budget) {
			this.maxCount = maxCount;
			this.maxSize = maxSize;
			this.maxOne = maxOne;
			this.budget = budget;
		}

		/**
		 * Return a number that changes whenever a value is dropped.
		 */
		public final long changes() {
			synchronized (this.all) {
				return this.changes;
			}
		}

		/**
		 * Return the cached value, unless it has expired.
		 */
		public final @Nullable V find(K key, long now) {
			synchronized (this.all) {
				Kept<V> kept = this.all.get(key);
				return (kept != null && now - kept.end < 0) ? kept.value : null;
			}
		}

		/**
		 * Cache a value, unless a value was dropped since the given number of changes, or
		 * the memory is exhausted.
		 */
		public final void keep(K key, Kept<V> added, long now, long changes) {
			synchronized (this.all) {
				if (changes != this.changes || added.size > this.maxOne) {
					return;
				}
				removeIf((other, kept) -> other.equals(key) || now - kept.end >= 0);
				Iterator<Kept<V>> eldest = this.all.values().iterator();
				while (this.all.size() >= this.maxCount || this.size + added.size > this.maxSize
						|| !this.budget.take(added.size)) {
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

		/**
		 * Drop values, and have {@link #keep} ignore values whose {@link #changes} were
		 * read before.
		 */
		public final void drop(Predicate<K> outdated) {
			synchronized (this.all) {
				this.changes++;
				remove(outdated);
			}
		}

		/**
		 * Remove values, without affecting values that are being computed.
		 */
		public final void remove(Predicate<K> outdated) {
			synchronized (this.all) {
				removeIf((key, kept) -> outdated.test(key));
			}
		}

		private void removeIf(BiPredicate<K, Kept<V>> outdated) {
			this.all.entrySet().removeIf((entry) -> {
				boolean removed = outdated.test(entry.getKey(), entry.getValue());
				if (removed) {
					removed(entry.getValue());
				}
				return removed;
			});
		}

		private void removed(Kept<V> kept) {
			this.size -= kept.size;
			this.budget.give(kept.size);
		}

		/**
		 * A value, its size in bytes, and its expiry.
		 */
		public record Kept<V>(V value, long size, long end) {
		}

	}

}
