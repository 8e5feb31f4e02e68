package io.github.mcpclient.internal.support;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;

import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Operators;
import reactor.util.context.Context;

/**
 * A source whose end is observed. This single operator replaces three operators and
 * {@link Mono#tap}, which sets and resets the context of the thread at each of seven
 * signals.
 */
final class WatchedMono<T> extends Mono<T> {

	private final Mono<T> source;

	private final BiConsumer<@Nullable T, @Nullable Throwable> end;

	WatchedMono(Mono<T> source, BiConsumer<@Nullable T, @Nullable Throwable> end) {
		this.source = source;
		this.end = end;
	}

	@Override
	public void subscribe(CoreSubscriber<? super T> subscriber) {
		this.source.subscribe(new Watched<>(this.end, subscriber));
	}

	private static final class Watched<T> extends AtomicBoolean implements CoreSubscriber<T>, Subscription {

		private final BiConsumer<@Nullable T, @Nullable Throwable> end;

		private final CoreSubscriber<? super T> subscriber;

		private Subscription source = Operators.emptySubscription();

		Watched(BiConsumer<@Nullable T, @Nullable Throwable> end, CoreSubscriber<? super T> subscriber) {
			this.end = end;
			this.subscriber = subscriber;
		}

		@Override
		public Context currentContext() {
			return this.subscriber.currentContext();
		}

		@Override
		public void onSubscribe(Subscription source) {
			this.source = source;
			this.subscriber.onSubscribe(this);
		}

		@Override
		public void onNext(T value) {
			end(value, null);
			this.subscriber.onNext(value);
		}

		@Override
		public void onError(Throwable failure) {
			end(null, failure);
			this.subscriber.onError(failure);
		}

		@Override
		public void onComplete() {
			end(null, null);
			this.subscriber.onComplete();
		}

		@Override
		public void request(long count) {
			this.source.request(count);
		}

		@Override
		public void cancel() {
			this.source.cancel();
			end(null, null);
		}

		private void end(@Nullable T value, @Nullable Throwable failure) {
			if (compareAndSet(false, true)) {
				this.end.accept(value, failure);
			}
		}

	}

}
