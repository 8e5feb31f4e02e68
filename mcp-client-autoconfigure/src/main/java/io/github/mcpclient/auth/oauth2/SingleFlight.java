package io.github.mcpclient.auth.oauth2;

import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

import io.github.mcpclient.support.CallerContext;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Signal;
import reactor.core.scheduler.Scheduler;

/**
 * Runs one blocking task for each key at a time, for all who want its result. That one of
 * them gives up cancels nothing.
 */
final class SingleFlight<V> {

	private final Map<String, CompletableFuture<Signal<V>>> running = new ConcurrentHashMap<>();

	private final Supplier<Scheduler> scheduler;

	SingleFlight(Supplier<Scheduler> scheduler) {
		this.scheduler = scheduler;
	}

	Mono<V> run(String key, Callable<V> task) {
		return Mono.defer(() -> {
			CompletableFuture<Signal<V>> next = new CompletableFuture<>();
			CompletableFuture<Signal<V>> running = this.running.putIfAbsent(key, next);
			if (running == null) {
				start(key, task, next);
			}
			// a failure that nobody waits for any more is not one that Reactor logs as
			// dropped
			return Mono.fromFuture((running != null) ? running : next, true).dematerialize();
		});
	}

	private void start(String key, Callable<V> task, CompletableFuture<Signal<V>> result) {
		try {
			this.scheduler.get().schedule(CallerContext.withoutCaller(() -> {
				try {
					V value = task.call();
					this.running.remove(key);
					result.complete(Signal.next(value));
				}
				catch (Throwable ex) {
					this.running.remove(key);
					result.complete(Signal.error(ex));
				}
			}));
		}
		catch (RuntimeException ex) {
			this.running.remove(key);
			result.complete(Signal.error(ex));
		}
	}

}
