package io.github.mcpclient.connection;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

import io.github.mcpclient.McpServerDefinition;
import io.github.mcpclient.McpServerFeatures.ExcludedItem;
import io.github.mcpclient.McpServerState;
import io.github.mcpclient.McpServerStatus;
import io.github.mcpclient.McpServerUnavailableException;
import io.github.mcpclient.connection.Generation.Change;
import io.github.mcpclient.session.McpSession;
import io.github.mcpclient.session.SessionTimeoutException;
import io.github.mcpclient.support.SerialQueue;
import io.github.mcpclient.transport.TransportException;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/**
 * The state machine of one connection. Whatever happens is brought to the serial queue,
 * and each change of state goes through {@link #transition}; readers see one immutable
 * {@link ConnectionState}. Code that is not ours runs aside from the queue.
 *
 * <p>
 * There is at most one timer: the deadline of the attempt while CONNECTING, the delay
 * before the next one while UNAVAILABLE. Keep-alive and refresh, while READY, have their
 * own.
 */
final class Supervisor implements Generation.Listener, ListRefresher.Owner<Tool> {

	private static final Logger logger = LoggerFactory.getLogger(McpConnection.class);

	private final Environment environment;

	private final McpServerDefinition definition;

	private final SerialQueue queue;

	private final Backoff backoff;

	private final McpConnectionListener listener;

	private final StateLog log;

	private final Attempt firstAttempt = new Attempt();

	private final Sinks.Empty<Void> closed = Sinks.empty();

	/**
	 * The generations that are being closed.
	 */
	private final Set<Generation> retired = new HashSet<>();

	private final AtomicReference<@Nullable Generation> toOpen = new AtomicReference<>();

	private volatile Mono<Void> predecessor = Mono.empty();

	private Disposable timer = Disposables.disposed();

	private final Contents contents;

	private final ToolHistory toolHistory;

	private @Nullable ListRefresher<Tool> refresher;

	private @Nullable KeepAlive keepAlive;

	private boolean toolsAnnounced;

	private boolean toolsListed;

	private long readySince;

	private volatile ConnectionState state;

	Supervisor(Environment environment, Backoff backoff, McpConnectionListener listener) {
		this.environment = environment;
		this.definition = environment.definition();
		this.queue = environment.queue();
		this.backoff = backoff;
		this.listener = listener;
		this.log = new StateLog(this.definition, environment.wording());
		this.toolHistory = new ToolHistory(environment.wording());
		this.contents = new Contents(environment, () -> tell(listener::promptsChanged),
				() -> tell(listener::resourcesChanged));
		McpServerState initial = this.definition.enabled() ? McpServerState.IDLE : McpServerState.DISABLED;
		this.state = ConnectionState.initial(initial, now(), this.firstAttempt);
		if (initial == McpServerState.DISABLED) {
			this.firstAttempt.end();
		}
	}

	ConnectionState state() {
		return this.state;
	}

	boolean isAwayFor(Duration duration) {
		Instant since = this.state.awaySince();
		return since != null && !now().isBefore(since.plus(duration));
	}

	Contents contents() {
		return this.contents;
	}

	ToolHistory toolHistory() {
		return this.toolHistory;
	}

	McpServerStatus status() {
		return status(this.state);
	}

	/**
	 * Return the moment at which all that has been reported so far is part of the state.
	 * @return completes then, aside from the queue
	 */
	Mono<Void> upToDate() {
		return aside(Mono.create((sink) -> this.queue.execute(sink::success)));
	}

	Mono<Void> firstAttempt() {
		return aside(this.firstAttempt.onEnd());
	}

	/**
	 * Return the end of a first start that is under way, and may take longer than other
	 * attempts.
	 */
	Mono<Void> firstStart() {
		return aside(Mono.defer(() -> {
			ConnectionState state = this.state;
			return (state.notice() != null) ? state.attempt().onEnd() : Mono.empty();
		}));
	}

