package io.github.mcpclient.connection;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;

import io.github.mcpclient.McpServerFeatures.ExcludedItem;
import io.github.mcpclient.session.McpSession;
import io.github.mcpclient.session.SessionListener;
import io.github.mcpclient.transport.SupervisedTransport;
import io.github.mcpclient.transport.TransportException;
import io.modelcontextprotocol.spec.McpClientTransport;
import io.modelcontextprotocol.spec.McpSchema.LoggingLevel;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/**
 * One transport with one session over it: made for one attempt, opened once, thrown away
 * when it died. Compared by identity.
 *
 * <p>
 * It dies once, whatever the number of signals; {@link #retire} then disposes of it, once
 * and within a bounded time. The transport is this object's to close, in whatever phase
 * the retirement meets it.
 */
final class Generation implements SessionListener {

	/**
	 * Longer than any transport of ours takes.
	 */
	static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(8);

	private static final Logger logger = LoggerFactory.getLogger(McpConnection.class);

	private final Environment environment;

	private final Listener listener;

	private final AtomicReference<Phase> phase = new AtomicReference<>(Phase.NEW);

	private final AtomicReference<@Nullable Throwable> death = new AtomicReference<>();

	private final Sinks.Empty<Void> dead = Sinks.empty();

	private final Set<Change> reported = ConcurrentHashMap.newKeySet();

	private final Disposable.Swap handshake = Disposables.swap();

	private final Sinks.Empty<Void> hurried = Sinks.empty();

	private final Sinks.Empty<Void> closed = Sinks.empty();

	private final Duration limit;

	private final Probe probe;

	private final Liveness liveness;

	private volatile boolean useful;

	private volatile String request = "initialize";

	private volatile @Nullable McpClientTransport transport;

	private volatile @Nullable McpSession session;

	private volatile Stderr stderr = new Stderr(List.of(), List.of());

	Generation(Environment environment, Listener listener) {
		this.environment = environment;
		this.listener = listener;
		this.limit = environment.firstStart().limit();
		this.probe = new Probe(this, environment.definition().timeouts().connect());
		this.liveness = new Liveness(environment.queue(), this::died);
	}

	/**
	 * Return how long the attempt may take.
	 */
	Duration limit() {
		return this.limit;
	}

	/**
	 * Return what there is to be said of an attempt that may take long.
	 * @return a sentence, or {@code null}
	 */
	@Nullable String notice() {
		return this.environment.firstStart().notice(this.limit);
	}

	/**
	 * Find out, after an exchange was cut off, whether the server is still there. Starts
	 * at once; who asks while an answer is awaited shares it.
	 * @return completes when that is known, or the server had time enough to answer
	 */
	Mono<Void> probe() {
		return Mono.firstWithSignal(onDeath(), this.probe.send());
	}

	/**
	 * Make the transport and the session, and do the handshake. Runs code that is not
	 * ours. Ends with {@link Listener#opened} or {@link Listener#lost}.
	 */
	void open() {
		if (!this.phase.compareAndSet(Phase.NEW, Phase.OPENING)) {
			return;
		}
		try {
			McpClientTransport transport = this.environment.newTransport();
			this.transport = transport;
			watch(transport);
			McpSession session = this.environment.newSession(transport, this.limit, this);
			this.session = session;
			// Nobody but this object can cancel this subscription
			this.handshake
				.update(handshake(session).subscribe((result) -> this.listener.opened(this, result), this::died));
		}
		catch (Throwable ex) {
			// Even an Error, such as a missing class: the attempt failed, nothing else
			died(ex);
		}
		if (!this.phase.compareAndSet(Phase.OPENING, Phase.OPEN)) {
			dispose();
		}
	}

	private Mono<Handshake> handshake(McpSession session) {
		long started = this.environment.queue().nanoTime();
		return session.open().flatMap((server) -> {
			Duration duration = this.environment.queue().since(started);
			this.request = "tools/list";
			return session.listTools().map((tools) -> new Handshake(server, List.copyOf(tools), duration));
		}).switchIfEmpty(Mono.error(() -> new TransportException("The handshake ended without a result", null, null)));
	}

	private void watch(McpClientTransport transport) {
		if (transport instanceof SupervisedTransport supervised) {
			supervised.termination()
				.subscribe(null, this::died,
						() -> died(new TransportException("The connection was closed", null, null)));
			supervised.onGap(() -> report(Change.UNTOLD));
		}
		else {
			transport.setExceptionHandler(this::died);
		}
	}

	/**
	 * Tell that this generation is of no use any more. Any thread; only the first signal
	 * counts.
	 * @param cause what happened
	 */
	void died(Throwable cause) {
		if (this.death.compareAndSet(null, cause)) {
			this.listener.lost(this, cause);
			this.dead.tryEmitEmpty();
		}
	}

	boolean isDead() {
		return this.death.get() != null;
	}

	/**
	 * Return whether this generation is dead, or about to be told to be.
	 * @return whether its transport has ended
	 */
	boolean hasEnded() {
		return isDead() || (this.transport instanceof SupervisedTransport supervised && supervised.hasEnded());
	}

	/**
	 * Return the death of this generation.
	 * @return completes on the thread that tells of it
	 */
	Mono<Void> onDeath() {
		return this.dead.asMono();
	}

	/**
	 * Return the request of the handshake that is under way.
	 * @return its method
	 */
	String request() {
		return this.request;
	}

	/**
	 * Return the session.
	 * @return the session; there is one once {@link Listener#opened} was called
	 */
	McpSession session() {
		McpSession session = this.session;
		if (session == null) {
			throw new IllegalStateException("Not open");
		}
		return session;
	}

