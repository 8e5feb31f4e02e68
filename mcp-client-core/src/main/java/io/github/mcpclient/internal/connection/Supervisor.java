package io.github.mcpclient.internal.connection;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

import io.github.mcpclient.McpException;
import io.github.mcpclient.McpServerState;
import io.github.mcpclient.McpServerStatus;
import io.github.mcpclient.McpServerStatus.StepKind;
import io.github.mcpclient.McpServerUnavailableException;
import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.internal.connection.Generation.Opened;
import io.github.mcpclient.internal.session.ItemKind;
import io.github.mcpclient.internal.session.SessionTimeoutException;
import io.github.mcpclient.internal.support.LogLimit;
import io.github.mcpclient.internal.support.SerialQueue;
import io.github.mcpclient.spi.TransportException;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

import org.springframework.util.Assert;

/**
 * The state machine of one connection. All events are passed to the serial queue, and
 * each change of state is made by {@link #transition}. There is at most one timer: the
 * deadline of the attempt while CONNECTING, the delay before the next one while
 * UNAVAILABLE. Keep-alive and listings, while READY, have their own.
 *
 * <p>
 * Transports, sessions, timers and callers only report. A report may be late, so the task
 * on the queue first checks whether it is still relevant:
 *
 * <pre class="code">
 * public void lost(Generation generation, Throwable cause) {
 * 	this.queue.execute(() -&gt; {
 * 		if (isLive(generation)) {
 * 			unavailable(cause, generation.request());
 * 		}
 * 	});
 * }
 * </pre>
 *
 * <p>
 * So there are no locks, a signal of an earlier generation changes nothing, and
 * {@link #state()} returns to any thread one immutable, consistent state.
 */
final class Supervisor implements Generation.Owner {

	private static final Logger logger = LoggerFactory.getLogger(ConnectionContext.LOGGER);

	private final ConnectionContext context;

	private final McpServerDefinition definition;

	private final SerialQueue queue;

	private final Backoff backoff;

	private final McpConnectionListener listener;

	private final StateLog log;

	private final ServerLog serverLog;

	private final FirstStart firstStart;

	private final ServerLists lists;

	private final ToolHistory toolHistory;

	private final Sinks.Empty<Void> firstAttempt = Sinks.empty();

	private final Sinks.Empty<Void> closed = Sinks.empty();

	private final Sinks.Empty<Void> closingNow = Sinks.empty();

	// the generations that are being closed
	private final Set<Generation> retired = new HashSet<>();

	private final AtomicReference<@Nullable Generation> toOpen = new AtomicReference<>();

	private volatile Mono<Void> predecessor = Mono.empty();

	private Disposable timer = Disposables.disposed();

	// the turn of the attempt while CONNECTING
	private Disposable turn = Disposables.disposed();

	private long readySince;

	private @Nullable String needsLogin;

	private volatile ConnectionState state;

	Supervisor(ConnectionContext context, Backoff backoff) {
		this.context = context;
		this.definition = context.definition();
		this.queue = context.queue();
		this.backoff = backoff;
		this.listener = context.listener();
		this.log = new StateLog(this.definition, context.wording(), context.ofUser());
		this.serverLog = new ServerLog(this.definition.name(), context.wording(), new LogLimit(this.queue::nanoTime));
		this.firstStart = new FirstStart(this.definition);
		this.toolHistory = new ToolHistory(context.wording());
		this.lists = new ServerLists(context, this::toolsChanged, () -> notify(this.listener::promptsChanged),
				() -> notify(this.listener::resourcesChanged));
		McpServerState initial = this.definition.enabled() ? McpServerState.IDLE : McpServerState.DISABLED;
		this.state = ConnectionState.initial(initial, context.now(), this.firstAttempt);
		if (initial == McpServerState.DISABLED) {
			this.firstAttempt.tryEmitEmpty();
		}
	}

	ConnectionState state() {
		return this.state;
	}

	boolean isAwayFor(Duration duration) {
		Instant since = this.state.awaySince();
		return since != null && !this.context.now().isBefore(since.plus(duration));
	}

	ServerLists lists() {
		return this.lists;
	}

	ToolHistory toolHistory() {
		return this.toolHistory;
	}

	McpServerStatus status() {
		return this.state.toStatus(this.definition, this.lists, this.context.users().getAsInt(),
				this.context.deviations().list());
	}

