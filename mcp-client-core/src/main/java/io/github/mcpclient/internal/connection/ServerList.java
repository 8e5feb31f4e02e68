package io.github.mcpclient.internal.connection;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

import io.github.mcpclient.internal.session.ItemKind;
import io.github.mcpclient.internal.session.ServerDescription;
import io.github.mcpclient.internal.session.SessionTimeoutException;
import io.github.mcpclient.internal.support.LogKeys;
import io.github.mcpclient.internal.support.SerialQueue;
import io.github.mcpclient.spi.TransportException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/**
 * The items of one kind of the server, which remain known while the connection is lost.
 * While it is READY there is one listing at a time: immediately if a caller requests it,
 * with a {@link ListThrottle} if the server causes it. Runs on the serial queue, except
 * for {@link #known()}, {@link #items()} and {@link #get}.
 *
 * @param <T> the type of an item
 */
final class ServerList<T> {

	static final Duration DISTANCE = Duration.ofMillis(500);

	static final Duration LONGEST_DISTANCE = Duration.ofMinutes(1);

	// The same for listings after a gap in the announcements of the server. As a proxy
	// may interrupt the streams of
	// many servers at once, each first waits for up to this time.
	static final Duration GAP_DISTANCE = Duration.ofSeconds(5);

	static final Duration LONGEST_GAP_DISTANCE = Duration.ofMinutes(5);

	private static final Logger logger = LoggerFactory.getLogger(ConnectionContext.LOGGER);

	private final ItemKind<T> kind;

	private final boolean enabled;

	private final ConnectionContext context;

	private final SerialQueue queue;

	private final BiConsumer<@Nullable List<T>, List<T>> changed;

	private final ReportedFailures failures = new ReportedFailures();

	// the READY generation, if it has such items
	private @Nullable Generation generation;

	// the throttle of announcements, and of gaps, of a generation
	private List<ListThrottle> throttles = List.of();

	private Disposable timer = Disposables.disposed();

	private @Nullable Long lastEnd;

	private List<Consumer<@Nullable Throwable>> waiting = new ArrayList<>();

	// the callers that wait for the current listing, if any
	private @Nullable List<Consumer<@Nullable Throwable>> served;

	// whether a change was announced before the connection was READY
	private boolean announced;

	private volatile @Nullable List<T> known;

	/**
	 * Create a list.
	 * @param enabled whether to list such items
	 * @param changed called with the previous items, if any, and the current ones
	 */
	ServerList(ItemKind<T> kind, boolean enabled, ConnectionContext context,
			BiConsumer<@Nullable List<T>, List<T>> changed) {
		this.kind = kind;
		this.enabled = enabled;
		this.context = context;
		this.queue = context.queue();
		this.changed = changed;
	}

	ItemKind<T> kind() {
		return this.kind;
	}

	/**
	 * Return the items, or {@code null} if they were never listed.
	 */
	@Nullable List<T> known() {
		return this.known;
	}

	List<T> items() {
		List<T> known = this.known;
		return (known != null) ? known : List.of();
	}

	/**
	 * Return the items once they are known, for a connection that is READY; fails if the
	 * listing fails.
	 */
	Mono<List<T>> get(Duration timeout) {
		Mono<List<T>> list = Mono.create((sink) -> this.queue.execute(() -> {
			Consumer<@Nullable Throwable> ended = (failure) -> {
				if (failure != null) {
					sink.error(failure);
				}
				else {
					sink.success(this.known);
				}
			};
			if (this.known != null) {
				sink.success(this.known);
			}
			else if (this.generation == null) {
				sink.error(new TransportException("The connection was lost", null, false, null));
			}
			else if (this.served != null) {
				this.served.add(ended);
			}
			else {
				refresh(ended);
			}
		}));
		Scheduler scheduler = this.queue.scheduler();
		return list.publishOn(scheduler)
			.timeout(timeout, Mono.error(() -> new SessionTimeoutException(this.kind.method(), timeout)), scheduler);
	}

	void start(Generation generation, ServerDescription server) {
		// tools may be the tools for resources
		if (!this.enabled || (this.kind != ItemKind.TOOLS && !server.mayHave(this.kind.setting()))) {
			listed(List.of());
			return;
		}
		this.generation = generation;
		this.throttles = List.of(new ListThrottle(DISTANCE, LONGEST_DISTANCE),
				new ListThrottle(GAP_DISTANCE, LONGEST_GAP_DISTANCE));
		this.lastEnd = null;
		if (this.announced) {
			announced();
		}
	}

