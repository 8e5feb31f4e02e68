package io.github.mcpclient.connection;

import java.time.Duration;
import java.util.function.Consumer;

import io.github.mcpclient.session.SessionTimeoutException;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Mono;

/**
 * Tests a READY generation with a ping whenever the server has been silent for the
 * keep-alive interval. No answer is the end of the generation, unless the server may be
 * {@linkplain Liveness busy}. Lives on the serial queue.
 */
final class KeepAlive {

	private final Generation generation;

	private final SerialQueue queue;

	private final Duration interval;

	private final Duration timeout;

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
		Mono.defer(() -> this.generation.session().ping(this.timeout))
			.subscribe(null, (failure) -> failed(failure, started), () -> {
				this.generation.liveness().sign();
				Duration latency = this.queue.since(started);
				next(() -> this.answered.accept(latency));
			});
	}

	private void failed(Throwable failure, long started) {
		if (!(failure instanceof SessionTimeoutException)) {
			this.generation.died(failure);
			return;
		}
		Liveness liveness = this.generation.liveness();
		boolean silent = liveness.silence().compareTo(this.queue.since(started)) >= 0;
		if (silent) {
			liveness.pingTimedOut(failure, this.generation.session().pendingCount() > 0);
		}
		next(() -> {
		});
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
