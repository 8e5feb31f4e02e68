package io.github.mcpclient.internal.connection;

import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

import io.github.mcpclient.McpServerDeviation.Kind;
import io.github.mcpclient.internal.session.SessionTimeoutException;
import io.github.mcpclient.internal.support.SendState;
import io.github.mcpclient.internal.support.SerialQueue;
import io.modelcontextprotocol.spec.McpTransportSessionNotFoundException;
import org.jspecify.annotations.Nullable;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.util.context.Context;

/**
 * Pings the server of a generation: whenever it has been silent for the keep-alive
 * interval, and after an exchange was cut off. Safe for use by many threads, but for the
 * keep-alive, which lives on the serial queue.
 *
 * <p>
 * A server that does one thing at a time answers no ping during a call. An unanswered
 * ping is therefore the end only where nothing else is pending, or where a call met its
 * timeout, too, since the last sign of life. A ping that was refused, or that never left,
 * proves nothing.
 */
final class Liveness {

	private static final Duration DOUBT_PAUSE = Duration.ofMinutes(1);

	private final Generation generation;

	private final ConnectionContext context;

	private final SerialQueue queue;

	private final AtomicReference<Sinks.@Nullable Empty<Void>> probe = new AtomicReference<>();

	private volatile long lastSeen;

	private volatile @Nullable Throwable missedPing;

	private volatile boolean missedCall;

	private volatile @Nullable Long lastDoubt;

	private Disposable timer = Disposables.disposed();

	private boolean stopped;

	Liveness(Generation generation, ConnectionContext context) {
		this.generation = generation;
		this.context = context;
		this.queue = context.queue();
	}

	void touch() {
		this.lastSeen = this.queue.nanoTime();
		this.missedPing = null;
		this.missedCall = false;
	}

	void callTimedOut() {
		this.missedCall = true;
		Throwable missedPing = this.missedPing;
		if (missedPing != null) {
			this.generation.died(missedPing);
		}
	}

	/**
	 * Find out, after an answer that the session is not known, whether that is so: a ping
	 * is answered in the same way then. What else may be meant is a reason to ask once in
	 * a while only.
	 */
	Mono<Void> doubt() {
		Long last = this.lastDoubt;
		if (this.probe.get() == null && last != null && this.queue.since(last).compareTo(DOUBT_PAUSE) < 0) {
			return Mono.empty();
		}
		this.lastDoubt = this.queue.nanoTime();
		return probe();
	}

	/**
	 * Find out, after an exchange was cut off, whether the server is still there: a ping
	 * that is cut off, too, is the end, silence proves nothing. Starts at once, and
	 * completes when that is known or the ping has timed out; callers share it.
	 */
	Mono<Void> probe() {
		Sinks.Empty<Void> end = Sinks.empty();
		Sinks.Empty<Void> other = this.probe.compareAndExchange(null, end);
		if (other != null) {
			return Mono.firstWithSignal(this.generation.onDeath(), other.asMono());
		}
		ping(this.context.definition().timeouts().connect(), (failure) -> {
			if (FailureKind.isCutOff(failure)) {
				this.generation.died(failure);
			}
			sessionLost(failure);
		}).onErrorComplete().subscribe(null, null, () -> {
			this.probe.set(null);
			end.tryEmitEmpty();
		});
		return Mono.firstWithSignal(this.generation.onDeath(), end.asMono());
	}

	// sends a ping, and judges its failure unless the ping never left
	private Mono<Void> ping(Duration timeout, Consumer<Throwable> judge) {
		SendState sendState = new SendState();
		return Mono.defer(() -> this.generation.session().ping(timeout))
			.contextWrite(Context.of(SendState.class, sendState))
			.doOnError((failure) -> {
				if (!sendState.isQueued()) {
					judge.accept(failure);
				}
			});
	}

	/**
	 * Start the keep-alive.
	 * @param answered called on the serial queue with the latency of each answer
	 */
	void start(Duration interval, Consumer<Duration> answered) {
		touch();
		check(interval, answered);
	}

	void stop() {
		this.stopped = true;
		this.timer.dispose();
	}

	private void check(Duration interval, Consumer<Duration> answered) {
		Duration rest = interval.minus(silence());
		if (this.stopped) {
			return;
		}
		if (rest.isZero() || rest.isNegative()) {
			this.queue.aside(() -> keepAlive(interval, answered));
		}
		else {
			this.timer = this.queue.executeAfter(rest, () -> check(interval, answered));
		}
	}

	private Duration silence() {
		return this.queue.since(this.lastSeen);
	}

	private void keepAlive(Duration interval, Consumer<Duration> answered) {
		long started = this.queue.nanoTime();
		Duration timeout = Collections.min(List.of(this.context.definition().timeouts().request(), interval));
		ping(timeout, (failure) -> unanswered(failure, started)).subscribe(null,
				(failure) -> next(interval, answered, null), () -> {
					touch();
					next(interval, answered, this.queue.since(started));
				});
	}

	private void next(Duration interval, Consumer<Duration> answered, @Nullable Duration latency) {
		this.queue.execute(() -> {
			if (!this.stopped) {
				if (latency != null) {
					answered.accept(latency);
				}
				this.timer = this.queue.executeAfter(interval, () -> check(interval, answered));
			}
		});
	}

	private void unanswered(Throwable failure, long started) {
		if (FailureKind.isStatus(failure) || sessionLost(failure)) {
			return;
		}
		if (!this.generation.isSupervised() && FailureKind.isTransportFailure(failure)) {
			this.generation.died(failure);
		}
		else if (FailureKind.isCutOff(failure)) {
			probe().subscribe();
		}
		else if (failure instanceof SessionTimeoutException || !this.context.isHttp()) {
			// over HTTP, any other failure is an answer, or the lack of a connection
			pingTimedOut(failure, started);
		}
	}

	// transports over HTTP find that out themselves
	private boolean sessionLost(Throwable failure) {
		boolean lost = !this.context.isHttp() && FailureKind.isSessionUnknown(failure);
		if (lost) {
			this.context.deviations().add(Kind.SESSION_LOST, String.valueOf(failure.getMessage()));
			this.generation.died(new McpTransportSessionNotFoundException(String.valueOf(failure.getMessage())));
		}
		return lost;
	}

	private void pingTimedOut(Throwable failure, long started) {
		if (silence().compareTo(this.queue.since(started)) >= 0) {
			this.missedPing = failure;
			// set first: a call that times out at the same time sees it
			if (this.generation.session().pendingCount() == 0 || this.missedCall) {
				this.generation.died(failure);
			}
		}
	}

}
