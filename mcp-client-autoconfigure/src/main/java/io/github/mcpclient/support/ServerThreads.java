package io.github.mcpclient.support;

import java.time.Duration;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

import org.jspecify.annotations.Nullable;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Mono;

/**
 * Threads for code that may block, of which each server has a share: what the code of one
 * blocks holds up no other. They are started when needed, and end when they are idle.
 */
public final class ServerThreads implements Disposable {

	private final String name;

	private final int share;

	private final int maxWaiting;

	private final ClientScheduler scheduler;

	private final ExecutorService threads;

	private final Set<CompletableFuture<?>> pending = ConcurrentHashMap.newKeySet();

	// of the servers whose code runs now
	private final Map<String, Share> shares = new HashMap<>();

	/**
	 * Creates threads.
	 * @param share how many a server has
	 * @param maxWaiting how many tasks of a server wait for one
	 * @param scheduler keeps the time and signals the results
	 */
	ServerThreads(String name, int share, int maxWaiting, ClientScheduler scheduler) {
		this.name = name;
		this.share = share;
		this.maxWaiting = maxWaiting;
		this.scheduler = scheduler;
		this.threads = Executors.newCachedThreadPool(DaemonThreads.blocking(name));
	}

	/**
	 * Returns a monotonic time.
	 */
	public long nanoTime() {
		return this.scheduler.now(TimeUnit.NANOSECONDS);
	}

	/**
	 * Calls code on a thread of a server, for each subscription, whose cancellation
	 * interrupts it.
	 * @param binding binds what the code expects on its thread
	 * @param patience how long to wait for a thread
	 * @param tooLate the failure of code that did not get one
	 */
	public <T> Mono<T> call(String server, UnaryOperator<Runnable> binding, Callable<? extends T> code,
			Duration patience, Supplier<? extends Throwable> tooLate) {
		return Mono.defer(() -> {
			CompletableFuture<T> result = new CompletableFuture<>();
			FutureTask<?> task = new FutureTask<>(binding.apply(() -> complete(result, code)), null);
			Disposable deadline = begin(server, task) ? Disposables.disposed() : this.scheduler.schedule(() -> {
				if (forget(server, task)) {
					result.completeExceptionally(tooLate.get());
				}
			}, Times.atMostForever(patience).toNanos(), TimeUnit.NANOSECONDS);
			this.pending.add(result);
			result.whenComplete((value, failure) -> {
				this.pending.remove(result);
				deadline.dispose();
				if (result.isCancelled() && !forget(server, task)) {
					task.cancel(true);
				}
			});
			return Mono.fromFuture(result);
		}).publishOn(this.scheduler);
	}

	private static <T> void complete(CompletableFuture<T> result, Callable<? extends T> code) {
		try {
			result.complete(code.call());
		}
		catch (Throwable ex) {
			// an Error, too: somebody waits
			result.completeExceptionally(ex);
		}
	}

	/**
	 * Runs a task, which fails with nothing, on a thread of a server. Fails where too
	 * many wait.
	 */
	public void execute(String server, Runnable task) {
		begin(server, new FutureTask<>(task, null));
	}

	// returns whether the task runs at once; it waits otherwise
	private boolean begin(String server, FutureTask<?> task) {
		synchronized (this.shares) {
			Share share = this.shares.computeIfAbsent(server, (absent) -> new Share());
			if (share.running == this.share) {
				if (share.waiting.size() == this.maxWaiting) {
					throw new RejectedExecutionException("The code that blocks all " + this.share + " threads "
							+ this.name + " of MCP server '" + server + "' keeps " + this.maxWaiting + " waiting");
				}
				share.waiting.add(task);
				return false;
			}
			share.running++;
		}
		try {
			this.threads.execute(() -> work(server, task));
			return true;
		}
		catch (Throwable ex) {
			// such as that there can be no more threads
			synchronized (this.shares) {
				ended(server);
			}
			throw ex;
		}
	}

	private void work(String server, FutureTask<?> first) {
		for (FutureTask<?> task = first; task != null; task = next(server)) {
			task.run();
			// by who cancelled it
			Thread.interrupted();
		}
	}

	private @Nullable FutureTask<?> next(String server) {
		synchronized (this.shares) {
			Iterator<FutureTask<?>> waiting = Objects.requireNonNull(this.shares.get(server)).waiting.iterator();
			if (!waiting.hasNext()) {
				ended(server);
				return null;
			}
			FutureTask<?> next = waiting.next();
			waiting.remove();
			return next;
		}
	}

	private void ended(String server) {
		this.shares.computeIfPresent(server, (name, share) -> (--share.running > 0) ? share : null);
	}

	private boolean forget(String server, FutureTask<?> task) {
		synchronized (this.shares) {
			Share share = this.shares.get(server);
			return share != null && share.waiting.remove(task);
		}
	}

	/**
	 * Interrupts all code, and fails what waits.
	 */
	@Override
	public void dispose() {
		this.threads.shutdownNow();
		this.pending.forEach((result) -> result.cancel(true));
	}

	private static final class Share {

		private final Set<FutureTask<?>> waiting = new LinkedHashSet<>();

		private int running;

	}

}
