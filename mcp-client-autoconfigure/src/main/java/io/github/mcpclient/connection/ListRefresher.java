package io.github.mcpclient.connection;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;

import io.github.mcpclient.session.McpSession;
import org.jspecify.annotations.Nullable;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Mono;

/**
 * Lists what the server of a READY generation has of one kind: one listing at a time, and
 * where the server announces change after change, at most one every {@link #DISTANCE}.
 * Lives on the serial queue.
 *
 * @param <T> the type of an item
 */
final class ListRefresher<T> {

	/**
	 * The least time from the end of a listing to one that the server causes.
	 */
	static final Duration DISTANCE = Duration.ofMillis(500);

	private final Generation generation;

	private final SerialQueue queue;

	private final Function<McpSession, Mono<List<T>>> listing;

	private final Owner<T> owner;

	private Disposable timer = Disposables.disposed();

	private boolean running;

	private boolean announced;

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
		else if (this.announced) {
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
		return (this.lastEnd != null) ? DISTANCE.minus(this.queue.since(this.lastEnd)) : Duration.ZERO;
	}

	private void list() {
		this.timer.dispose();
		this.running = true;
		this.announced = false;
		this.served = this.waiting;
		this.waiting = new ArrayList<>();
		this.queue.aside(() -> Mono.defer(() -> this.listing.apply(this.generation.session()))
			.defaultIfEmpty(List.of())
			.subscribe((items) -> this.queue.execute(() -> listed(items)),
					(ex) -> this.queue.execute(() -> failed(ex))));
	}

	private void listed(List<T> items) {
		if (!this.stopped) {
			this.owner.listed(List.copyOf(items));
			ended(null);
		}
	}

	private void failed(Throwable failure) {
		// Where the connection is lost, that is what is told
		if (!this.stopped && !this.generation.hasEnded()) {
			this.owner.listingFailed(failure);
			ended(failure);
		}
	}

	private void ended(@Nullable Throwable failure) {
		this.running = false;
		this.lastEnd = this.queue.nanoTime();
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

		void listed(List<T> items);

		void listingFailed(Throwable failure);

	}

}