	/**
	 * A call was answered.
	 */
	void answered() {
		this.useful = true;
	}

	boolean isUseful() {
		return this.useful;
	}

	Liveness liveness() {
		return this.liveness;
	}

	@Override
	public void messageReceived() {
		this.liveness.sign();
	}

	/**
	 * Return whether the transport itself tells of its death.
	 * @return whether the transport is supervised
	 */
	boolean isSupervised() {
		return this.transport instanceof SupervisedTransport;
	}

	/**
	 * Return the type of the transport that is in use.
	 */
	String type() {
		String type = (this.transport instanceof SupervisedTransport supervised) ? supervised.type() : null;
		return (type != null) ? type : this.environment.definition().type();
	}

	/**
	 * Return the last lines of a child's standard error, fit for people. Each call that
	 * fails fast asks for them, so that they are made so once.
	 * @return the lines, oldest first
	 */
	List<String> stderr() {
		try {
			List<String> lines = (this.transport instanceof SupervisedTransport supervised) ? supervised.stderr()
					: List.of();
			Stderr stderr = this.stderr;
			if (!stderr.lines().equals(lines)) {
				stderr = new Stderr(lines, List.copyOf(this.environment.wording().lines(lines)));
				this.stderr = stderr;
			}
			return stderr.clean();
		}
		catch (RuntimeException ex) {
			logger.debug("No standard error of {}", this.environment.wording().server(), ex);
			return List.of();
		}
	}

	/**
	 * Fail what is under way and close the transport. Runs code that is not ours.
	 * @param cause what to fail requests with, if this generation is not dead yet
	 */
	void retire(Throwable cause) {
		this.death.compareAndSet(null, cause);
		this.dead.tryEmitEmpty();
		Phase previous = this.phase.getAndSet(Phase.RETIRED);
		if (previous == Phase.RETIRED) {
			return;
		}
		Disposable watchdog = this.environment.queue().executeAfter(CLOSE_TIMEOUT, this::giveUpClosing);
		this.closed.asMono().subscribe(null, null, watchdog::dispose);
		if (previous == Phase.NEW) {
			this.closed.tryEmitEmpty();
		}
		if (previous == Phase.OPEN) {
			dispose();
		}
		// OPENING: open() sees it and disposes
	}

	/**
	 * Return the end of the retirement.
	 * @return completes when the transport is closed, or after {@link #CLOSE_TIMEOUT}
	 */
	Mono<Void> onClosed() {
		return this.closed.asMono();
	}

	private void giveUpClosing() {
		logger.warn("{}: closing the connection takes longer than {} s, and is not waited for",
				this.environment.wording().server(), CLOSE_TIMEOUT.toSeconds());
		this.closed.tryEmitEmpty();
	}

	/**
	 * Close without waiting for what is under way.
	 */
	void hurry() {
		this.hurried.tryEmitEmpty();
	}

	private void dispose() {
		Mono<Void> settled = (this.transport instanceof SupervisedTransport supervised) ? supervised.settled()
				: Mono.empty();
		Mono.firstWithSignal(settled, this.hurried.asMono()).subscribe(null, null, this::end);
	}

	private void end() {
		Throwable cause = this.death.get();
		McpSession session = this.session;
		if (session != null && cause != null) {
			ErrorWording wording = this.environment.wording();
			session.terminate(wording.forPendingRequests(cause), wording.forUnsentRequests(cause));
		}
		this.handshake.dispose();
		this.environment.blocking()
			.execute(() -> Mono.defer(this::close).subscribe(null, this::closeFailed, this.closed::tryEmitEmpty));
	}

	private Mono<Void> close() {
		McpSession session = this.session;
		if (session != null) {
			return session.close();
		}
		McpClientTransport transport = this.transport;
		return (transport != null) ? transport.closeGracefully() : Mono.empty();
	}

	private void closeFailed(Throwable ex) {
		logger.debug("{}: closing the connection failed", this.environment.wording().server(), ex);
		this.closed.tryEmitEmpty();
	}

	@Override
	public void toolsListChanged() {
		report(Change.TOOLS);
	}

	@Override
	public void promptsListChanged() {
		report(Change.PROMPTS);
	}

	@Override
	public void resourcesListChanged() {
		report(Change.RESOURCES);
	}

	private void report(Change change) {
		// One report is enough until it was taken, however many come
		if (this.reported.add(change)) {
			this.listener.changed(this, change);
		}
	}

	/**
	 * Take a report of {@link Listener#changed}: such changes are told anew from now on.
	 * @param change what was reported
	 */
	void taken(Change change) {
		this.reported.remove(change);
	}

	@Override
	public void excluded(String kind, List<ExcludedItem> excluded) {
		this.listener.excluded(this, kind, excluded);
	}

	@Override
	public void log(LoggingLevel level, @Nullable String source, String text) {
		this.environment.serverLog().log(level, source, text);
	}

	/**
	 * What a server can announce a change of, or could not announce for a while.
	 */
	enum Change {

		TOOLS, PROMPTS, RESOURCES, UNTOLD

	}

	/**
	 * Lines of the standard error.
	 *
	 * @param lines as the transport has them
	 * @param clean as people see them
	 */
	private record Stderr(List<String> lines, List<String> clean) {
	}

	private enum Phase {

		NEW, OPENING, OPEN, RETIRED

	}

	/**
	 * Told, on any thread, how a generation fares.
	 */
	interface Listener {

		void opened(Generation generation, Handshake handshake);

		void lost(Generation generation, Throwable cause);

		void changed(Generation generation, Change change);

		void excluded(Generation generation, String kind, List<ExcludedItem> excluded);

	}

}
