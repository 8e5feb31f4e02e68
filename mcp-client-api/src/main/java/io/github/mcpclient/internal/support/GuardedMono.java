package io.github.mcpclient.internal.support;

import java.util.function.Supplier;

import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

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
				sink.onDispose(subscribe(source.get(), sink, sink.contextView()));
			}
			catch (Throwable ex) {
				sink.error(ex);
			}
		});
	}

	/**
	 * Passes the signals of a source to a sink. Reactor's sink may drop a value that is
	 * requested while it comes if it is told of the end, too.
	 */
	public static <T> Disposable subscribe(Mono<T> source, MonoSink<T> sink, ContextView context) {
		return source.singleOptional()
			.subscribe((value) -> value.ifPresentOrElse(sink::success, sink::success), sink::error, null,
					Context.of(context));
	}

}
