package io.github.mcpclient.auth.oauth2;

import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;
import reactor.core.publisher.Signal;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Scheduler;

/**
 * Runs one task per key at a time, for all callers that need its result. A caller that
 * cancels does not cancel the task, and no caller waits for another one to handle the
 * result.
 */
final class SingleFlight<V> {

	private final ConcurrentHashMap<String, Sinks.One<Signal<V>>> running = new ConcurrentHashMap<>();

	private final Supplier<Scheduler> scheduler;

	/**
	 * Create an instance.
	 * @param scheduler where results are delivered
	 */
	SingleFlight(Supplier<Scheduler> scheduler) {
		this.scheduler = scheduler;
	}

	Mono<V> run(String key, Mono<V> task) {
		// a failure is a value until it is delivered, so that none is dropped, with a
		// trace
		return Mono.defer(() -> {
			Sinks.One<Signal<V>> started = Sinks.one();
			Sinks.One<Signal<V>> running = this.running.putIfAbsent(key, started);
			if (running == null) {
				start(key, started, task);
			}
			return ((running != null) ? running : started).asMono();
		}).flatMap((result) -> Mono.<Signal<V>>create((passenger) -> deliver(result, passenger))).dematerialize();
	}

	private void start(String key, Sinks.One<Signal<V>> flight, Mono<V> task) {
		try {
			task.subscribe((value) -> land(key, flight, Signal.next(value)),
					(failure) -> land(key, flight, Signal.error(failure)), () -> land(key, flight, Signal.complete()));
		}
		catch (Throwable ex) {
			land(key, flight, Signal.error(ex));
		}
	}

	private void land(String key, Sinks.One<Signal<V>> flight, Signal<V> result) {
		// not on the completion that follows a value
		if (this.running.remove(key, flight)) {
			flight.tryEmitValue(result);
		}
	}

	private void deliver(Signal<V> result, MonoSink<Signal<V>> passenger) {
		try {
			this.scheduler.get().schedule(() -> passenger.success(result));
		}
		catch (Throwable ex) {
			// no thread is available: a delay is worse than this thread
			passenger.success(result);
		}
	}

}
