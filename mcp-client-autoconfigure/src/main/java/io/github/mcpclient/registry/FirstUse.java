package io.github.mcpclient.registry;

import java.time.Duration;
import java.util.function.Supplier;

import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * Connects lazy servers once, at the first use. Users that arrive meanwhile share the
 * attempt, and one that gives up does not cancel it.
 */
final class FirstUse {

	private final Mono<Void> attempt;

	private volatile boolean begun;

	private volatile boolean ended;

	FirstUse(Duration wait, Scheduler timer, Supplier<Mono<Void>> connect) {
		this.attempt = Mono.defer(() -> {
			// before the servers are read, so that one that is added meanwhile is not
			// lost
			this.begun = true;
			return connect.get();
		}).timeout(wait, Mono.empty(), timer).doOnTerminate(() -> this.ended = true).cache();
	}

	boolean hasBegun() {
		return this.begun;
	}

	void await() {
		if (this.ended) {
			return;
		}
		this.attempt.subscribe();
		if (!Schedulers.isInNonBlockingThread()) {
			Waiting.until(this.attempt);
		}
	}

}
