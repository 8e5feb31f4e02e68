package io.github.mcpclient.support;

import java.util.concurrent.TimeUnit;

import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/**
 * A scheduler that tells a time of its own, where Reactor's tell that of the system's
 * clock, which somebody may set.
 */
final class MonotonicScheduler implements Scheduler {

	private final Scheduler delegate;

	MonotonicScheduler(Scheduler delegate) {
		this.delegate = delegate;
	}

	@Override
	public long now(TimeUnit unit) {
		return unit.convert(System.nanoTime(), TimeUnit.NANOSECONDS);
	}

	@Override
	public Disposable schedule(Runnable task) {
		return this.delegate.schedule(task);
	}

	@Override
	public Disposable schedule(Runnable task, long delay, TimeUnit unit) {
		return this.delegate.schedule(task, delay, unit);
	}

	@Override
	public Disposable schedulePeriodically(Runnable task, long initialDelay, long period, TimeUnit unit) {
		return this.delegate.schedulePeriodically(task, initialDelay, period, unit);
	}

	@Override
	public Worker createWorker() {
		return this.delegate.createWorker();
	}

	@Override
	public boolean isDisposed() {
		return this.delegate.isDisposed();
	}

	@Override
	public void dispose() {
		this.delegate.dispose();
	}

	@Override
	public Mono<Void> disposeGracefully() {
		return this.delegate.disposeGracefully();
	}

}
