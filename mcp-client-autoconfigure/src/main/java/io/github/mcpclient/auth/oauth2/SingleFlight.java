package io.github.mcpclient.auth.oauth2;

import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

import io.github.mcpclient.support.CallerContext;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;
import reactor.core.scheduler.Scheduler;

/**
 * Runs one blocking task for each key at a time, for all who want its result. That one of
 * them gives up cancels nothing.
 */
final class SingleFlight<V> {

	private final Map<String, Mono<V>> running = new ConcurrentHashMap<>();

	private final Supplier<Scheduler> scheduler;

	SingleFlight(Supplier<Scheduler> scheduler) {
		this.scheduler = scheduler;
	}

	Mono<V> run(String key, Callable<V> task) {
		return Mono.defer(() -> this.running.computeIfAbsent(key, (name) -> Mono
			.<V>create((sink) -> this.scheduler.get().schedule(CallerContext.withoutCaller(() -> run(task, sink))))
			.doOnTerminate(() -> this.running.remove(key))
			.cache()));
	}

	private static <V> void run(Callable<V> task, MonoSink<V> sink) {
		try {
			sink.success(task.call());
		}
		catch (Throwable ex) {
			sink.error(ex);
		}
	}

}
