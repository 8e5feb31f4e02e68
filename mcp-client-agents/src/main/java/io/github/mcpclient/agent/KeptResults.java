package io.github.mcpclient.agent;

import java.time.Duration;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Stream;

import io.github.mcpclient.authorization.McpCallerIdentity;
import io.github.mcpclient.internal.support.CallerContext;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.util.context.ContextView;

/**
 * Stores results that were cut, for some time and only for their caller. Beyond the
 * limits, the oldest results are dropped: of the same caller of a server, or of the
 * caller with the largest share of the memory. Safe for use by many threads.
 */
final class KeptResults {

	// in bytes
	static final long MOST = most(Runtime.getRuntime().maxMemory());

	static final long MOST_OF_SERVER = MOST / 2;

	static final long MOST_OF_CALLER = MOST / 4;

	private static final Duration TICK = Duration.ofSeconds(10);

	private final Scheduler scheduler;

	private final McpCallerIdentity callers;

	// with all that follows guarded by its monitor, the oldest first
	private final Map<String, Kept> results = new LinkedHashMap<>();

	private final Map<Owner, Long> sizes = new LinkedHashMap<>();

	private boolean ticking;

	/**
	 * Create an instance.
	 * @param scheduler keeps the time
	 * @param callers identifies who calls
	 */
	KeptResults(Scheduler scheduler, McpCallerIdentity callers) {
		this.scheduler = scheduler;
		this.callers = callers;
	}

	/**
	 * Return how much of a heap stored results may take.
	 */
	static long most(long heap) {
		return Math.min(64 * 1024 * 1024, heap / 16);
	}

	/**
	 * Identify the caller in a context or on this thread; empty if that fails.
	 */
	Mono<String> caller(ContextView context) {
		return CallerContext.bound(() -> this.callers.identify().defaultIfEmpty(""))
			.contextWrite(context)
			.onErrorComplete();
	}

	/**
	 * Store a result of a server for a caller.
	 * @return its ID, which cannot be guessed, or {@code null} if it is too large
	 */
	@Nullable String keep(String server, String caller, KeptResult result, Duration time) {
		Kept kept = new Kept(new Owner(server, caller), result, now() + time.toNanos());
		if (kept.size() > MOST_OF_CALLER) {
			return null;
		}
		String id = UUID.randomUUID().toString();
		synchronized (this.results) {
			add(id, kept);
			removeExpired();
			removeSurplus(MOST_OF_CALLER, kept.owner()::equals);
			removeSurplus(MOST_OF_SERVER, (owner) -> owner.server().equals(server));
			removeSurplus(MOST, (owner) -> true);
			if (!this.ticking) {
				tick();
			}
		}
		return id;
	}

	/**
	 * Return the result with that ID if it is stored for this caller.
	 */
	@Nullable Kept find(String id, String caller) {
		synchronized (this.results) {
			removeExpired();
			Kept kept = this.results.get(id);
			return (kept != null && kept.owner().caller().equals(caller)) ? kept : null;
		}
	}

	private void expire() {
		synchronized (this.results) {
			removeExpired();
			this.ticking = false;
			if (!this.results.isEmpty()) {
				tick();
			}
		}
	}

	private void tick() {
		this.ticking = true;
		this.scheduler.schedule(this::expire, TICK.toNanos(), TimeUnit.NANOSECONDS);
	}

	private void removeExpired() {
		long now = now();
		this.results.entrySet()
			.stream()
			.filter((entry) -> entry.getValue().end() - now <= 0)
			.map(Map.Entry::getKey)
			.toList()
			.forEach(this::remove);
	}

	private void removeSurplus(long most, Predicate<Owner> counted) {
		while (sizes(counted).mapToLong(Map.Entry::getValue).sum() > most) {
			Owner largest = sizes(counted).max(Comparator.comparing(Map.Entry::getValue)).orElseThrow().getKey();
			remove(this.results.entrySet()
				.stream()
				.filter((entry) -> entry.getValue().owner().equals(largest))
				.findFirst()
				.orElseThrow()
				.getKey());
		}
	}

	private Stream<Map.Entry<Owner, Long>> sizes(Predicate<Owner> counted) {
		return this.sizes.entrySet().stream().filter((entry) -> counted.test(entry.getKey()));
	}

	private void add(String id, Kept kept) {
		this.results.put(id, kept);
		this.sizes.merge(kept.owner(), kept.size(), Long::sum);
	}

	private void remove(String id) {
		Kept kept = Objects.requireNonNull(this.results.remove(id));
		this.sizes.computeIfPresent(kept.owner(), (owner, size) -> (size > kept.size()) ? size - kept.size() : null);
	}

	private long now() {
		return this.scheduler.now(TimeUnit.NANOSECONDS);
	}

	record Owner(String server, String caller) {
	}

	record Kept(Owner owner, KeptResult result, long end) {

		// of characters of two bytes
		long size() {
			return 2L * (this.result.text().length() + this.result.json().length());
		}

	}

}
