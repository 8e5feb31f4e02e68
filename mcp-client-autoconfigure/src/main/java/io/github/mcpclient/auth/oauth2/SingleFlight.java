package io.github.mcpclient.auth.oauth2;

import java.util.Map;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;

import io.github.mcpclient.support.CallerContext;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;
import reactor.core.scheduler.Scheduler;

/**
 * Runs one blocking task for each key at a time, for all who want its result. That one of
 * them gives up cancels nothing, and none waits for what another does with the result.
 */
final class SingleFlight<V> {

	/**
	 * Leaves threads to others where an authorization server does not answer.
	 */
	private static final int MAX_THREADS = 32;

	private final Map<String, Mono<V>> running = new ConcurrentHashMap<>();

	private final Queue<Runnable> waiting = new ConcurrentLinkedQueue<>();

	private final Semaphore free = new Semaphore(MAX_THREADS);

	private final Supplier<Scheduler> scheduler;

	SingleFlight(Supplier<Scheduler> scheduler) {
		this.scheduler = scheduler;
	}

	Mono<V> run(String key, Callable<V> task) {
		return Mono.defer(() -> this.running.computeIfAbsent(key, (name) -> Mono.<V>create((sink) -> {
			Runnable queued = () -> run(task, sink);
			this.waiting.add(queued);
			if (this.free.tryAcquire()) {
				try {
					this.scheduler.get().schedule(CallerContext.withoutCaller(this::runWaiting));
				}
				catch (Throwable ex) {
					this.free.release();
					if (this.waiting.remove(queued)) {
						throw ex;
					}
				}
			}
		}).doOnTerminate(() -> this.running.remove(key)).cache()).publishOn(this.scheduler.get()));
	}

	private void runWaiting() {
		do {
			try {
				for (Runnable task = this.waiting.poll(); task != null; task = this.waiting.poll()) {
					task.run();
				}
			}
			finally {
				this.free.release();
			}
		}
		while (!this.waiting.isEmpty() && this.free.tryAcquire());
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
