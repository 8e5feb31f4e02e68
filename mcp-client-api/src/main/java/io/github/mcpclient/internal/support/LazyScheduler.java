package io.github.mcpclient.internal.support;

import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

import reactor.core.Disposable;
import reactor.core.scheduler.Scheduler;

import org.springframework.util.function.SingletonSupplier;

/**
 * A scheduler that is created on first use: the first scheduler loads most of Reactor's
 * classes, which an application without servers does not need.
 */
final class LazyScheduler implements Scheduler {

	private final Supplier<Scheduler> scheduler;

	LazyScheduler(Supplier<Scheduler> scheduler) {
		this.scheduler = SingletonSupplier.of(scheduler);
	}

	@Override
	public Disposable schedule(Runnable task) {
		return this.scheduler.get().schedule(task);
	}

	@Override
	public Disposable schedule(Runnable task, long delay, TimeUnit unit) {
		return this.scheduler.get().schedule(task, delay, unit);
	}

	@Override
	public Disposable schedulePeriodically(Runnable task, long initialDelay, long period, TimeUnit unit) {
		return this.scheduler.get().schedulePeriodically(task, initialDelay, period, unit);
	}

	@Override
	public Worker createWorker() {
		return this.scheduler.get().createWorker();
	}

	@Override
	public boolean isDisposed() {
		return this.scheduler.get().isDisposed();
	}

	@Override
	public void dispose() {
		this.scheduler.get().dispose();
	}

}