	/**
	 * Return a signal that completes when all earlier reports are part of the state.
	 */
	Mono<Void> upToDate() {
		return aside(Mono.create((sink) -> this.queue.execute(sink::success)));
	}

	Mono<Void> firstAttempt() {
		return aside(this.firstAttempt.asMono());
	}

	/**
	 * Return a signal that completes when the very first attempt, which this begins, has
	 * ended.
	 */
	Mono<Void> attempted() {
		if (!this.state.callsWait()) {
			return Mono.empty();
		}
		start();
		return firstAttempt();
	}

	/**
	 * Return a signal that completes with the current attempt, if it may take longer than
	 * others.
	 */
	Mono<Void> firstStart() {
		return aside(Mono.defer(() -> {
			ConnectionState state = this.state;
			return (state.notice() != null) ? state.attempt().asMono() : Mono.empty();
		}));
	}

	void follow(Supervisor predecessor) {
		this.predecessor = predecessor.onClosed();
		this.firstStart.follow(predecessor.firstStart);
		this.context.options().replayed().follow(predecessor.context.options().replayed());
		this.context.options().era().follow(predecessor.context.options().era());
	}

	void start() {
		this.queue.execute(() -> {
			if (is(McpServerState.IDLE) && this.state.callsWait()) {
				connect();
			}
		});
	}

	Mono<McpServerStatus> reconnect() {
		Sinks.One<McpServerStatus> result = Sinks.one();
		this.queue.execute(() -> {
			this.context.options().dropResults();
			if (is(McpServerState.READY)) {
				drop();
			}
			if ((is(McpServerState.IDLE) && this.state.callsWait()) || is(McpServerState.UNAVAILABLE)) {
				this.backoff.reset();
				connect();
			}
			this.state.attempt().asMono().subscribe(null, null, () -> result.tryEmitValue(status()));
		});
		return aside(result.asMono());
	}

	Mono<McpServerStatus> refresh() {
		Sinks.One<McpServerStatus> result = Sinks.one();
		this.queue.execute(() -> {
			if (!is(McpServerState.READY)) {
				result.tryEmitError(new McpServerUnavailableException(status()));
				return;
			}
			this.context.options().dropResults();
			this.lists.refresh((failure) -> {
				if (failure == null) {
					result.tryEmitValue(status());
				}
				else {
					result.tryEmitError(this.context.wording().toException(failure, ItemKind.TOOLS.method()));
				}
			});
		});
		return aside(result.asMono());
	}

	/**
	 * Close the connection, including pending requests.
	 */
	Mono<Void> close(@Nullable String reason) {
		this.queue.execute(() -> {
			doClose(reason, false);
			this.closingNow.tryEmitEmpty();
		});
		return onClosed();
	}

	/**
	 * Close the connection for new calls, and completely with the end of the last pending
	 * call.
	 */
	Mono<Void> drain(String reason) {
		this.queue.execute(() -> doClose(reason, true));
		return onClosed();
	}

	Mono<Void> onClosed() {
		return aside(this.closed.asMono());
	}

	private void doClose(@Nullable String reason, boolean drained) {
		if (is(McpServerState.CLOSED)) {
			return;
		}
		ConnectionState previous = this.state;
		transition(previous.closed(this.context.now(), reason), this.log::closed);
		McpServerUnavailableException cause = new McpServerUnavailableException(status(), false);
		ended(previous, null);
		Generation generation = previous.readyGeneration();
		if (drained && generation != null) {
			Mono.firstWithSignal(generation.idle(), this.closingNow.asMono())
				.subscribe(null, null, () -> this.queue.execute(() -> end(previous, cause)));
		}
		else {
			end(previous, cause);
		}
	}

	private void end(ConnectionState previous, Throwable cause) {
		leave(previous, cause);
		previous.attempt().tryEmitEmpty();
		this.retired.forEach(Generation::closeNow);
		Mono.whenDelayError(predecessors()).subscribe(null, null, this.closed::tryEmitEmpty);
	}

	private void connect() {
		this.timer.dispose();
		Generation generation = new Generation(this.context, this, this.serverLog, this.firstStart);
		transition(this.state.connecting(this.context.now(), generation), this.log::connecting);
		this.context.observers().forEach((observer) -> notify(observer::connecting));
		Mono.whenDelayError((this.definition.stdio() != null) ? predecessors() : List.<Mono<Void>>of())
			.subscribe(null, null,
					() -> this.context.throttle()
						.begin(this.definition.required() || this.context.ofUser(),
								(begun) -> this.queue.execute(() -> open(generation, begun))));
	}

