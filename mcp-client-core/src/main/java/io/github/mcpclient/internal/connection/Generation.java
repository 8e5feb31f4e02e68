package io.github.mcpclient.internal.connection;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Supplier;

import io.github.mcpclient.McpServerDeviation;
import io.github.mcpclient.McpServerFeatures.ExcludedItem;
import io.github.mcpclient.event.McpServerNotification;
import io.github.mcpclient.internal.session.ItemKind;
import io.github.mcpclient.internal.session.McpSession;
import io.github.mcpclient.internal.session.ServerDescription;
import io.github.mcpclient.internal.session.SessionOptions;
import io.github.mcpclient.internal.session.SessionTimeoutException;
import io.github.mcpclient.internal.support.Deadline;
import io.github.mcpclient.internal.support.LogKeys;
import io.github.mcpclient.internal.support.Monos;
import io.github.mcpclient.management.ManagedMcpServer.RecentMessage;
import io.github.mcpclient.spi.SupervisedTransport;
import io.github.mcpclient.spi.TransportException;
import io.modelcontextprotocol.spec.McpClientTransport;
import io.modelcontextprotocol.spec.McpSchema.LoggingLevel;
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
 * One transport with one session over it: created for one attempt, opened once, discarded
 * when it failed. It fails once, regardless of the number of signals; {@link #retire}
 * then disposes of it once, within a limited time and in any phase.
 *
 * <p>
 * It is never opened again. So no attempt inherits a half-closed stream, a session ID or
 * a pending request, and a late signal is recognized by the identity of its generation.
 * The owner sees:
 *
 * <pre class="code">
 * generation.open(); // owner.opened(generation, ...), or owner.lost(generation, cause)
 * generation.died(failure); // owner.lost(generation, failure), the first time
 * generation.retire(cause); // nothing any more; onClosed() completes within a bounded time
 * </pre>
 */
final class Generation implements McpSession.Listener {

	// longer than any built-in transport takes
	static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(8);

	private static final Logger logger = LoggerFactory.getLogger(ConnectionContext.LOGGER);

	private final ConnectionContext context;

	private final Owner owner;

	private final ServerLog log;

	private final AtomicReference<Phase> phase = new AtomicReference<>(Phase.NEW);

	private final AtomicReference<@Nullable Throwable> death = new AtomicReference<>();

	private final Sinks.Empty<Void> dead = Sinks.empty();

	private final Set<Object> reported = ConcurrentHashMap.newKeySet();

	private final Disposable.Swap handshake = Disposables.swap();

	private final Sinks.Empty<Void> closingNow = Sinks.empty();

	private final Sinks.Empty<Void> closed = Sinks.empty();

	private final Duration limit;

	private final FirstStart firstStart;

	private final @Nullable String notice;

	private final Liveness liveness;

	// far below zero from the moment on when there are no more calls, and no new one may
	// begin
	private final AtomicInteger calls = new AtomicInteger();

	private final Sinks.Empty<Void> idle = Sinks.empty();

	private volatile boolean idleWanted;

	private volatile boolean used;

	private volatile Set<String> capabilities = Set.of();

	// the request after the handshake
	private volatile @Nullable String request;

	private volatile @Nullable McpClientTransport transport;

	private volatile @Nullable McpSession session;

	private volatile Stderr stderr = new Stderr(List.of(), List.of());

	Generation(ConnectionContext context, Owner owner, ServerLog log, FirstStart firstStart) {
		this.context = context;
		this.owner = owner;
		this.log = log;
		this.firstStart = firstStart;
		this.limit = firstStart.limit();
		this.notice = firstStart.notice(this.limit);
		this.liveness = new Liveness(this, context);
	}

	Duration limit() {
		return this.limit;
	}

	@Nullable String notice() {
		String problem = (this.notice != null) ? this.firstStart.problem(stderr()) : null;
		return (problem != null) ? problem : this.notice;
	}

	/**
	 * Create the transport and the session, and perform the handshake. Runs application
	 * code. Ends with {@link Owner#opened} or {@link Owner#lost}.
	 */
	void open() {
		if (!this.phase.compareAndSet(Phase.NEW, Phase.OPENING)) {
			return;
		}
		begin();
		if (!this.phase.compareAndSet(Phase.OPENING, Phase.OPEN)) {
			dispose();
		}
	}

	private void begin() {
		try {
			McpClientTransport transport = this.context.newTransport();
			this.transport = transport;
			watch(transport);
			McpSession session = this.context.newSession(transport, this.limit, this);
			this.session = session;
			// only this object can cancel this subscription
			this.handshake.update(handshake(session).subscribe((result) -> this.owner.opened(this, result),
					(failure) -> ended(transport, failure)));
		}
		catch (Throwable ex) {
			// even an Error, such as a missing class: only the attempt has failed
			died(ex);
		}
	}

	// if a process ended because of server/discover, the attempt continues
	private void ended(McpClientTransport transport, Throwable cause) {
		McpSession session = this.session;
		if (transport != this.transport) {
			return;
		}
		if (isDead() || session == null || !diedOfProbe(this.context.options(), session, cause)) {
			died(cause);
			return;
		}
		logger.debug("{} did not survive server/discover, and is started again", this.context.wording().server());
		// later signals of this transport do not affect the next one
		this.transport = null;
		this.context.opening().execute(() -> {
			session.terminate(cause, cause);
			this.context.closing().execute(() -> session.close().subscribe(null, this::closeFailed));
			if (this.phase.get() != Phase.RETIRED) {
				begin();
			}
			if (this.phase.get() == Phase.RETIRED) {
				dispose();
			}
		});
	}

	private Mono<Opened> handshake(McpSession session) {
		long started = this.context.queue().nanoTime();
		return session.open().flatMap((server) -> {
			Duration duration = this.context.queue().since(started);
			this.request = ItemKind.TOOLS.method();
			this.capabilities = server.capabilities();
			return list(ItemKind.TOOLS).map((tools) -> new Opened(server, List.copyOf(tools), duration));
		}).switchIfEmpty(Mono.error(() -> new TransportException("The handshake ended without a result", null, null)));
	}

	/**
	 * List items. Tools are the tools that the listener has seen.
	 */
	@SuppressWarnings("unchecked")
	<T> Mono<List<T>> list(ItemKind<T> kind) {
		Mono<List<T>> items = session().list(kind);
		return (kind != ItemKind.TOOLS) ? items : items.delayUntil((tools) -> seen((List<Tool>) tools));
	}

	private Mono<Void> seen(List<Tool> tools) {
		Duration limit = Deadline.atMostForever(this.context.definition().timeouts().initialization()).dividedBy(2);
		return this.context.listener()
			.toolsListed(null, tools, this.capabilities)
			.timeout(limit, Mono.error(() -> new TransportException(
					"The application's McpToolNamingStrategy or McpToolListingCustomizer did not name or customize the tools"
							+ " within " + limit.toMillis() + " ms",
					"Make it faster, or raise the server's initialization-timeout.", null)),
					this.context.queue().scheduler());
	}

	/**
	 * Return whether a process has ended because of {@code server/discover}, and is to be
	 * started again without it.
	 */
	static boolean diedOfProbe(SessionOptions options, McpSession session, Throwable cause) {
		return options.definition().stdio() != null && session.isProbing()
				&& !(cause instanceof SessionTimeoutException) && !FailureKind.isUnprocessed(cause)
				&& options.era().diedOfProbe();
	}

	/**
	 * Report why a transport has failed, when it does.
	 */
	static void onEnd(McpClientTransport transport, Consumer<Throwable> ended) {
		if (transport instanceof SupervisedTransport supervised) {
			supervised.termination()
				.subscribe(null, ended, () -> ended.accept(new TransportException("The connection was closed",
						"If this happens often, check the server's log.", null)));
		}
		else {
			transport.setExceptionHandler(ended);
		}
	}

	private void watch(McpClientTransport transport) {
		onEnd(transport, (failure) -> ended(transport, failure));
		if (transport instanceof SupervisedTransport supervised) {
			supervised.onGap(this::gap);
			supervised.onDeviation(this::deviation);
			supervised.skipNotificationsUnless((method) -> McpSession.READS.contains(method)
					|| this.context.listener().ofMessages().wantsNotifications() || recorder() != null);
		}
	}

	/**
	 * Report a failure from any thread. Only the first one counts.
	 */
	void died(Throwable failure) {
		Throwable cause = (failure instanceof SessionTimeoutException late)
				? late.quoting(stderr(), this.context.deviations().meanwhile(late.getTimeout())) : failure;
		if (this.death.compareAndSet(null, cause)) {
			this.owner.lost(this, cause);
			this.dead.tryEmitEmpty();
		}
	}

	boolean isDead() {
		return this.death.get() != null;
	}

	/**
	 * Return whether this generation has failed, or its transport is about to report so.
	 */
	boolean hasEnded() {
		return isDead() || (this.transport instanceof SupervisedTransport supervised && supervised.hasEnded());
	}

	/**
	 * Return a signal that completes on the thread that reports the failure.
	 */
	Mono<Void> onDeath() {
		return this.dead.asMono();
	}

	/**
	 * Return the pending request of the attempt.
	 */
	String request() {
		McpSession session = this.session;
		String listing = this.request;
		return (listing != null) ? listing
				: (session != null) ? session.handshake() : this.context.options().firstRequest();
	}

	/**
	 * Return the session, which exists once {@link Owner#opened} was called.
	 */
	McpSession session() {
		McpSession session = this.session;
		Assert.state(session != null, "Not open");
		return session;
	}

	/**
	 * Make a call, for whose end {@link #idle()} waits.
	 * @param refusal the failure of a call that arrives when this is idle, so that it is
	 * not sent
	 */
	<T> Mono<T> call(Mono<T> call, Supplier<? extends Throwable> refusal) {
		return Mono.defer(() -> {
			if (this.calls.incrementAndGet() > 0) {
				return Monos.watched(call, (answer, failure) -> ended(answer != null));
			}
			this.calls.decrementAndGet();
			return Mono.error(refusal);
		});
	}

	private void ended(boolean answered) {
		if (answered) {
			this.used = true;
		}
		if (this.calls.decrementAndGet() == 0 && this.idleWanted) {
			endIfIdle();
		}
	}

	/**
	 * Return a signal that completes when no call is pending, and no new one can begin,
	 * or this generation has failed.
	 */
	Mono<Void> idle() {
		this.idleWanted = true;
		endIfIdle();
		return Mono.firstWithSignal(this.idle.asMono(), onDeath());
	}

	private void endIfIdle() {
		if (this.calls.compareAndSet(0, Integer.MIN_VALUE / 2)) {
			this.idle.tryEmitEmpty();
		}
	}

	boolean isUsed() {
		return this.used;
	}

	Liveness liveness() {
		return this.liveness;
	}

	@Override
	public void messageReceived() {
		this.liveness.touch();
	}

	/**
	 * Return whether the transport itself reports its failure.
	 */
	boolean isSupervised() {
		return this.transport instanceof SupervisedTransport;
	}

	String type() {
		String type = (this.transport instanceof SupervisedTransport supervised) ? supervised.type() : null;
		return (type != null) ? type : this.context.definition().type();
	}

	/**
	 * Return the last lines of a child's standard error, sanitized once, since each call
	 * that fails fast needs them.
	 */
	List<String> stderr() {
		try {
			List<String> lines = (this.transport instanceof SupervisedTransport supervised) ? supervised.stderr()
					: List.of();
			Stderr stderr = this.stderr;
			if (!stderr.lines().equals(lines)) {
				stderr = new Stderr(lines, List.copyOf(this.context.wording().lines(lines)));
				this.stderr = stderr;
			}
			return stderr.clean();
		}
		catch (RuntimeException ex) {
			logger.debug("No standard error of {}", this.context.wording().server(), ex);
			return List.of();
		}
	}

	/**
	 * Fail pending requests and close the transport. Runs application code.
	 */
	void retire(Throwable cause) {
		this.death.compareAndSet(null, cause);
		this.dead.tryEmitEmpty();
		Phase previous = this.phase.getAndSet(Phase.RETIRED);
		if (previous == Phase.RETIRED) {
			return;
		}
		Disposable watchdog = this.context.queue().executeAfter(CLOSE_TIMEOUT, this::giveUpClosing);
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
	 * Return a signal that completes when the transport is closed, or after
	 * {@link #CLOSE_TIMEOUT}.
	 */
	Mono<Void> onClosed() {
		return this.closed.asMono();
	}

	private void giveUpClosing() {
		logger.atWarn()
			.addKeyValue(LogKeys.SERVER, this.context.definition().name())
			.addKeyValue(LogKeys.TRANSPORT, type())
			.log("{}: closing the connection takes longer than {} s, and continues in the background",
					this.context.wording().server(), CLOSE_TIMEOUT.toSeconds());
		this.closed.tryEmitEmpty();
	}

	/**
	 * Close without waiting for pending requests to complete individually.
	 */
	void closeNow() {
		this.closingNow.tryEmitEmpty();
	}

	private void dispose() {
		Mono<Void> settled = (this.transport instanceof SupervisedTransport supervised) ? supervised.settled()
				: Mono.empty();
		Mono.firstWithSignal(settled, this.closingNow.asMono()).subscribe(null, null, this::end);
	}

	private void end() {
		Throwable cause = this.death.get();
		McpSession session = this.session;
		if (session != null && cause != null) {
			ErrorWording wording = this.context.wording();
			session.terminate(wording.forPendingRequests(cause), wording.forUnsentRequests(cause));
		}
		this.handshake.dispose();
		this.context.closing()
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
		logger.debug("{}: closing the connection failed", this.context.wording().server(), ex);
		this.closed.tryEmitEmpty();
	}

	@Override
	public void listChanged(ItemKind<?> kind) {
		report(kind, (lists) -> lists.announced(kind));
	}

	@Override
	public void gap() {
		report("gap", ServerLists::gap);
	}

	// reports a change only once until the queue has processed it
	private void report(Object key, Consumer<ServerLists> change) {
		if (this.reported.add(key)) {
			this.owner.changed(this, (lists) -> {
				this.reported.remove(key);
				change.accept(lists);
			});
		}
	}

	@Override
	public void excluded(String kind, List<ExcludedItem> excluded) {
		this.owner.changed(this, (lists) -> lists.excluded(kind, excluded));
	}

	@Override
	public void notified(McpServerNotification notification) {
		this.context.listener().ofMessages().notified(notification);
	}

	@Override
	public void failed(Throwable failure) {
		failed(failure, "a message");
	}

	void failed(Throwable failure, String request) {
		this.context.listener().failed(this.context.wording().toException(failure, request));
	}

	@Override
	public void deviation(McpServerDeviation.Kind kind, String detail) {
		this.context.deviations().add(kind, detail);
	}

	@Override
	public void notRenewed(String problem, String request, Throwable failure) {
		this.owner.notRenewed(this, problem, request, failure);
	}

	@Override
	public @Nullable Consumer<RecentMessage> recorder() {
		return this.context.listener().ofMessages().recorder();
	}

	@Override
	public boolean wantsProgress() {
		return this.context.listener().ofMessages().wantsProgress();
	}

	@Override
	public void log(LoggingLevel level, @Nullable String source, String text) {
		this.log.log(level, source, text);
	}

	/**
	 * Notified of the generation, on any thread.
	 */
	interface Owner {

		void opened(Generation generation, Opened opened);

		void lost(Generation generation, Throwable cause);

		void changed(Generation generation, Consumer<ServerLists> change);

		void notRenewed(Generation generation, String problem, String request, Throwable failure);

	}

	record Opened(ServerDescription server, List<Tool> tools, Duration latency) {
	}

	/**
	 * Lines of the standard error, in their original and sanitized form.
	 */
	private record Stderr(List<String> lines, List<String> clean) {
	}

	private enum Phase {

		NEW, OPENING, OPEN, RETIRED

	}

}