	void follow(Supervisor predecessor) {
		this.predecessor = predecessor.onClosed();
		this.environment.firstStart().follow(predecessor.environment.firstStart());
	}

	void start() {
		this.queue.execute(() -> {
			if (is(McpServerState.IDLE)) {
				connect();
			}
		});
	}

	Mono<McpServerStatus> reconnect() {
		Sinks.One<McpServerStatus> result = Sinks.one();
		this.queue.execute(() -> {
			if (is(McpServerState.READY)) {
				drop();
			}
			if (is(McpServerState.IDLE) || is(McpServerState.UNAVAILABLE)) {
				this.backoff.reset();
				connect();
			}
			this.state.attempt().onEnd().subscribe(null, null, () -> result.tryEmitValue(status()));
		});
		return aside(result.asMono());
	}

	Mono<McpServerStatus> refresh() {
		Sinks.One<McpServerStatus> result = Sinks.one();
		this.queue.execute(() -> {
			if (this.refresher == null) {
				result.tryEmitError(new McpServerUnavailableException(status()));
				return;
			}
			Sinks.Empty<Void> others = Sinks.empty();
			this.contents.refresh(others::tryEmitEmpty);
			this.refresher.refresh((failure) -> {
				if (failure == null) {
					others.asMono().subscribe(null, null, () -> result.tryEmitValue(status()));
				}
				else {
					result.tryEmitError(this.environment.wording()
						.toException(failure, "tools/list", this.definition.timeouts().request()));
				}
			});
		});
		return aside(result.asMono());
	}

	Mono<Void> close(@Nullable String reason) {
		this.queue.execute(() -> doClose(reason));
		return onClosed();
	}

	Mono<Void> onClosed() {
		return aside(this.closed.asMono());
	}

	private void doClose(@Nullable String reason) {
		if (is(McpServerState.CLOSED)) {
			return;
		}
		ConnectionState previous = this.state;
		transition(previous.closed(now(), reason), this.log::closed);
		McpServerUnavailableException cause = new McpServerUnavailableException(status());
		leave(previous, cause);
		previous.attempt().end();
		this.retired.forEach(Generation::hurry);
		Mono.whenDelayError(predecessors()).subscribe(null, null, this.closed::tryEmitEmpty);
	}

	/**
	 * Begin an attempt, from IDLE or UNAVAILABLE.
	 */
	private void connect() {
		this.timer.dispose();
		this.toolsAnnounced = false;
		ConnectionState state = this.state;
		Generation generation = new Generation(this.environment, this);
		Attempt attempt = state.attempt().hasEnded() ? new Attempt() : state.attempt();
		transition(state.connecting(now(), generation, attempt), this.log::connecting);
		Mono.whenDelayError((this.definition.stdio() != null) ? predecessors() : List.<Mono<Void>>of())
			.subscribe(null, null, () -> this.queue.execute(() -> open(generation)));
	}

	/**
	 * Return the ends of all that came before. Two children of one server may be in each
	 * other's way; closing is bounded.
	 */
	private List<Mono<Void>> predecessors() {
		List<Mono<Void>> ends = new ArrayList<>(this.retired.stream().map(Generation::onClosed).toList());
		ends.add(this.predecessor);
		return ends;
	}

	private void open(Generation generation) {
		if (isCurrent(generation) && is(McpServerState.CONNECTING)) {
			Duration limit = generation.limit();
			this.timer = this.queue.executeAfter(limit, () -> {
				if (isCurrent(generation) && is(McpServerState.CONNECTING)) {
					generation.died(new SessionTimeoutException(generation.request(), limit));
				}
			});
			if (this.toOpen.getAndSet(generation) == null) {
				this.environment.blocking().execute(this::openLatest);
			}
		}
	}

	/**
	 * Where the code that makes transports hangs, one attempt at most waits for it.
	 */
	private void openLatest() {
		Generation generation = this.toOpen.getAndSet(null);
		if (generation != null) {
			generation.open();
		}
	}

