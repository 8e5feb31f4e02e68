package io.github.mcpclient.registry;

import java.lang.StackWalker.Option;
import java.time.Duration;
import java.util.function.Supplier;

import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

import org.springframework.beans.factory.config.SingletonBeanRegistry;

/**
 * Connects lazy servers once, at the first use. Users that arrive meanwhile share the
 * attempt, and one that gives up does not cancel it.
 */
final class FirstUse {

	private static final StackWalker STACK = StackWalker.getInstance(Option.RETAIN_CLASS_REFERENCE);

	private final Mono<Void> connected;

	private final Mono<Void> shown;

	private volatile boolean begun;

	private volatile boolean ended;

	/**
	 * Describe a first use.
	 * @param wait how long users wait
	 * @param timer measures that
	 * @param connect connects the servers
	 * @param show makes their tools beans
	 */
	FirstUse(Duration wait, Scheduler timer, Supplier<Mono<Void>> connect, Supplier<Mono<Void>> show) {
		this.connected = Mono.defer(() -> {
			// before the servers are read, so that one that is added meanwhile is not
			// lost
			this.begun = true;
			return connect.get();
		}).timeout(wait, Mono.empty(), timer).cache();
		this.shown = this.connected.then(Mono.defer(show))
			.timeout(wait, Mono.empty(), timer)
			.doOnTerminate(() -> this.ended = true)
			.cache();
	}

	boolean hasBegun() {
		return this.begun;
	}

	/**
	 * Begin to connect, without waiting.
	 */
	void begin() {
		this.connected.subscribe();
	}

	void await() {
		if (this.ended) {
			return;
		}
		this.shown.subscribe();
		if (!Schedulers.isInNonBlockingThread()) {
			Waiting.until(isBeanInCreation() ? this.connected : this.shown);
		}
	}

	/**
	 * Return whether this thread creates a bean: it has the lock of the bean factory
	 * then, so that no tool becomes a bean before it is done.
	 */
	private static boolean isBeanInCreation() {
		return STACK.walk((frames) -> frames
			.anyMatch((frame) -> SingletonBeanRegistry.class.isAssignableFrom(frame.getDeclaringClass())));
	}

}
