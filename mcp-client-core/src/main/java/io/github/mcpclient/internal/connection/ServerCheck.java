package io.github.mcpclient.internal.connection;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;

import io.github.mcpclient.McpServerFeatures.ExcludedItem;
import io.github.mcpclient.McpServerStatus.StepKind;
import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.internal.session.ItemKind;
import io.github.mcpclient.internal.session.McpSession;
import io.github.mcpclient.internal.session.ServerDescription;
import io.github.mcpclient.internal.session.SessionOptions;
import io.github.mcpclient.internal.session.SessionTimeoutException;
import io.github.mcpclient.internal.support.ClientScheduler;
import io.github.mcpclient.internal.support.Printable;
import io.github.mcpclient.internal.support.PropertyNames;
import io.github.mcpclient.management.McpDiagnosis;
import io.github.mcpclient.management.McpDiagnosis.Outcome;
import io.github.mcpclient.management.McpDiagnosis.Step;
import io.github.mcpclient.spi.SupervisedTransport;
import io.github.mcpclient.spi.TransportException;
import io.modelcontextprotocol.spec.McpClientTransport;
import io.modelcontextprotocol.spec.McpSchema.Implementation;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Scheduler;

import org.springframework.util.Assert;

/**
 * One check of a server: an attempt to connect, with a separate transport and session,
 * that is observed step by step and discarded. Runs once.
 */
final class ServerCheck implements McpSession.Listener {

	private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(2);

	private static final int MAX_TEXT = 1000;

	// the steps of each check, independent of the transport
	private static final List<StepKind> KINDS = List.of(StepKind.CONFIGURATION, StepKind.PROTOCOL, StepKind.INITIALIZE,
			StepKind.LISTING);

	private final McpServerDefinition definition;

	private final ErrorWording wording;

	private final Function<Consumer<Step>, McpClientTransport> transports;

	private final McpSession.Factory sessions;

	private final SessionOptions options;

	private final ClientScheduler time;

	private final Scheduler opener;

	private final Scheduler closer;

	private final Map<StepKind, Step> steps = Collections.synchronizedMap(new EnumMap<>(StepKind.class));

	private final List<ExcludedItem> excluded = new CopyOnWriteArrayList<>();

	// the current request, null before there is a transport
	private volatile @Nullable String request;

	private volatile long since;

	private volatile @Nullable McpClientTransport transport;

	private volatile @Nullable McpSession session;

	private volatile boolean over;

	private volatile Duration closeTimeout = CLOSE_TIMEOUT;

	/**
	 * Prepare a check.
	 * @param transports creates a transport that reports its steps; application code
	 * @param opener runs the beginning of the check, which may block
	 * @param closer runs the end of the check, which may block
	 */
	ServerCheck(McpServerDefinition definition, ErrorWording wording,
			Function<Consumer<Step>, McpClientTransport> transports, McpSession.Factory sessions,
			SessionOptions options, ClientScheduler time, Scheduler opener, Scheduler closer) {
		this.definition = definition;
		this.wording = wording;
		this.transports = transports;
		this.sessions = sessions;
		this.options = options;
		this.time = time;
		this.opener = opener;
		this.closer = closer;
	}

	/**
	 * Run the check, for a limited time; never fails.
	 * @param end fails if the check must end early and wait until it is closed
	 */
	Mono<McpDiagnosis> run(Duration limit, Mono<Void> end) {
		return Mono.defer(() -> {
			Instant started = this.time.instant();
			long begun = now();
			this.since = begun;
			Mono<Void> attempts = attempt().onErrorResume(this::diedOfProbe, (failure) -> close().then(attempt()));
			return Mono
				.firstWithSignal(end.doOnError((reason) -> this.closeTimeout = Generation.CLOSE_TIMEOUT), attempts)
				.timeout(limit, Mono.error(() -> new SessionTimeoutException(request(), limit)), this.time)
				.then(Mono.just(Optional.<Throwable>empty()))
				.onErrorResume((failure) -> Mono.just(Optional.of(failure)))
				.doOnNext((failure) -> {
					this.over = true;
					failure.ifPresent((cause) -> failedAt(cause, limit));
				})
				.delayUntil((failure) -> close())
				.map((failure) -> {
					KINDS.forEach((kind) -> this.steps.putIfAbsent(kind, Step.skipped(kind, null)));
					return new McpDiagnosis(this.definition.name(), started, Duration.ofNanos(now() - begun),
							new ArrayList<>(this.steps.values()));
				})
				.publishOn(this.time);
		});
	}

	private long now() {
		return this.time.now(TimeUnit.NANOSECONDS);
	}

	private String request() {
		String request = this.request;
		if (!McpSession.HANDSHAKE.equals(request)) {
			return (request != null) ? request : "anything";
		}
		McpSession session = this.session;
		return (session != null) ? session.handshake() : this.options.firstRequest();
	}

	private Duration elapsed() {
		return Duration.ofNanos(Math.max(0, now() - this.since));
	}

	private Mono<Void> attempt() {
		return Mono.fromCallable(this::newTransport).subscribeOn(this.opener).flatMap(this::handshake);
	}