	// Returns the ends of all earlier generations, since two child processes of one
	// server may interfere with each
	// other. Closing takes a limited time.
	private List<Mono<Void>> predecessors() {
		List<Mono<Void>> ends = new ArrayList<>(this.retired.stream().map(Generation::onClosed).toList());
		ends.add(this.predecessor);
		return ends;
	}

	private void open(Generation generation, Disposable begun) {
		if (isCurrent(generation) && is(McpServerState.CONNECTING)) {
			this.turn = begun;
			Duration limit = generation.limit();
			this.timer = this.queue.executeAfter(limit, () -> {
				if (isCurrent(generation) && is(McpServerState.CONNECTING)) {
					generation.died(new SessionTimeoutException(generation.request(), limit));
				}
			});
			if (this.toOpen.getAndSet(generation) == null) {
				this.context.opening().execute(this::openLatest);
			}
		}
		else {
			begun.dispose();
		}
	}

	// if creating transports hangs, only one attempt at most waits for it
	private void openLatest() {
		Generation generation = this.toOpen.getAndSet(null);
		if (generation != null) {
			generation.open();
		}
	}

	@Override
	public void opened(Generation generation, Opened opened) {
		this.queue.execute(() -> {
			// a failed generation is reported as lost
			if (isCurrent(generation) && is(McpServerState.CONNECTING) && !generation.isDead()) {
				ready(generation, opened);
			}
		});
	}

	private void ready(Generation generation, Opened opened) {
		this.timer.dispose();
		this.turn.dispose();
		this.firstStart.end();
		this.readySince = this.queue.nanoTime();
		Sinks.Empty<Void> attempt = this.state.attempt();
		this.lists.tools().listed(opened.tools());
		transition(this.state.ready(this.context.now(), opened),
				(state) -> this.log.ready(state, opened.tools().size()));
		Duration interval = this.definition.timeouts().keepAliveInterval();
		if (interval != null) {
			generation.liveness().start(interval, (latency) -> set(this.state.withLatency(latency)));
		}
		this.lists.start(generation, opened.server());
		this.queue.aside(generation.session().renew()::subscribe);
		attempt.tryEmitEmpty();
	}

	@Override
	public void lost(Generation generation, Throwable cause) {
		this.queue.execute(() -> {
			if (isLive(generation)) {
				unavailable(cause, generation.request());
			}
		});
	}

	/**
	 * Record why a user is not connected. Each reason is reported once until a user is
	 * connected.
	 */
	void userFailed(McpException failure, String error) {
		this.queue.execute(() -> {
			if (this.state.isWaitingForUsers()) {
				set(this.state.withLastError("A user is not connected: " + error));
				if (this.log.userFailed(this.state, failure)) {
					notify(() -> this.listener.failed(failure));
				}
			}
		});
	}

	void userConnected() {
		this.queue.execute(() -> {
			if (this.state.isWaitingForUsers()) {
				set(this.state.withLastError(this.needsLogin));
				this.log.userConnected();
			}
		});
	}

	@Override
	public void changed(Generation generation, Consumer<ServerLists> change) {
		this.queue.execute(() -> {
			if (isLive(generation)) {
				change.accept(this.lists);
			}
		});
	}

	@Override
	public void notRenewed(Generation generation, String problem, String request, Throwable failure) {
		this.queue.execute(() -> {
			if (!generation.hasEnded()) {
				ErrorWording wording = this.context.wording();
				this.log.notRenewed(wording.line(problem), failure, wording.describe(failure, request));
				generation.failed(failure, request);
			}
		});
	}

