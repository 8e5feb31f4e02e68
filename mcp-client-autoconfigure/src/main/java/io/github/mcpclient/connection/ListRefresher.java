package io.github.mcpclient.connection;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import java.util.stream.Stream;

import io.github.mcpclient.support.SerialQueue;
import org.jspecify.annotations.Nullable;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Mono;

/**
 * Lists what the server of a READY generation has of one kind, one listing at a time: at
 * once where a caller asks for it, at a {@link ListPace} where the server causes it.
 * Lives on the serial queue.
 *
 * @param <T> the type of an item
 */
final class ListRefresher<T> {

	static final Duration DISTANCE = Duration.ofMillis(500);

	static final Duration LONGEST_DISTANCE = Duration.ofMinutes(1);

	/**
	 * The same for listings after a gap in what the server can announce. As a proxy may
	 * cut the streams of many servers at once, and again and again, each waits for up to
	 * this time before it begins.
	 */
	static final Duration GAP_DISTANCE = Duration.ofSeconds(5);

	static final Duration LONGEST_GAP_DISTANCE = Duration.ofMinutes(5);

	private final Generation generation;

	private final SerialQueue queue;

	private final ServerList<T> list;

	private final ListPace announcements = new ListPace(DISTANCE, LONGEST_DISTANCE);

	private final ListPace gaps = new ListPace(GAP_DISTANCE, LONGEST_GAP_DISTANCE);

	private Disposable timer = Disposables.disposed();

	private @Nullable Long lastEnd;

	private List<Consumer<@Nullable Throwable>> waiting = new ArrayList<>();

	/**
	 * Who is served by the listing that is running, if one is.
	 */
	private @Nullable List<Consumer<@Nullable Throwable>> served;

	private boolean stopped;

	ListRefresher(Generation generation, SerialQueue queue, ServerList<T> list) {
		this.generation = generation;
		this.queue = queue;
		this.list = list;
	}

	void announced() {
		this.announcements.request(Duration.ZERO, this.queue.nanoTime());
		next();
	}

	/**
	 * The server could not announce changes for a while.
	 */
	void gap() {
		Duration delay = Duration.ofNanos(ThreadLocalRandom.current().nextLong(GAP_DISTANCE.toNanos()));
		this.gaps.request(delay, this.queue.nanoTime());
		next();
	}

	/**
	 * List now, or right after the running listing, which may have begun too early to see
	 * what the caller wants to see.
	 * @param ended called on the serial queue at the end, with the failure if any
	 */
	void refresh(Consumer<@Nullable Throwable> ended) {
		this.waiting.add(ended);
		next();
	}

	/**
	 * List now, unless a listing is running: its outcome will do.
	 */
	void join(Consumer<@Nullable Throwable> ended) {
		if (this.served != null) {
			this.served.add(ended);
		}
		else {
			refresh(ended);
		}
	}

	void stop(Throwable cause) {
		this.stopped = true;
		this.timer.dispose();
		Stream.concat(Stream.ofNullable(this.served).flatMap(List::stream), this.waiting.stream())
			.toList()
			.forEach((ended) -> ended.accept(cause));
	}

	private void next() {
		if (this.stopped || this.served != null) {
			return;
		}
		long now = this.queue.nanoTime();
		Duration rest = !this.waiting.isEmpty() ? Duration.ZERO
				: Stream.of(this.announcements, this.gaps)
					.map((pace) -> pace.rest(now, this.lastEnd))
					.filter(Objects::nonNull)
					.min(Duration::compareTo)
					.orElse(null);
		this.timer.dispose();
		if (rest != null && (rest.isZero() || rest.isNegative())) {
			list();
		}
		else if (rest != null) {
			this.timer = this.queue.executeAfter(rest, this::next);
		}
	}

	private void list() {
		this.served = this.waiting;
		this.waiting = new ArrayList<>();
		this.announcements.listingBegins();
		this.gaps.listingBegins();
		this.queue.aside(() -> Mono.defer(() -> this.generation.session().list(this.list.kind()))
			.defaultIfEmpty(List.of())
			.subscribe((items) -> this.queue.execute(() -> listed(items)),
					(ex) -> this.queue.execute(() -> failed(ex))));
	}

	private void listed(List<T> items) {
		if (!this.stopped) {
			ended(this.list.listed(List.copyOf(items)), null);
		}
	}

	private void failed(Throwable failure) {
		// where the connection is lost, stop() follows
		if (!this.stopped && !this.generation.hasEnded()) {
			this.list.failed(failure);
			if (this.announcements.isRunning() || this.gaps.isRunning()) {
				this.announcements.request(Duration.ZERO, this.queue.nanoTime());
			}
			ended(false, failure);
		}
	}

	private void ended(boolean changed, @Nullable Throwable failure) {
		long now = this.queue.nanoTime();
		this.lastEnd = now;
		Stream.of(this.announcements, this.gaps)
			.filter(ListPace::isRunning)
			.forEach((pace) -> pace.listed(changed, now));
		List<Consumer<@Nullable Throwable>> served = Objects.requireNonNull(this.served);
		this.served = null;
		served.forEach((ended) -> ended.accept(failure));
		next();
	}

}
