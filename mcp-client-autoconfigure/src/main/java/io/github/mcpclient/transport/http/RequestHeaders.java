package io.github.mcpclient.transport.http;

import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.Supplier;

import io.github.mcpclient.McpServerDefinition;
import io.github.mcpclient.support.Departure;
import io.github.mcpclient.transport.McpRequestHeaders;
import reactor.core.Disposable;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/**
 * Asks for the headers of the requests of one transport, where there is somebody to ask.
 */
final class RequestHeaders {

	private final McpRequestHeaders headers;

	private final McpServerDefinition definition;

	private final Supplier<HttpRequests> requests;

	private final HttpFailures failures;

	private final Scheduler timer;

	/**
	 * Create an instance for a transport.
	 * @param headers gives the headers
	 * @param definition the server
	 * @param requests the requests of the session as it is
	 * @param failures words what goes wrong
	 * @param timer limits the time, to that of a connection
	 */
	RequestHeaders(McpRequestHeaders headers, McpServerDefinition definition, Supplier<HttpRequests> requests,
			HttpFailures failures, Scheduler timer) {
		this.headers = headers;
		this.definition = definition;
		this.requests = requests;
		this.failures = failures;
		this.timer = timer;
	}

	/**
	 * Return whether there is nobody to ask.
	 */
	boolean isEmpty() {
		return this.headers.isEmpty();
	}

	/**
	 * Ask for headers.
	 * @param method the HTTP method of the request to be made
	 * @return the requests with the headers; an error if they cannot be had or sent
	 */
	Mono<HttpRequests> ask(String method) {
		Duration timeout = this.definition.timeouts().connect();
		return Mono.deferContextual((context) -> {
			Departure.hold(context, true);
			return this.headers.get(this.definition, method);
		})
			.timeout(timeout, Mono.error(() -> this.failures.headersTooLate(timeout)), this.timer)
			.onErrorMap(this.failures::headers)
			.map((headers) -> {
				HttpHeaderRules.checkProvided(headers);
				return this.requests.get().with(headers);
			});
	}

	/**
	 * Make a request at once, or when its headers are known.
	 * @param method its HTTP method
	 * @param current where what is under way is kept
	 * @param next makes the request
	 * @param failed told that there are no headers, and why
	 */
	void request(String method, Disposable.Swap current, Consumer<HttpRequests> next, Consumer<Throwable> failed) {
		if (isEmpty()) {
			next.accept(this.requests.get());
			return;
		}
		BaseSubscriber<HttpRequests> asking = new BaseSubscriber<>() {

			@Override
			protected void hookOnNext(HttpRequests requests) {
				next.accept(requests);
			}

			@Override
			protected void hookOnError(Throwable failure) {
				failed.accept(failure);
			}

		};
		if (current.update(asking)) {
			ask(method).subscribe(asking);
		}
	}

}
