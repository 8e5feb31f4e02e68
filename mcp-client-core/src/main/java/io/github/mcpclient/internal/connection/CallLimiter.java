package io.github.mcpclient.internal.connection;

import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

import io.github.mcpclient.internal.support.Monos;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Scheduler;

/**
 * Limits the number of concurrent calls. Further calls wait in their order, each for its
 * own timeout at most. No thread waits.
 */
final class CallLimiter {

	private static final Logger logger = LoggerFactory.getLogger(ConnectionContext.LOGGER);

	private final Scheduler scheduler;

	private final Queue<Turn> waiting = new ConcurrentLinkedQueue<>();

	private final AtomicInteger free;

	private final AtomicInteger drains = new AtomicInteger();

	CallLimiter(int permits, Scheduler scheduler) {
		this.free = new AtomicInteger(permits);
		this.scheduler = scheduler;
	}

	/**
	 * Make a call as soon as there is a permit. The permit is released before the result
	 * is signalled.
	 * @param timedOut the failure of a call that waited for longer than the timeout
	 * @param call makes the call
	 */
	<T> Mono<T> limit(Duration timeout, Supplier<? extends Throwable> timedOut, Supplier<Mono<T>> call) {
		return Mono.defer(() -> {
			Turn turn = new Turn();
			this.waiting.add(turn);
			drain();
			Mono<Void> begin = turn.begin.asMono();
			if (turn.phase.get() == Phase.WAITING) {
				begin = begin.timeout(timeout, Mono.error(timedOut), this.scheduler);
			}
			return begin.then(Monos.guarded(call)).doOnTerminate(turn::end).doFinally((signal) -> turn.end());
		});
	}

	// Begins as many calls as there are permits. A single thread at a time does this for
	// all, so that calls that end
	// immediately do not pile up on one stack.
	private void drain() {
		if (this.drains.getAndIncrement() != 0) {
			return;
		}
		int missed = 1;
		do {
			Turn next;
			while (this.free.get() > 0 && (next = this.waiting.poll()) != null) {
				next.begin();
			}
			missed = this.drains.addAndGet(-missed);
		}
		while (missed != 0);
	}

	private enum Phase {

		WAITING, RUNNING, DONE

	}

	private final class Turn {

		private final AtomicReference<Phase> phase = new AtomicReference<>(Phase.WAITING);

		private final Sinks.Empty<Void> begin = Sinks.empty();

		void begin() {
			if (this.phase.compareAndSet(Phase.WAITING, Phase.RUNNING)) {
				CallLimiter.this.free.decrementAndGet();
				try {
					this.begin.tryEmitEmpty();
				}
				catch (Throwable ex) {
					// fatal to Reactor: it must not end the loop, which serves other
					// calls
					logger.warn("Code that waited for the result of a call failed", ex);
				}
			}
		}

		void end() {
			Phase previous = this.phase.getAndSet(Phase.DONE);
			if (previous == Phase.WAITING) {
				CallLimiter.this.waiting.remove(this);
			}
			else if (previous == Phase.RUNNING) {
				CallLimiter.this.free.incrementAndGet();
				drain();
			}
		}

	}

}
