package io.github.mcpclient.connection;

import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.Supplier;

import io.github.mcpclient.support.SerialQueue;
import org.reactivestreams.Subscription;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;
import reactor.util.context.Context;

/**
 * Lets a limited number of calls through at once. The others wait in their order, each
 * for a time of its own; one that is cancelled leaves. No thread waits.
 */
final class CallLimiter {

	private static final Logger logger = LoggerFactory.getLogger(McpConnection.class);

	private final SerialQueue time;

	private final Queue<Ticket<?>> waiting = new ConcurrentLinkedQueue<>();

	private final AtomicInteger free;

	private final AtomicInteger drains = new AtomicInteger();

	CallLimiter(int permits, SerialQueue time) {
		this.free = new AtomicInteger(permits);
		this.time = time;
	}

	/**
	 * Make a call as soon as it is let through.
	 * @param <T> the type of its result
	 * @param timeout how long to wait at most
	 * @param timedOut the failure of a call that waited for so long
	 * @param call makes the call, given the time that it did not wait
	 * @return the result of the call
	 */
	<T> Mono<T> limit(Duration timeout, Supplier<? extends Throwable> timedOut, Function<Duration, Mono<T>> call) {
		return Mono.create((sink) -> {
			Ticket<T> ticket = new Ticket<>(sink, timeout, call);
			sink.onDispose(ticket);
			this.waiting.add(ticket);
			drain();
			ticket.limitWait(timedOut);
		});
	}

	private void release() {
		this.free.incrementAndGet();
		drain();
	}

	/**
	 * Let through whom there is room for. One thread at a time does it for all, so that
	 * calls that end at once do not pile up on one stack.
	 */
	private void drain() {
		if (this.drains.getAndIncrement() != 0) {
			return;
		}
		int missed = 1;
		do {
			while (this.free.get() > 0) {
				Ticket<?> next = this.waiting.poll();
				if (next == null) {
					break;
				}
				if (next.take()) {
					this.free.decrementAndGet();
					next.run();
				}
			}
			missed = this.drains.addAndGet(-missed);
		}
		while (missed != 0);
	}

	private enum Phase {

		WAITING, RUNNING, DONE

	}

	/**
	 * One call on its way through.
	 */
	private final class Ticket<T> implements Disposable {

		private final MonoSink<T> sink;

		private final Duration timeout;

		private final Function<Duration, Mono<T>> call;

		private final long since;

		private final AtomicReference<Phase> phase = new AtomicReference<>(Phase.WAITING);

		private final Disposable.Swap timer = Disposables.swap();

		private final Disposable.Swap running = Disposables.swap();

		Ticket(MonoSink<T> sink, Duration timeout, Function<Duration, Mono<T>> call) {
			this.sink = sink;
			this.timeout = timeout;
			this.call = call;
			this.since = CallLimiter.this.time.nanoTime();
		}

		boolean take() {
			return this.phase.compareAndSet(Phase.WAITING, Phase.RUNNING);
		}

		void run() {
			this.timer.dispose();
			Result result = new Result();
			this.running.update(result);
			try {
				Mono.defer(() -> this.call.apply(this.timeout.minus(CallLimiter.this.time.since(this.since))))
					.subscribe(result);
			}
			catch (Throwable ex) {
				// Fatal to Reactor, such as a missing class, and not told by it. It must
				// neither keep the permit nor end the drain, which serves other callers
				finish();
				fail(ex);
			}
		}

		private void fail(Throwable failure) {
			try {
				this.sink.error(failure);
			}
			catch (Throwable ex) {
				logger.warn("Code that was told of the failure of a call failed itself", ex);
			}
		}

		void limitWait(Supplier<? extends Throwable> timedOut) {
			if (this.phase.get() == Phase.WAITING) {
				this.timer.update(CallLimiter.this.time.after(this.timeout, () -> {
					if (this.phase.compareAndSet(Phase.WAITING, Phase.DONE)) {
						CallLimiter.this.waiting.remove(this);
						fail(timedOut.get());
					}
				}));
			}
		}

		/**
		 * Cancelled by the caller, or told that the signal was delivered.
		 */
		@Override
		public void dispose() {
			this.timer.dispose();
			if (this.phase.compareAndSet(Phase.WAITING, Phase.DONE)) {
				CallLimiter.this.waiting.remove(this);
			}
			else if (this.phase.compareAndSet(Phase.RUNNING, Phase.DONE)) {
				this.running.dispose();
				release();
			}
		}

		/**
		 * Give the permit back, once.
		 */
		private void finish() {
			if (this.phase.compareAndSet(Phase.RUNNING, Phase.DONE)) {
				release();
			}
		}

		/**
		 * Takes the result. The permit is given back first, so that whoever acts on the
		 * result finds it free.
		 */
		private final class Result extends BaseSubscriber<T> {

			@Override
			public Context currentContext() {
				return Context.of(Ticket.this.sink.contextView());
			}

			@Override
			protected void hookOnSubscribe(Subscription subscription) {
				subscription.request(1);
			}

			@Override
			protected void hookOnNext(T value) {
				finish();
				Ticket.this.sink.success(value);
			}

			@Override
			protected void hookOnComplete() {
				finish();
				Ticket.this.sink.success();
			}

			@Override
			protected void hookOnError(Throwable failure) {
				finish();
				Ticket.this.sink.error(failure);
			}

		}

	}

}
