package io.github.mcpclient.support;

import java.util.function.Supplier;

import reactor.core.publisher.Mono;
import reactor.util.context.Context;

/**
 * A {@link Mono} that fails where its source throws on subscription, even with what
 * Reactor takes for fatal and lets through, such as a missing class.
 */
public final class GuardedMono {

	private GuardedMono() {
	}

	/**
	 * Guards a source, which is made for each subscription.
	 */
	public static <T> Mono<T> of(Supplier<? extends Mono<T>> source) {
		return Mono.create((sink) -> {
			try {
				sink.onDispose(source.get()
					.subscribe(sink::success, sink::error, sink::success, Context.of(sink.contextView())));
			}
			catch (Throwable ex) {
				sink.error(ex);
			}
		});
	}

}
