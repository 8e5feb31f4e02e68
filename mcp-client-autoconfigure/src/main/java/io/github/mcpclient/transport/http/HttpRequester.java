package io.github.mcpclient.transport.http;

import java.net.SocketAddress;
import java.net.URI;
import java.util.stream.Stream;

import io.github.mcpclient.support.Secrets;
import io.github.mcpclient.transport.HttpStatusException;
import io.github.mcpclient.transport.RequestHeaders;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import org.jspecify.annotations.Nullable;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.netty.http.client.HttpClientResponse;
import reactor.util.context.ContextView;

/**
 * Makes a request, follows one redirect within its origin, reads the body of an error
 * status, and repeats what was refused if there are other headers for it.
 */
abstract class HttpRequester implements HttpExchange.Receiver {

	private final HttpTransport transport;

	// what is pending: an exchange, or the wait before the next one
	private final Disposable.Swap current = Disposables.swap();

	private final Disposable.Swap deadline = Disposables.swap();

	private volatile HttpRequests requests;

	private final HttpReauthorization reauthorization;

	private boolean redirected;

	HttpRequester(HttpTransport transport, HttpRequests requests, String method) {
		this.transport = transport;
		this.requests = requests;
		this.reauthorization = new HttpReauthorization(transport.setup(), transport.headers(), method);
	}

	final HttpTransport transport() {
		return this.transport;
	}

	final HttpSetup setup() {
		return this.transport.setup();
	}

	final Disposable.Swap current() {
		return this.current;
	}

	final Disposable.Swap deadline() {
		return this.deadline;
	}

	final HttpRequests requests() {
		return this.requests;
	}

	final void requests(HttpRequests requests) {
		this.requests = requests;
	}

	/**
	 * Return the credentials of this request, beside the configured ones.
	 */
	final Secrets credentials() {
		RequestHeaders provided = this.requests.provided();
		return (provided != RequestHeaders.NONE) ? RequestHeaders.credentials(Stream.of(provided)) : Secrets.NONE;
	}

	/**
	 * Return the words for failures, without the headers of this request.
	 */
	final HttpFailures failures() {
		return setup().failures().without(this.requests.provided());
	}

	@Override
	public final HttpBody head(HttpClientResponse response, HttpExchange exchange) {
		this.transport.heed(response);
		int status = response.status().code();
		HttpHeaders headers = response.responseHeaders();
		if (status >= 200 && status < 300) {
			return accepted(response, exchange);
		}
		if (status >= 300 && status < 400) {
			redirect(status, headers.get(HttpHeaderNames.LOCATION));
			return HttpBody.IGNORED;
		}
		SocketAddress source = HttpReauthorization.source(response);
		return new HttpErrorBody(exchange, setup().timer(),
				(content) -> refused(HttpError.of(status, headers, content, setup().mapper(), credentials()), source));
	}

	private void refused(HttpError error, @Nullable SocketAddress source) {
		HttpReauthorization.await(this.reauthorization.other(error.status(), error.headers(), source,
				this.requests.provided(), context()), this.current, (headers) -> {
					this.requests = this.requests.with(headers);
					repeat();
				}, this::fail, () -> rejected(error));
	}

	private void redirect(int status, @Nullable String header) {
		URI uri = this.requests.uri();
		URI location = (header != null) ? HttpUris.resolve(uri, header) : null;
		if (location == null || this.redirected || !mayFollow(status) || !HttpUris.isSameOrigin(uri, location)
				|| !this.requests.provided().authorization().isEmpty()) {
			String target = (location != null && location.getHost() != null) ? " to " + HttpUris.origin(location) : "";
			fail(new HttpStatusException(status,
					"The server redirects" + target + " (HTTP " + status + "), which is not followed",
					"Set " + failures().property("url") + " to the final url.", false));
			return;
		}
		this.redirected = true;
		this.requests = this.requests.withUri(location);
		follow(location);
	}

	/**
	 * The server answered with success.
	 * @return what to do with the body
	 */
	abstract HttpBody accepted(HttpClientResponse response, HttpExchange exchange);

	abstract void rejected(HttpError error);

	/**
	 * Return whether a redirect with a status keeps the method.
	 */
	abstract boolean mayFollow(int status);

	/**
	 * Make the request again, where the server wants it.
	 */
	abstract void follow(URI location);

	/**
	 * Make the request again, with other headers.
	 */
	abstract void repeat();

	/**
	 * Return the context of who makes the request.
	 */
	abstract ContextView context();

	abstract void fail(Throwable failure);

}
