package io.github.mcpclient.internal.support;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

import org.jspecify.annotations.Nullable;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Signal;
import reactor.core.scheduler.Scheduler;

/**
 * Threads for code that may block, or takes long, with a share for each server, so that
 * servers do not block each other. If the total number is limited, a server almost always
 * gets a first thread, and further threads only while enough remain for the first threads
 * of other servers. Threads are started on demand, and end when they are idle.
 */
public final class ServerThreads implements Disposable {

	private final String name;

	private final Limits limits;

	private final Scheduler scheduler;

	private final Executor threads;

	private final Set<Runnable> pending = ConcurrentHashMap.newKeySet();

	// the servers whose code runs or waits now
	private final Map<String, Share> shares = new HashMap<>();

	// the servers with waiting code, in order of arrival: without a thread, and with some
	private final Set<Share> idle = new LinkedHashSet<>();

	private final Set<Share> busy = new LinkedHashSet<>();

	private int running;

	private volatile boolean disposed;

	/**
	 * Create threads.
	 * @param threads executes the tasks; shut down with this object if possible
	 * @param scheduler provides the time and signals the results of calls
	 */
	public ServerThreads(String name, Limits limits, Executor threads, Scheduler scheduler) {
		this.name = name;
		this.limits = limits;
		this.threads = threads;
		this.scheduler = scheduler;
	}

	/**
	 * Call code on a thread of a server, for each subscription; cancelling the
	 * subscription interrupts it. The result is signalled on a thread that must not
	 * block.
	 * @param binding binds the context of the code to its thread
	 * @param patience how long to wait for a thread
	 * @param tooLate the failure of code that did not get a thread
	 */
	public <T> Mono<T> call(String server, UnaryOperator<Runnable> binding, Callable<? extends T> code,
			Duration patience, Supplier<? extends Throwable> tooLate) {
		// a failure is a value until it is delivered, so that Reactor does not log a
		// dropped one with a stack trace
		return Mono.<Signal<T>>create((sink) -> {
			FutureTask<?> task = new FutureTask<>(binding.apply(() -> sink.success(signal(code))), null);
			Runnable giveUp = () -> {
				sink.success(Signal.error(new CancellationException()));
				task.cancel(true);
			};
			Disposable.Swap deadline = Disposables.swap();
			this.pending.add(giveUp);
			sink.onDispose(() -> {
				this.pending.remove(giveUp);
				deadline.dispose();
			});
			sink.onCancel(() -> {
				if (!forget(server, task)) {
					task.cancel(true);
				}
			});
			try {
				if (!begin(server, task)) {
					deadline.update(this.scheduler.schedule(() -> {
						if (forget(server, task)) {
							sink.success(Signal.error(tooLate.get()));
						}
					}, Deadline.atMostForever(patience).toNanos(), TimeUnit.NANOSECONDS));
				}
			}
			catch (Throwable ex) {
				sink.success(Signal.error(ex));
			}
		}).publishOn(this.scheduler).dematerialize();
	}

	/**
	 * Call code with no context of the caller on its thread, without a limit for the
	 * wait.
	 * @param party a server, or another party that the code waits for
	 */
	public <T> Mono<T> call(String party, Callable<? extends T> code) {
		return call(party, CallerContext::withoutCaller, code, ChronoUnit.FOREVER.getDuration(),
				CancellationException::new);
	}

	private static <T> Signal<T> signal(Callable<? extends T> code) {
		try {
			T result = code.call();
			return (result != null) ? Signal.next(result) : Signal.complete();
		}
		catch (Throwable ex) {
			// also an Error, since the subscriber waits
			return Signal.error(ex);
		}
	}

	/**
	 * Run a task, which must not throw an exception, on a thread of a server. Fails if
	 * too many tasks wait.
	 */
	public void execute(String server, Runnable task) {
		begin(server, new FutureTask<>(task, null));
	}

