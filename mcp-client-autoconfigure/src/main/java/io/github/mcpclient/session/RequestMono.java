package io.github.mcpclient.session;

import reactor.core.CoreSubscriber;
import reactor.core.publisher.Mono;

/**
 * Sends a request for each subscriber, when it asks for the result.
 *
 * @param <T> the type of the result
 */
final class RequestMono<T> extends Mono<T> {

	private final RequestChannel channel;

	private final Request<T> request;

	RequestMono(RequestChannel channel, Request<T> request) {
		this.channel = channel;
		this.request = request;
	}

	@Override
	public void subscribe(CoreSubscriber<? super T> subscriber) {
		subscriber.onSubscribe(new PendingRequest<>(this.channel, this.request, subscriber));
	}

}
