package io.github.mcpclient.handler;

import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

import io.github.mcpclient.support.CallOrigin;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/**
 * Runs the handlers of one kind for one server: some at a time, while a few wait. When
 * its time is over a handler is interrupted, but counts until its thread is free.
 */
final class HandlerThreads {

	private static final int MAX_RUNNING = 32;

	private static final int MAX_WAITING = 32;

	private final ThreadPoolExecutor executor;

	private final Scheduler timer;

	HandlerThreads(ThreadFactory threads, Scheduler timer) {
		this.timer = timer;
		this.executor = new ThreadPoolExecutor(MAX_RUNNING, MAX_RUNNING, 1, TimeUnit.SECONDS,
				new ArrayBlockingQueue<>(MAX_WAITING), threads, (task, executor) -> {
					throw HandledRequests.refusal("Too many requests are pending");
				});
		// no thread is left then, so that there is nothing to close
		this.executor.allowCoreThreadTimeOut(true);
	}

	<T> Mono<T> run(Callable<T> handler, CallOrigin origin, Duration timeout) {
		return Mono.defer(() -> {
			CompletableFuture<T> answer = new CompletableFuture<>();
			Future<?> task = this.executor.submit(origin.wrap(() -> {
				try {
					answer.complete(handler.call());
				}
				catch (Throwable ex) {
					answer.completeExceptionally(ex);
				}
			}));
			answer.whenComplete((value, failure) -> {
				if (answer.isCancelled()) {
					task.cancel(true);
					this.executor.remove((Runnable) task);
				}
			});
			return Mono.fromFuture(answer);
		})
			// a virtual thread inherits from the one that starts it
			.subscribeOn(this.timer)
			.timeout(timeout,
					Mono.error(() -> HandledRequests.refusal("No answer within " + timeout.toMillis() + " ms")),
					this.timer);
	}

}
