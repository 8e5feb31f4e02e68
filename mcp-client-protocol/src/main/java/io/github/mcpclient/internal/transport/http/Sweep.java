package io.github.mcpclient.internal.transport.http;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.Disposable;
import reactor.core.scheduler.Scheduler;

/**
 * Lets all pools look for idle connections at the same time, so that many servers wake a
 * thread no more often than one server. A task that arrives later waits for a part of its
 * delay only.
 */
final class Sweep implements Scheduler {

	private static final Logger logger = LoggerFactory.getLogger(Sweep.class);

	private final Scheduler timer;

	private final Set<Runnable> tasks = new LinkedHashSet<>();

	private boolean scheduled;

	Sweep(Scheduler timer) {
		this.timer = timer;
	}

	@Override
	public Disposable schedule(Runnable task, long delay, TimeUnit unit) {
		Runnable added = task::run; // a separate object, even if a task is added twice
		synchronized (this.tasks) {
			if (!this.scheduled) {
				this.timer.schedule(this::run, delay, unit);
				this.scheduled = true;
			}
			this.tasks.add(added);
		}
		return () -> {
			synchronized (this.tasks) {
				this.tasks.remove(added);
			}
		};
	}

	private void run() {
		List<Runnable> due;
		synchronized (this.tasks) {
			due = new ArrayList<>(this.tasks);
			this.tasks.clear();
			this.scheduled = false;
		}
		due.forEach((task) -> {
			try {
				task.run();
			}
			catch (Throwable ex) {
				// a failure for one server must not end the sweep for the others
				logger.error("Idle connections of an MCP server are not closed", ex);
			}
		});
	}

	@Override
	public Disposable schedule(Runnable task) {
		return this.timer.schedule(task);
	}

	@Override
	public Worker createWorker() {
		return this.timer.createWorker();
	}

}
