package io.github.mcpclient.transport.http;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

import org.awaitility.Awaitility;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.scheduler.Scheduler;
import reactor.test.scheduler.VirtualTimeScheduler;

/**
 * A clock that stands still until it is told, and knows what waits for it.
 */
final class HttpTestTimer implements Scheduler {

	private final VirtualTimeScheduler time = VirtualTimeScheduler.create();

	private final Set<Object> pending = ConcurrentHashMap.newKeySet();

	@Override
	public Disposable schedule(Runnable task) {
		return this.time.schedule(task);
	}

	@Override
	public Disposable schedule(Runnable task, long delay, TimeUnit unit) {
		if (unit.toNanos(delay) == McpHttpClients.EVICTION_INTERVAL.toNanos()) {
			// goes on as long as there are connections
			return this.time.schedule(task, delay, unit);
		}
		Object key = new Object();
		Disposable scheduled;
		// who sees that it is pending may advance the time at once
		synchronized (this.pending) {
			this.pending.add(key);
			scheduled = this.time.schedule(() -> {
				if (this.pending.remove(key)) {
					task.run();
				}
			}, delay, unit);
		}
		return Disposables.composite(scheduled, () -> this.pending.remove(key));
	}

	@Override
	public Worker createWorker() {
		return this.time.createWorker();
	}

	@Override
	public long now(TimeUnit unit) {
		return this.time.now(unit);
	}

	@Override
	public void dispose() {
		this.time.dispose();
	}

	/**
	 * Wait until just so many tasks wait for their time.
	 */
	void awaitPending(int count) {
		Awaitility.await().pollInterval(Duration.ofMillis(5)).until(() -> {
			synchronized (this.pending) {
				return this.pending.size() == count;
			}
		});
	}

	void advance(Duration duration) {
		// what other threads schedule meanwhile is scheduled after it
		synchronized (this.pending) {
			this.time.advanceTimeBy(duration);
		}
	}

}