	private McpClientTransport newTransport() {
		if (!this.definition.enabled()) {
			throw new TransportException("The server is disabled",
					"Set " + PropertyNames.ofServer(this.definition.name(), "enabled") + " to true.", null)
				.at(StepKind.CONFIGURATION);
		}
		McpClientTransport transport = this.transports.apply(this::report);
		Assert.state(transport != null, "The McpTransportFactory returned no transport");
		this.transport = transport;
		this.session = null;
		report(Step.passed(StepKind.CONFIGURATION, elapsed(),
				this.definition.type() + ", " + this.definition.target()));
		this.request = McpSession.HANDSHAKE;
		if (this.over) {
			// the check has not waited for it
			close().subscribe();
		}
		return transport;
	}

	private Mono<Void> handshake(McpClientTransport transport) {
		McpSession session = this.sessions.create(transport, this.options, this);
		this.session = session;
		Sinks.Empty<Void> end = Sinks.empty();
		Generation.onEnd(transport, end::tryEmitError);
		long begun = now();
		Mono<Void> work = session.open().flatMap((server) -> {
			opened(server, Duration.ofNanos(now() - begun));
			return session.list(ItemKind.TOOLS);
		}).doOnNext(this::listed).then();
		return Mono.firstWithSignal(end.asMono(), work);
	}

	private void opened(ServerDescription server, Duration duration) {
		Implementation info = server.serverInfo();
		report(Step.passed(StepKind.PROTOCOL, Duration.ZERO, "MCP " + server.protocolVersion()));
		report(Step.passed(StepKind.INITIALIZE, duration, info.name() + " " + info.version()));
		this.request = ItemKind.TOOLS.method();
	}

	private void listed(List<Tool> tools) {
		String count = (tools.size() == 1) ? "1 tool" : tools.size() + " tools";
		report(this.excluded.isEmpty() ? Step.passed(StepKind.LISTING, elapsed(), count)
				: new Step(StepKind.LISTING, Outcome.WARNING, elapsed(),
						count + ", and " + this.excluded.size() + " that cannot be used, such as "
								+ this.excluded.get(0).name() + ": " + this.excluded.get(0).reason(),
						"Report this to the operator of the server."));
	}

	/**
	 * Some processes end upon {@code server/discover}; connections start them again, too.
	 */
	private boolean diedOfProbe(Throwable failure) {
		McpSession session = this.session;
		return session != null && Generation.diedOfProbe(this.options, session, failure);
	}

	private Mono<Void> close() {
		McpSession session = this.session;
		McpClientTransport transport = this.transport;
		Mono<Void> closing = (session != null) ? session.close()
				: (transport != null) ? Mono.defer(transport::closeGracefully) : Mono.empty();
		Sinks.Empty<Void> closed = Sinks.empty();
		// continues if the check does not wait for it
		closing.subscribeOn(this.closer).subscribe(null, (failure) -> closed.tryEmitEmpty(), closed::tryEmitEmpty);
		return closed.asMono().timeout(this.closeTimeout, Mono.empty(), this.time);
	}

	private void failedAt(Throwable cause, Duration limit) {
		Throwable failure = (cause instanceof SessionTimeoutException late
				&& this.transport instanceof SupervisedTransport supervised)
						? late.quoting(this.wording.lines(supervised.stderr()), "") : cause;
		StepKind failed = FailureKind.step(failure, this.request);
		if (failed == null) {
			failed = (this.request != null) ? StepKind.INITIALIZE : StepKind.CONFIGURATION;
		}
		Step known = this.steps.get(failed);
		if (known == null || known.outcome() != Outcome.FAILED) {
			report(new Step(failed, FailureKind.needsLogin(failure) ? Outcome.WARNING : Outcome.FAILED, elapsed(),
					this.wording.problem(failure, request()), advice(failure, limit)));
		}
	}

	private String advice(Throwable failure, Duration limit) {
		Duration attempt = new FirstStart(this.definition).limit();
		boolean cut = failure instanceof SessionTimeoutException timeout && timeout.getTimeout().equals(limit)
				&& limit.compareTo(attempt) < 0;
		if (!cut) {
			return this.wording.advice(failure, request());
		}
		String setting = attempt.equals(this.definition.timeouts().initialization()) ? "initialization-timeout"
				: "first-start-timeout";
		return "The check itself waits no longer: a connection may take as long as "
				+ PropertyNames.ofServer(this.definition.name(), setting) + " allows.";
	}

	private void report(Step step) {
		this.since = now();
		this.steps.put(step.kind(),
				new Step(step.kind(), step.outcome(), step.duration(), text(step.detail()), text(step.advice())));
	}

	private @Nullable String text(@Nullable String text) {
		String line = (text != null) ? this.wording.line(text) : null;
		return (line != null && line.length() > MAX_TEXT) ? Printable.cut(line, MAX_TEXT - 3) + "..." : line;
	}

	@Override
	public void excluded(String kind, List<ExcludedItem> excluded) {
		this.excluded.addAll(excluded);
	}

}
