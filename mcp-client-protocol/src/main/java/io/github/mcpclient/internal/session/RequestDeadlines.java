package io.github.mcpclient.internal.session;

import java.util.Collection;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

import org.jspecify.annotations.Nullable;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.scheduler.Scheduler;

/**
 * Ends the pending requests of a session at their deadlines, with one timer for all of
 * them. Nearly all are answered long before, and most have the same timeout, so that the
 * timer is set once in a while rather than set and cancelled for each.
 *
 * <p>
 * A request is pending before its deadline is watched, and the timer is taken before the
 * pending requests are looked at: one of them sees the other.
 */
final class RequestDeadlines {

	private final Scheduler scheduler;

	private final Collection<PendingRequest<?>> pending;

	private final AtomicReference<@Nullable Wake> next = new AtomicReference<>();

	RequestDeadlines(Scheduler scheduler, Collection<PendingRequest<?>> pending) {
		this.scheduler = scheduler;
		this.pending = pending;
	}

	/**
	 * Wake no later than at a time of the scheduler's clock, in nanoseconds.
	 */
	void watch(long time) {
		Wake known = this.next.get();
		while (known == null || time - known.time() < 0) {
			Wake earlier = new Wake(time, Disposables.swap());
			if (this.next.compareAndSet(known, earlier)) {
				if (known != null) {
					known.timer().dispose();
				}
				earlier.timer()
					.update(this.scheduler.schedule(() -> wake(earlier), Math.max(0, time - now()),
							TimeUnit.NANOSECONDS));
				return;
			}
			known = this.next.get();
		}
	}

	private void wake(Wake wake) {
		if (!this.next.compareAndSet(wake, null)) {
			return;
		}
		long now = now();
		Long following = null;
		for (PendingRequest<?> request : this.pending) {
			long deadline = request.deadline();
			if (request.isStanding()) {
				continue;
			}
			if (deadline - now <= 0) {
				request.expire();
			}
			else if (following == null || deadline - following < 0) {
				following = deadline;
			}
		}
		if (following != null) {
			watch(following);
		}
	}

	void stop() {
		Wake wake = this.next.getAndSet(null);
		if (wake != null) {
			wake.timer().dispose();
		}
	}

	private long now() {
		return this.scheduler.now(TimeUnit.NANOSECONDS);
	}

	private record Wake(long time, Disposable.Swap timer) {
	}

}
