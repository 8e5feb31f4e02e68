package io.github.mcpclient.connection;

import java.time.Duration;
import java.util.function.Consumer;

import io.github.mcpclient.session.SessionTimeoutException;
import io.github.mcpclient.support.Departure;
import io.github.mcpclient.support.SerialQueue;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Mono;
import reactor.util.context.Context;

/**
 * Tests a READY generation with a ping whenever the server has been silent for the
 * keep-alive interval. No answer is the end of the generation, unless the server may be
 * {@linkplain Liveness busy}. A ping that was refused, or that never left, proves
 * nothing, and one that was cut off is a reason to {@linkplain Probe send another}. Lives
 * on the serial queue.
 */
final class KeepAlive {

	private final Generation generation;

	private final SerialQueue queue;

	private final Duration interval;

	private final Duration timeout;

	private final boolean http;

	private final Consumer<Duration> answered;

	private Disposable timer = Disposables.disposed();

	private boolean stopped;

	/**
	 * Create a keep-alive, to be started.
	 * @param generation the generation to test
	 * @param environment of the connection
	 * @param interval how long the server may be silent
	 * @param answered told, on the serial queue, how long an answer took
	 */
	KeepAlive(Generation generation, Environment environment, Duration interval, Consumer<Duration> answered) {
		this.generation = generation;
		this.queue = environment.queue();
		this.interval = interval;
		Duration request = environment.definition().timeouts().request();
		this.timeout = (request.compareTo(interval) < 0) ? request : interval;
		this.http = environment.definition().http() != null;
		this.answered = answered;
	}

	void start() {
		this.generation.liveness().sign();
		schedule(this.interval);
	}

	void stop() {
		this.stopped = true;
		this.timer.dispose();
	}

	private void schedule(Duration delay) {
		this.timer = this.queue.executeAfter(delay, this::check);
	}

	private void check() {
		if (this.stopped) {
			return;
		}
		Duration rest = this.interval.minus(this.generation.liveness().silence());
		if (rest.isZero() || rest.isNegative()) {
			this.queue.aside(this::ping);
		}
		else {
			schedule(rest);
		}
	}

	private void ping() {
		long started = this.queue.nanoTime();
		Departure departure = new Departure();
		Mono.defer(() -> this.generation.session().ping(this.timeout))
			.contextWrite(Context.of(Departure.class, departure))
			.subscribe(null, (failure) -> failed(failure, departure, started), () -> {
				this.generation.liveness().sign();
				Duration latency = this.queue.since(started);
				next(() -> this.answered.accept(latency));
			});
	}

	private void failed(Throwable failure, Departure departure, long started) {
		if (!departure.isHeld() && !ErrorWording.isStatus(failure)) {
			unanswered(failure, started);
		}
		next(() -> {
		});
	}

	private void unanswered(Throwable failure, long started) {
		if (!this.generation.isSupervised() && ErrorWording.isTransportFailure(failure)) {
			this.generation.died(failure);
			return;
		}
		if (ErrorWording.isCutOff(failure)) {
			this.generation.probe().subscribe();
			return;
		}
		if (this.http && !(failure instanceof SessionTimeoutException)) {
			// an answer of some kind, or for want of a connection that could be used
			return;
		}
		Liveness liveness = this.generation.liveness();
		boolean silent = liveness.silence().compareTo(this.queue.since(started)) >= 0;
		if (silent) {
			liveness.pingTimedOut(failure, this.generation.session().pendingCount() > 0);
		}
	}

	private void next(Runnable first) {
		this.queue.execute(() -> {
			if (!this.stopped) {
				first.run();
				schedule(this.interval);
			}
		});
	}

}
