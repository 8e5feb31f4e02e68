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
 * Limits the memory that what one server sends may take while it is read, or waits for
 * code of the application: never more than all servers together leave free of a quarter
 * of the heap. So one that floods has an eighth of the heap at most, several have less
 * each, and there is always something left for the next. The heap is one for all
 * applications of a JVM, and so are the budgets, by the names of the servers. Safe for
 * use by many threads.
 */
public final class MemoryBudget {

	// of a value or a name: an empty map, for example, in a list
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
	 * Return a budget for one cache, apart from what is read: of a sixteenth of the heap,
	 * for all caches of all servers together.
	 */
	public static MemoryBudget ofCache() {
		return CACHED.budget(new Object());
	}

	/**
	 * Return roughly how many bytes the JSON that a server sent takes in memory: a tree,
	 * or maps, lists and simple values.
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
	 * Take so many bytes, to be {@link #give given} back; return whether there are so
	 * many.
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
	 * Give back what was taken.
	 */
	public void give(long bytes) {
		this.used.addAndGet(-bytes);
		this.heap.used.addAndGet(-bytes);
	}

	/**
	 * Return what is to hold memory for a while.
	 */
	public Lease lease() {
		return new Lease(this);
	}

	/**
	 * A budget that lives as long as somebody uses it.
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

		// a budget that nobody uses any more is forgotten, with all that it held. Not
		// Spring's map of references, which forgets entries whose values are in use
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
	 * What is held of a budget, given back as a whole. For one thread.
	 */
	public static final class Lease implements AutoCloseable {

		private final MemoryBudget budget;

		private long held;

		private Lease(MemoryBudget budget) {
			this.budget = budget;
		}

		/**
		 * Take so many bytes more; return whether there are so many.
		 */
		public boolean take(long bytes) {
			boolean taken = this.budget.take(bytes);
			this.held += taken ? bytes : 0;
			return taken;
		}

		/**
		 * Return how many bytes are held.
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
	 * What may be used again until it ends, within a number and a size: what was used
	 * longest ago goes first. Safe for use by many threads.
	 */
	public static class Cache<K, V> {

		private final int maxCount;

		private final long maxSize;

		private final long maxOne;

		private final MemoryBudget budget;

		// the one that was used last at the end
		private final Map<K, Kept<V>> all = new LinkedHashMap<>(0, 0.75F, true);

		private long size;

		private long changes;

		/**
		 * Create a cache.
		 * @param maxSize the largest size of all together, in bytes
		 * @param maxOne the largest size of one of them
		 * @param budget the memory for what is kept
		 */
		public Cache(int maxCount, long maxSize, long maxOne, MemoryBudget budget) {
			this.maxCount = maxCount;
			this.maxSize = maxSize;
			this.maxOne = maxOne;
			this.budget = budget;
		}

		/**
		 * Return a number that another one follows whenever something is dropped.
		 */
		public final long changes() {
			synchronized (this.all) {
				return this.changes;
			}
		}

		/**
		 * Return what is kept, unless it has ended.
		 */
		public final @Nullable V find(K key, long now) {
			synchronized (this.all) {
				Kept<V> kept = this.all.get(key);
				return (kept != null && now - kept.end < 0) ? kept.value : null;
			}
		}

		/**
		 * Keep a value, unless something was dropped since these changes, or others have
		 * all the memory.
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
		 * Drop values, and those of which the {@link #changes} were asked for before.
		 */
		public final void drop(Predicate<K> outdated) {
			synchronized (this.all) {
				this.changes++;
				remove(outdated);
			}
		}

		/**
		 * Remove values, but none that comes.
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
		 * A value, its size in bytes, and the time at which it ends.
		 */
		public record Kept<V>(V value, long size, long end) {
		}

	}

}
