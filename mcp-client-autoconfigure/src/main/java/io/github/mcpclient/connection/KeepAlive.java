package io.github.mcpclient.connection;

import java.time.Duration;
import java.util.function.Consumer;

import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Mono;

/**
 * Tests a READY generation with a ping whenever the server has been silent for the
 * keep-alive interval. No answer is the end of the generation. Lives on the serial queue.
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
		this.generation.answered();
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
		Duration rest = this.interval.minus(this.generation.silence());
		if (rest.isZero() || rest.isNegative()) {
			this.queue.aside(this::ping);
		}
		else {
			schedule(rest);
		}
	}

	private void ping() {
		long started = this.queue.nanoTime();
		Mono.defer(() -> this.generation.session().ping(this.timeout)).subscribe(null, this.generation::died, () -> {
			this.generation.answered();
			Duration latency = this.queue.since(started);
			this.queue.execute(() -> pinged(latency));
		});
	}

	private void pinged(Duration latency) {
		if (!this.stopped) {
			this.answered.accept(latency);
			schedule(this.interval);
		}
	}

}