	@Override
	public void opened(Generation generation, Handshake handshake) {
		this.queue.execute(() -> {
			// A dead one is reported as lost
			if (isCurrent(generation) && is(McpServerState.CONNECTING) && !generation.isDead()) {
				ready(generation, handshake);
			}
		});
	}

	private void ready(Generation generation, Handshake handshake) {
		this.timer.dispose();
		this.environment.firstStart().end();
		this.readySince = this.queue.nanoTime();
		Attempt attempt = this.state.attempt();
		listed(handshake.tools());
		transition(this.state.ready(now(), handshake), this.log::ready);
		this.refresher = new ListRefresher<>(generation, this.queue, McpSession::listTools, this);
		if (this.toolsAnnounced) {
			this.refresher.announced();
		}
		Duration interval = this.definition.timeouts().keepAliveInterval();
		if (interval != null) {
			this.keepAlive = new KeepAlive(generation, this.environment, interval,
					(latency) -> this.state = this.state.withLatency(latency));
			this.keepAlive.start();
		}
		this.contents.ready(generation, handshake.server().capabilities());
		attempt.end();
	}

	@Override
	public void lost(Generation generation, Throwable cause) {
		this.queue.execute(() -> {
			if (isCurrent(generation) && (is(McpServerState.CONNECTING) || is(McpServerState.READY))) {
				unavailable(cause, generation.request());
			}
		});
	}

	private void unavailable(Throwable cause, String request) {
		ConnectionState previous = this.state;
		boolean wasReady = previous.name() == McpServerState.READY;
		Duration delay = delay(wasReady, previous.generation(), cause);
		boolean atOnce = delay != null && delay.isZero();
		Attempt next = (wasReady && delay != null) ? previous.attempt() : new Attempt();
		transition(
				previous.unavailable(now(), this.environment.wording().describe(cause, request),
						(delay != null) ? now().plus(delay) : null, atOnce, next),
				(state) -> this.log.unavailable(state, cause, delay));
		leave(previous, cause);
		if (delay == null) {
			next.end();
		}
		else if (atOnce) {
			connect();
		}
		else {
			this.timer = this.queue.executeAfter(delay, () -> {
				if (this.state.attempt() == next && is(McpServerState.UNAVAILABLE)) {
					connect();
				}
			});
		}
		if (next != previous.attempt()) {
			previous.attempt().end();
		}
	}

	/**
	 * Return the time until the next attempt.
	 * @return the delay, or {@code null} where there is to be no attempt
	 */
	private @Nullable Duration delay(boolean wasReady, @Nullable Generation generation, Throwable cause) {
		if (!this.definition.reconnect().enabled()) {
			return null;
		}
		Duration lasted = wasReady ? this.queue.since(this.readySince) : Duration.ZERO;
		if (wasReady) {
			this.backoff.connectionEnded(lasted);
		}
		if (wasReady && generation != null && ErrorWording.isServerThere(cause)) {
			return this.backoff.nextAfterLostSession(lasted, generation.isUseful());
		}
		Duration delay = this.backoff.next();
		Duration asked = ErrorWording.retryAfter(cause);
		return (asked == null || asked.compareTo(delay) < 0) ? delay : this.backoff.bounded(asked);
	}

	/**
	 * Give up a connection because a new one is asked for.
	 */
	private void drop() {
		ConnectionState previous = this.state;
		this.backoff.connectionEnded(this.queue.since(this.readySince));
		TransportException cause = new TransportException("The connection was dropped to connect anew, as asked", null,
				null);
		transition(previous.unavailable(now(), cause.getMessage() + ".", now(), false, previous.attempt()),
				this.log::dropped);
		leave(previous, cause);
	}

