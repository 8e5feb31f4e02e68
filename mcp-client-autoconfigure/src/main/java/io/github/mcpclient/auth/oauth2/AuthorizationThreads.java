package io.github.mcpclient.auth.oauth2;

import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Supplier;

import io.github.mcpclient.support.CallerContext;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;
import reactor.core.publisher.Signal;
import reactor.core.scheduler.Scheduler;

/**
 * The threads that wait for authorization servers, for all MCP servers. Each party that
 * may be silent has a share: a first thread almost always, and further ones only while
 * there are enough for the first threads of others.
 */
final class AuthorizationThreads {

	private static final int MAX_THREADS = 512;

	private static final int MAX_FURTHER = 256;

	private static final int MAX_SHARE = 32;

	private final Supplier<Scheduler> scheduler;

	private final Map<String, Share> shares = new HashMap<>();

	// shares with tasks that wait, in turn: those without a thread, and with some
	private final Set<Share> idle = new LinkedHashSet<>();

	private final Set<Share> busy = new LinkedHashSet<>();

	private int running;

	AuthorizationThreads(Supplier<Scheduler> scheduler) {
		this.scheduler = scheduler;
	}

	/**
	 * Runs a task that may block. Who gives up before it runs takes it out of the queue,
	 * and later changes nothing.
	 * @param share who is waited for
	 */
	<V> Mono<V> run(String share, Callable<V> task) {
		// a failure is a value until it is delivered: nobody's is dropped, with a trace
		return Mono.<Signal<V>>create((sink) -> {
			Task queued = new Task(share, () -> signal(task), sink);
			sink.onCancel(() -> cancel(queued));
			add(queued);
			dispatch();
		}).dematerialize();
	}

	private static <V> Signal<V> signal(Callable<V> task) {
		try {
			return Signal.next(task.call());
		}
		catch (Throwable ex) {
			return Signal.error(ex);
		}
	}

	private void dispatch() {
		for (Task next = next(); next != null; next = next()) {
			Task task = next;
			try {
				this.scheduler.get().schedule(CallerContext.withoutCaller(() -> runAll(task)));
			}
			catch (Throwable ex) {
				ended(task);
				task.end(Signal.error(ex));
			}
		}
	}

	// no other thread is looked for: there might be none but one that is blocked
	private void runAll(Task first) {
		try {
			for (Task task = first; task != null; task = next()) {
				Signal<?> result = task.work.get();
				ended(task);
				task.end(result);
			}
		}
		finally {
			dispatch();
		}
	}

	private void add(Task task) {
		synchronized (this) {
			Share share = this.shares.computeIfAbsent(task.share, Share::new);
			share.waiting.add(task);
			queue(share);
		}
	}

	private void cancel(Task task) {
		synchronized (this) {
			Share share = this.shares.get(task.share);
			if (share != null && share.waiting.remove(task)) {
				queue(share);
			}
		}
	}

	private @Nullable Task next() {
		synchronized (this) {
			Set<Share> from = (!this.idle.isEmpty() || this.running >= MAX_FURTHER) ? this.idle : this.busy;
			if (from.isEmpty() || this.running >= MAX_THREADS) {
				return null;
			}
			Share share = from.iterator().next();
			Iterator<Task> waiting = share.waiting.iterator();
			Task task = waiting.next();
			waiting.remove();
			share.running++;
			this.running++;
			queue(share);
			return task;
		}
	}

	private void ended(Task task) {
		synchronized (this) {
			Share share = this.shares.get(task.share);
			if (share != null) {
				share.running--;
				this.running--;
				queue(share);
			}
		}
	}

	// with the lock held
	private void queue(Share share) {
		this.idle.remove(share);
		this.busy.remove(share);
		if (!share.waiting.isEmpty() && share.running < MAX_SHARE) {
			((share.running == 0) ? this.idle : this.busy).add(share);
		}
		else if (share.waiting.isEmpty() && share.running == 0) {
			this.shares.remove(share.name);
		}
	}

	/**
	 * What is to be done for one party, in the order of its arrival.
	 */
	private static final class Share {

		private final String name;

		private final Set<Task> waiting = new LinkedHashSet<>();

		private int running;

		Share(String name) {
			this.name = name;
		}

	}

	/**
	 * A task, and who wants its result.
	 */
	private static final class Task {

		private final String share;

		private final Supplier<? extends Signal<?>> work;

		private final MonoSink<?> sink;

		Task(String share, Supplier<? extends Signal<?>> work, MonoSink<?> sink) {
			this.share = share;
			this.work = work;
			this.sink = sink;
		}

		@SuppressWarnings("unchecked")
		void end(Signal<?> result) {
			((MonoSink<Signal<?>>) this.sink).success(result);
		}

	}

}
