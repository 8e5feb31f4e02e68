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
 * Pings the server of a generation: when it has been silent for the keep-alive interval,
 * and after an exchange was interrupted. Thread-safe, except for the keep-alive, which
 * runs on the serial queue.
 *
 * <p>
 * A server that processes one request at a time does not respond to a ping during a call.
 * A ping without a response is therefore only a failure of the server if no other request
 * is pending, or if a call has also timed out since the last sign of life. A ping that
 * was rejected, or that was never sent, proves nothing.
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
	 * Verify, after a response that the session is unknown, whether this is true: a ping
	 * then gets the same response. Since the response may have other meanings, this is
	 * verified only occasionally.
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
	 * Verify, after an exchange was interrupted, whether the server is still available:
	 * if a ping is interrupted, too, it is not; a timeout proves nothing. Starts
	 * immediately, and completes when the result is known or the ping has timed out;
	 * concurrent callers share it.
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

	// sends a ping, and evaluates its failure unless the ping was never sent
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
	 * @param responded called on the serial queue with the latency of each response
	 */
	void start(Duration interval, Consumer<Duration> responded) {
		touch();
		check(interval, responded);
	}

	void stop() {
		this.stopped = true;
		this.timer.dispose();
	}

	private void check(Duration interval, Consumer<Duration> responded) {
		Duration rest = interval.minus(silence());
		if (this.stopped) {
			return;
		}
		if (rest.isZero() || rest.isNegative()) {
			this.queue.aside(() -> keepAlive(interval, responded));
		}
		else {
			this.timer = this.queue.executeAfter(rest, () -> check(interval, responded));
		}
	}

	private Duration silence() {
		return this.queue.since(this.lastSeen);
	}

	private void keepAlive(Duration interval, Consumer<Duration> responded) {
		long started = this.queue.nanoTime();
		Duration timeout = Collections.min(List.of(this.context.definition().timeouts().request(), interval));
		ping(timeout, (failure) -> withoutResponse(failure, started)).subscribe(null,
				(failure) -> next(interval, responded, null), () -> {
					touch();
					next(interval, responded, this.queue.since(started));
				});
	}

	private void next(Duration interval, Consumer<Duration> responded, @Nullable Duration latency) {
		this.queue.execute(() -> {
			if (!this.stopped) {
				if (latency != null) {
					responded.accept(latency);
				}
				this.timer = this.queue.executeAfter(interval, () -> check(interval, responded));
			}
		});
	}

	private void withoutResponse(Throwable failure, long started) {
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
			// over HTTP, any other failure is a response, or the lack of a connection
			pingTimedOut(failure, started);
		}
	}

	// transports over HTTP detect this themselves
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