	void stop(Throwable cause) {
		this.announced = false;
		this.generation = null;
		this.timer.dispose();
		List<Consumer<@Nullable Throwable>> all = this.waiting;
		if (this.served != null) {
			all.addAll(0, this.served);
		}
		this.served = null;
		this.waiting = new ArrayList<>();
		all.forEach((ended) -> ended.accept(cause));
	}

	void announced() {
		request(0, Duration.ZERO);
	}

	/**
	 * Handle a period in which the server could not announce changes.
	 */
	void gap() {
		request(1, Duration.ofNanos(ThreadLocalRandom.current().nextLong(GAP_DISTANCE.toNanos())));
	}

	private void request(int throttle, Duration delay) {
		this.announced = true;
		if (this.generation != null) {
			this.throttles.get(throttle).request(delay, this.queue.nanoTime());
			next();
		}
	}

	/**
	 * List now, or immediately after the current listing, which may have begun before the
	 * change that the caller expects.
	 * @param ended called on the serial queue at the end, with the failure if any
	 */
	void refresh(Consumer<@Nullable Throwable> ended) {
		if (this.generation == null) {
			ended.accept(null);
			return;
		}
		this.waiting.add(ended);
		next();
	}

	private void next() {
		Generation generation = this.generation;
		if (generation == null || this.served != null) {
			return;
		}
		long now = this.queue.nanoTime();
		Duration rest = !this.waiting.isEmpty() ? Duration.ZERO
				: this.throttles.stream()
					.map((throttle) -> throttle.rest(now, this.lastEnd))
					.filter(Objects::nonNull)
					.min(Duration::compareTo)
					.orElse(null);
		this.timer.dispose();
		if (rest != null && (rest.isZero() || rest.isNegative())) {
			list(generation);
		}
		else if (rest != null) {
			this.timer = this.queue.executeAfter(rest, this::next);
		}
	}

	private void list(Generation generation) {
		this.served = this.waiting;
		this.waiting = new ArrayList<>();
		this.throttles.forEach(ListThrottle::listingBegins);
		this.queue.aside(() -> Mono.defer(() -> generation.list(this.kind))
			.defaultIfEmpty(List.of())
			.subscribe((items) -> this.queue.execute(() -> ended(generation, items, null)),
					(ex) -> this.queue.execute(() -> ended(generation, List.of(), ex))));
	}

	private void ended(Generation generation, List<T> items, @Nullable Throwable failure) {
		List<Consumer<@Nullable Throwable>> served = this.served;
		// if the connection is lost, stop() follows
		if (this.generation != generation || served == null || (failure != null && generation.hasEnded())) {
			return;
		}
		long now = this.queue.nanoTime();
		boolean changed = false;
		if (failure == null) {
			changed = listed(List.copyOf(items));
		}
		else {
			failed(failure);
			generation.failed(failure, this.kind.method());
			if (this.throttles.stream().anyMatch(ListThrottle::isRunning)) {
				this.throttles.get(0).request(Duration.ZERO, now);
			}
		}
		this.lastEnd = now;
		this.served = null;
		for (ListThrottle throttle : this.throttles) {
			throttle.listingEnds(changed, now);
		}
		served.forEach((ended) -> ended.accept(failure));
		next();
	}

	/**
	 * Receive a list, and return whether it differs from the previous one.
	 */
	boolean listed(List<T> items) {
		this.failures.forget();
		List<T> before = this.known;
		if (items.equals(before)) {
			return false;
		}
		this.known = items;
		this.changed.accept(before, items);
		return true;
	}

	private void failed(Throwable failure) {
		ErrorWording wording = this.context.wording();
		String reason = wording.describe(failure, this.kind.method());
		// the end of a connection is reported in any case; effects on tools are not
		boolean reported = !this.failures.isNew(failure, reason)
				|| (this.kind != ItemKind.TOOLS && FailureKind.isConnectionFailure(failure));
		int count = items().size();
		logger.atLevel(reported ? Level.DEBUG : Level.WARN)
			.addKeyValue(LogKeys.SERVER, this.context.definition().name())
			.addKeyValue(LogKeys.CAUSE, reason)
			.log("{}: its {} could not be listed: {} It keeps {} until a listing succeeds", wording.server(),
					this.kind.plural(), reason,
					(count == 1) ? "1 " + this.kind.singular() : count + " " + this.kind.plural());
	}

}
