package io.github.mcpclient.connection;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import java.util.function.Function;

import io.github.mcpclient.session.McpSession;
import io.github.mcpclient.support.SerialQueue;
import org.jspecify.annotations.Nullable;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Mono;

/**
 * Lists what the server of a READY generation has of one kind: one listing at a time. One
 * that the server causes, by announcing a change, keeps a distance from the last one,
 * which grows from {@link #DISTANCE} to {@link #LONGEST_DISTANCE} while such listings
 * bring nothing new, and is repeated where it fails. Lives on the serial queue.
 *
 * @param <T> the type of an item
 */
final class ListRefresher<T> {

	static final Duration DISTANCE = Duration.ofMillis(500);

	static final Duration LONGEST_DISTANCE = Duration.ofMinutes(1);

	/**
	 * The same for listings after a gap in what the server can tell. As a proxy may cut
	 * the streams of many servers at once, and again and again, each waits for up to this
	 * time before it begins.
	 */
	static final Duration GAP_DISTANCE = Duration.ofSeconds(5);

	static final Duration LONGEST_GAP_DISTANCE = Duration.ofMinutes(5);

	private final Generation generation;

	private final SerialQueue queue;

	private final Function<McpSession, Mono<List<T>>> listing;

	private final Owner<T> owner;

	private final ListPace announcements = new ListPace(DISTANCE, LONGEST_DISTANCE);

	private final ListPace gaps = new ListPace(GAP_DISTANCE, LONGEST_GAP_DISTANCE);

	private Disposable timer = Disposables.disposed();

	private boolean running;

	private boolean announced;

	private boolean gap;

	private long gapSince;

	private Duration gapDelay = Duration.ZERO;

	private @Nullable Long lastEnd;

	private List<Consumer<@Nullable Throwable>> waiting = new ArrayList<>();

	private List<Consumer<@Nullable Throwable>> served = new ArrayList<>();

	private boolean stopped;

	ListRefresher(Generation generation, SerialQueue queue, Function<McpSession, Mono<List<T>>> listing,
			Owner<T> owner) {
		this.generation = generation;
		this.queue = queue;
		this.listing = listing;
		this.owner = owner;
	}

	/**
	 * The server announced a change.
	 */
	void announced() {
		this.announced = true;
		next();
	}

	/**
	 * The server could not tell of changes for a while.
	 */
	void gap() {
		if (!this.gap) {
			this.gap = true;
			this.gapSince = this.queue.nanoTime();
			this.gapDelay = Duration.ofNanos(ThreadLocalRandom.current().nextLong(GAP_DISTANCE.toNanos()));
			next();
		}
	}

	/**
	 * List now, or right after the listing under way, which may have begun too early to
	 * see what the caller wants to see.
	 * @param ended told, on the serial queue, of the end, with the failure if any
	 */
	void refresh(Consumer<@Nullable Throwable> ended) {
		this.waiting.add(ended);
		next();
	}

	/**
	 * List now, unless a listing is under way: its outcome will do.
	 * @param ended told, on the serial queue, of the end, with the failure if any
	 */
	void join(Consumer<@Nullable Throwable> ended) {
		if (this.running) {
			this.served.add(ended);
		}
		else {
			refresh(ended);
		}
	}

	void stop(Throwable cause) {
		this.stopped = true;
		this.timer.dispose();
		tell(cause);
		this.served = this.waiting;
		tell(cause);
	}

	private void next() {
		if (this.stopped || this.running) {
			return;
		}
		if (!this.waiting.isEmpty()) {
			list();
		}
		else if (this.announced || this.gap) {
			Duration rest = rest();
			if (rest.isZero() || rest.isNegative()) {
				list();
			}
			else {
				this.timer.dispose();
				this.timer = this.queue.executeAfter(rest, this::next);
			}
		}
	}

	private Duration rest() {
		Duration announced = rest(this.announcements);
		if (!this.gap) {
			return announced;
		}
		Duration gap = Collections.max(List.of(rest(this.gaps), this.gapDelay.minus(this.queue.since(this.gapSince))));
		return (this.announced && announced.compareTo(gap) < 0) ? announced : gap;
	}

	private Duration rest(ListPace pace) {
		return (this.lastEnd != null) ? pace.distance().minus(this.queue.since(this.lastEnd)) : Duration.ZERO;
	}

	private void list() {
		this.timer.dispose();
		this.running = true;
		Cause cause = new Cause(this.announced, this.gap);
		this.announced = false;
		this.gap = false;
		this.served = this.waiting;
		this.waiting = new ArrayList<>();
		this.queue.aside(() -> Mono.defer(() -> this.listing.apply(this.generation.session()))
			.defaultIfEmpty(List.of())
			.subscribe((items) -> this.queue.execute(() -> listed(items, cause)),
					(ex) -> this.queue.execute(() -> failed(ex, cause))));
	}

	private void listed(List<T> items, Cause cause) {
		if (!this.stopped) {
			ended(cause, this.owner.listed(List.copyOf(items)), null);
		}
	}

	private void failed(Throwable failure, Cause cause) {
		// Where the connection is lost, that is what is told
		if (!this.stopped && !this.generation.hasEnded()) {
			this.owner.listingFailed(failure);
			this.announced |= cause.announced() || cause.gap();
			ended(cause, false, failure);
		}
	}

	private void ended(Cause cause, boolean changed, @Nullable Throwable failure) {
		this.running = false;
		long now = this.queue.nanoTime();
		this.lastEnd = now;
		if (cause.announced()) {
			this.announcements.listed(changed, now);
		}
		if (cause.gap()) {
			this.gaps.listed(changed, now);
		}
		tell(failure);
		next();
	}

	private void tell(@Nullable Throwable failure) {
		List<Consumer<@Nullable Throwable>> served = this.served;
		this.served = new ArrayList<>();
		served.forEach((ended) -> ended.accept(failure));
	}

	/**
	 * Told of each listing, on the serial queue.
	 *
	 * @param <T> the type of an item
	 */
	interface Owner<T> {

		/**
		 * A listing succeeded.
		 * @param items the items
		 * @return whether they differ from those before, if any
		 */
		boolean listed(List<T> items);

		/**
		 * A listing failed.
		 * @param failure why
		 */
		void listingFailed(Throwable failure);

	}

	/**
	 * What of the server's doing a listing is for.
	 *
	 * @param announced whether it announced a change
	 * @param gap whether it could not do so for a while
	 */
	private record Cause(boolean announced, boolean gap) {

	}

}
