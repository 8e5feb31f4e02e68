package io.github.mcpclient.auth.oauth2;

import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

import io.github.mcpclient.support.CallerContext;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/**
 * Runs one blocking task for each key at a time, for all who want its result. That one of
 * them gives up cancels nothing.
 */
final class SingleFlight<V> {

	private final Map<String, CompletableFuture<V>> running = new ConcurrentHashMap<>();

	private final Supplier<Scheduler> scheduler;

	SingleFlight(Supplier<Scheduler> scheduler) {
		this.scheduler = scheduler;
	}

	Mono<V> run(String key, Callable<V> task) {
		return Mono.defer(() -> {
			CompletableFuture<V> next = new CompletableFuture<>();
			CompletableFuture<V> running = this.running.putIfAbsent(key, next);
			if (running == null) {
				start(key, task, next);
			}
			return Mono.fromFuture((running != null) ? running : next, true);
		});
	}

	private void start(String key, Callable<V> task, CompletableFuture<V> result) {
		try {
			this.scheduler.get().schedule(CallerContext.withoutCaller(() -> {
				try {
					V value = task.call();
					this.running.remove(key);
					result.complete(value);
				}
				catch (Throwable ex) {
					this.running.remove(key);
					result.completeExceptionally(ex);
				}
			}));
		}
		catch (RuntimeException ex) {
			this.running.remove(key);
			result.completeExceptionally(ex);
		}
	}

}