	private void unavailable(Throwable cause, String request) {
		ConnectionState previous = this.state;
		Duration delay = delay(previous, cause);
		boolean atOnce = delay != null && delay.isZero();
		Sinks.Empty<Void> next = (previous.readyGeneration() != null && delay != null) ? previous.attempt()
				: Sinks.empty();
		Instant now = this.context.now();
		String error = this.context.wording().describe(cause, request);
		this.needsLogin = error;
		Instant retry = (delay != null) ? now.plus(delay) : null;
		StepKind step = FailureKind.step(cause, (previous.name() == McpServerState.CONNECTING) ? request : null);
		transition(
				FailureKind.needsLogin(cause) ? previous.waitingForUsers(now, error)
						: previous.unavailable(now, error, step, retry, atOnce, next),
				(state) -> this.log.unavailable(state, cause, delay));
		if (this.state.isWaitingForUsers() && previous.server() == null) {
			// no tools for all users, although an earlier connection may have listed some
			notify(this.listener::toolsWithdrawn);
		}
		ended(previous, cause);
		notify(() -> this.listener.failed(this.context.wording().toException(cause, request)));
		leave(previous, cause);
		if (delay == null || FailureKind.isLasting(cause)) {
			notify(this.listener::waitIsOver);
		}
		if (delay == null) {
			next.tryEmitEmpty();
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
			previous.attempt().tryEmitEmpty();
		}
	}

	// returns the time until the next attempt, or null for no attempt
	private @Nullable Duration delay(ConnectionState previous, Throwable cause) {
		if (!this.definition.reconnect().enabled() || FailureKind.needsLogin(cause)
				|| FailureKind.isMisconfigured(cause)) {
			return null;
		}
		Generation ready = previous.readyGeneration();
		if (ready != null) {
			this.backoff.connectionEnded(this.queue.since(this.readySince));
			if (FailureKind.isServerThere(cause)) {
				return this.backoff.nextAfterLostSession(ready.isUsed());
			}
		}
		Duration delay = this.backoff.next(FailureKind.retryAfter(cause));
		boolean paced = this.backoff.isLate() && !this.definition.required();
		return paced ? this.context.throttle().paced(delay) : delay;
	}

	private void drop() {
		ConnectionState previous = this.state;
		this.backoff.connectionEnded(this.queue.since(this.readySince));
		TransportException cause = new TransportException("The connection was dropped to connect again, as requested",
				"Call again if the call may be repeated.", null);
		transition(previous.unavailable(this.context.now(), cause.getMessage() + ".", null, this.context.now(), false,
				previous.attempt()), this.log::dropped);
		ended(previous, null);
		leave(previous, cause);
	}

	private void ended(ConnectionState previous, @Nullable Throwable cause) {
		if (previous.name() == McpServerState.READY) {
			String version = (previous.server() != null) ? previous.server().protocolVersion() : null;
			Duration duration = this.queue.since(this.readySince);
			this.context.observers()
				.forEach((observer) -> notify(() -> observer.sessionEnded(duration, version, cause)));
		}
	}

	// stops all activities of the previous state
	private void leave(ConnectionState previous, Throwable cause) {
		this.timer.dispose();
		this.turn.dispose();
		this.lists.stop(cause);
		Generation generation = previous.generation();
		if (generation != null
				&& (previous.name() == McpServerState.CONNECTING || previous.name() == McpServerState.READY)) {
			generation.liveness().stop();
			this.retired.add(generation);
			generation.onClosed()
				.subscribe(null, null, () -> this.queue.execute(() -> this.retired.remove(generation)));
			this.queue.aside(() -> generation.retire(cause));
		}
	}

	private void toolsChanged(@Nullable List<Tool> before, List<Tool> after) {
		this.toolHistory.listed((before != null) ? before : List.of(), after, this.context.now());
		notify(() -> this.listener.toolsChanged(after));
	}

	// the only way to change the state
	private void transition(ConnectionState next, Consumer<ConnectionState> log) {
		McpServerState previous = this.state.name();
		Assert.state(this.state.mayBecome(next.name()), () -> "From " + previous + " to " + next.name());
		set(next);
		log.accept(next);
		notify(() -> this.listener.stateChanged(previous, status()));
	}

	private void set(ConnectionState next) {
		this.queue.assertInside();
		this.state = next;
	}

	private void notify(Runnable notification) {
		try {
			notification.run();
		}
		catch (Throwable ex) {
			// even an Error, such as a missing class
			logger.error("{}: a listener failed", this.context.wording().server(), ex);
		}
	}

	private boolean is(McpServerState name) {
		return this.state.name() == name;
	}

	private boolean isCurrent(Generation generation) {
		return this.state.generation() == generation;
	}

	private boolean isLive(Generation generation) {
		return isCurrent(generation) && (is(McpServerState.CONNECTING) || is(McpServerState.READY));
	}

	// callers are not signalled on the serial queue
	private <T> Mono<T> aside(Mono<T> signals) {
		return signals.publishOn(this.queue.scheduler());
	}

}