	// returns whether the task runs immediately; otherwise it waits
	private boolean begin(String server, FutureTask<?> task) {
		Share share;
		synchronized (this.shares) {
			if (this.disposed) {
				throw new RejectedExecutionException("The threads " + this.name + " are disposed");
			}
			share = this.shares.computeIfAbsent(server, Share::new);
			if (share.running == this.limits.share
					|| this.running >= ((share.running == 0) ? this.limits.all : this.limits.further)) {
				if (share.waiting.size() == this.limits.waiting) {
					throw new FullException("All " + share.running + " threads " + this.name + " of MCP server '"
							+ server + "' are blocked, and " + this.limits.waiting + " tasks wait for them");
				}
				share.waiting.add(task);
				queue(share);
				return false;
			}
			// none of the waiting tasks could run, either
			count(share, 1);
		}
		try {
			this.threads.execute(() -> work(new Work(share, task)));
			return true;
		}
		catch (Throwable ex) {
			// for example, no more threads can be created
			synchronized (this.shares) {
				count(share, -1);
			}
			throw ex;
		}
	}

	private void work(Work first) {
		for (Work work = first; work != null; work = next(work.share)) {
			work.task.run();
			// clear the interrupt of a cancellation
			Thread.interrupted();
		}
	}

	// no other thread is sought: the only one might be blocked
	private @Nullable Work next(Share ended) {
		synchronized (this.shares) {
			count(ended, -1);
			Set<Share> from = (!this.idle.isEmpty() || this.running >= this.limits.further) ? this.idle : this.busy;
			if (from.isEmpty()) {
				return null;
			}
			Share share = from.iterator().next();
			from.remove(share);
			Iterator<FutureTask<?>> waiting = share.waiting.iterator();
			FutureTask<?> task = waiting.next();
			waiting.remove();
			count(share, 1);
			return new Work(share, task);
		}
	}

	private boolean forget(String server, FutureTask<?> task) {
		synchronized (this.shares) {
			Share share = this.shares.get(server);
			if (share == null || !share.waiting.remove(task)) {
				return false;
			}
			queue(share);
			return true;
		}
	}

	private void count(Share share, int change) {
		share.running += change;
		this.running += change;
		queue(share);
	}

	private void queue(Share share) {
		boolean waits = !share.waiting.isEmpty() && share.running < this.limits.share;
		// further tasks do not change the position of a server
		if (!waits || share.running > 0) {
			this.idle.remove(share);
		}
		if (!waits || share.running == 0) {
			this.busy.remove(share);
		}
		if (waits) {
			((share.running == 0) ? this.idle : this.busy).add(share);
		}
		else if (share.waiting.isEmpty() && share.running == 0) {
			this.shares.remove(share.name);
		}
	}

	/**
	 * Fail all calls, and interrupt their code.
	 */
	@Override
	public void dispose() {
		this.disposed = true;
		this.pending.forEach(Runnable::run);
		if (this.threads instanceof ExecutorService service) {
			service.shutdownNow();
		}
	}

	/**
	 * Numbers of threads.
	 *
	 * @param share for each server
	 * @param waiting the maximum number of waiting tasks of a server
	 * @param all in total
	 * @param further the total up to which a server gets more than a first thread
	 */
	public record Limits(int share, int waiting, int all, int further) {

		/**
		 * Create limits for each server, without a total.
		 */
		public Limits(int share, int waiting) {
			this(share, waiting, Integer.MAX_VALUE, Integer.MAX_VALUE);
		}

	}

	/**
	 * Too many tasks of a server wait.
	 */
	public static final class FullException extends RejectedExecutionException {

		private FullException(String message) {
			super(message);
		}

	}

	private record Work(Share share, FutureTask<?> task) {

	}

	private static final class Share {

		private final String name;

		private final Set<FutureTask<?>> waiting = new LinkedHashSet<>();

		private int running;

		Share(String name) {
			this.name = name;
		}

	}

}