	/**
	 * Stop all that belongs to the state that was left.
	 */
	private void leave(ConnectionState previous, Throwable cause) {
		this.timer.dispose();
		if (this.keepAlive != null) {
			this.keepAlive.stop();
			this.keepAlive = null;
		}
		if (this.refresher != null) {
			this.refresher.stop(cause);
			this.refresher = null;
		}
		this.contents.stop(cause);
		Generation generation = previous.generation();
		if (generation != null
				&& (previous.name() == McpServerState.CONNECTING || previous.name() == McpServerState.READY)) {
			this.retired.add(generation);
			generation.onClosed()
				.subscribe(null, null, () -> this.queue.execute(() -> this.retired.remove(generation)));
			this.queue.aside(() -> generation.retire(cause));
		}
	}

	@Override
	public void changed(Generation generation, Change change) {
		this.queue.execute(() -> {
			generation.taken(change);
			if (isCurrent(generation)) {
				switch (change) {
					case TOOLS -> toolsAnnounced();
					case PROMPTS -> this.contents.promptsAnnounced();
					case RESOURCES -> this.contents.resourcesAnnounced();
					case UNTOLD -> gap();
				}
			}
		});
	}

	@Override
	public void excluded(Generation generation, String kind, List<ExcludedItem> excluded) {
		this.queue.execute(() -> {
			if (isCurrent(generation)) {
				this.contents.excluded(kind, excluded);
			}
		});
	}

	private void toolsAnnounced() {
		if (this.refresher != null) {
			this.refresher.announced();
		}
		else if (is(McpServerState.CONNECTING)) {
			this.toolsAnnounced = true;
		}
	}

	private void gap() {
		if (this.refresher != null) {
			this.refresher.gap();
			this.contents.gap();
		}
		else {
			toolsAnnounced();
		}
	}

	@Override
	public boolean listed(List<Tool> tools) {
		this.log.listed();
		if (this.toolsListed && tools.equals(this.state.tools())) {
			return false;
		}
		this.toolsListed = true;
		this.toolHistory.listed(this.state.tools(), tools, now());
		this.state = this.state.withTools(tools);
		tell(() -> this.listener.toolsChanged(tools));
		return true;
	}

	@Override
	public void listingFailed(Throwable failure) {
		this.log.listingFailed(this.state, failure, this.environment.wording().describe(failure, "tools/list"));
	}

	/**
	 * The only way from one state to another.
	 */
	private void transition(ConnectionState next, Consumer<ConnectionState> log) {
		this.queue.assertInside();
		McpServerState previous = this.state.name();
		if (!isLegal(previous, next.name())) {
			throw new IllegalStateException("From " + previous + " to " + next.name());
		}
		this.state = next;
		log.accept(next);
		tell(() -> this.listener.stateChanged(previous, status(next)));
	}

	private static boolean isLegal(McpServerState from, McpServerState to) {
		return switch (to) {
			case CONNECTING -> from == McpServerState.IDLE || from == McpServerState.UNAVAILABLE;
			case READY -> from == McpServerState.CONNECTING;
			case UNAVAILABLE -> from == McpServerState.CONNECTING || from == McpServerState.READY;
			case CLOSED -> from != McpServerState.CLOSED;
			case DISABLED, IDLE -> false;
		};
	}

	private void tell(Runnable notification) {
		try {
			notification.run();
		}
		catch (Throwable ex) {
			// Even an Error, such as a missing class: the change goes on to its end
			logger.error("{}: a listener failed", this.environment.wording().server(), ex);
		}
	}

	private boolean is(McpServerState name) {
		return this.state.name() == name;
	}

	private boolean isCurrent(Generation generation) {
		return this.state.generation() == generation;
	}

	private McpServerStatus status(ConnectionState state) {
		return state.toStatus(this.definition, this.environment.wording(), this.contents.snapshot());
	}

	private Instant now() {
		return this.queue.instant();
	}

	/**
	 * Signals of the serial queue reach callers elsewhere.
	 */
	private <T> Mono<T> aside(Mono<T> signals) {
		return signals.publishOn(this.queue.scheduler());
	}

}
