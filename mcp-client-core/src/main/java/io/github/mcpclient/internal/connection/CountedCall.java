package io.github.mcpclient.internal.connection;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Operators;
import reactor.util.context.Context;

/**
 * A call that its {@link Generation} counts while it is pending. One operator in place of
 * three: with many callers, what each costs is most of what a call costs beside its
 * exchange.
 */
final class CountedCall<T> extends Mono<T> {

	private final Generation generation;

	private final Mono<T> call;

	private final Supplier<? extends Throwable> refusal;

	CountedCall(Generation generation, Mono<T> call, Supplier<? extends Throwable> refusal) {
		this.generation = generation;
		this.call = call;
		this.refusal = refusal;
	}

	@Override
	public void subscribe(CoreSubscriber<? super T> caller) {
		if (this.generation.callBegins()) {
			this.call.subscribe(new Pending<>(this.generation, caller));
		}
		else {
			this.generation.callEnds();
			Operators.error(caller, this.refusal.get());
		}
	}

	private static final class Pending<T> extends AtomicBoolean implements CoreSubscriber<T>, Subscription {

		private final Generation generation;

		private final CoreSubscriber<? super T> caller;

		private Subscription call = Operators.emptySubscription();

		Pending(Generation generation, CoreSubscriber<? super T> caller) {
			this.generation = generation;
			this.caller = caller;
		}

		@Override
		public Context currentContext() {
			return this.caller.currentContext();
		}

		@Override
		public void onSubscribe(Subscription call) {
			this.call = call;
			this.caller.onSubscribe(this);
		}

		@Override
		public void onNext(T answer) {
			this.generation.answered();
			this.caller.onNext(answer);
		}

		@Override
		public void onError(Throwable failure) {
			try {
				this.caller.onError(failure);
			}
			finally {
				end();
			}
		}

		@Override
		public void onComplete() {
			try {
				this.caller.onComplete();
			}
			finally {
				end();
			}
		}

		@Override
		public void request(long count) {
			this.call.request(count);
		}

		@Override
		public void cancel() {
			this.call.cancel();
			end();
		}

		private void end() {
			if (compareAndSet(false, true)) {
				this.generation.callEnds();
			}
		}

	}

}
