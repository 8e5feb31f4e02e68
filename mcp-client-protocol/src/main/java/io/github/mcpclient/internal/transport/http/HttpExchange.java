package io.github.mcpclient.internal.transport.http;

import java.io.EOFException;
import java.net.SocketAddress;
import java.net.URI;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

import io.github.mcpclient.McpServerDeviation.Kind;
import io.github.mcpclient.internal.support.Secrets;
import io.github.mcpclient.internal.transport.HeaderSources;
import io.github.mcpclient.internal.transport.HeaderSources.Proofs;
import io.github.mcpclient.internal.transport.RequestHeaders;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpResponseStatus;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Operators;
import reactor.core.publisher.SignalType;
import reactor.netty.Connection;
import reactor.netty.NettyOutbound;
import reactor.netty.http.client.HttpClientInfos;
import reactor.netty.http.client.HttpClientRequest;
import reactor.netty.http.client.HttpClientResponse;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

/**
 * One HTTP request and its response. Follows a few redirects within the origin, reads the
 * body of an error status, and repeats a refused request if there are other headers for
 * it, or once if another proof may help.
 */
final class HttpExchange {

	private static final int MAX_REDIRECTS = 3;

	// redirects that preserve a GET, and redirects that preserve any method

	private static final Set<Integer> OF_GET = Set.of(301, 302, 303, 307, 308);

	private static final Set<Integer> OF_ANY = Set.of(307, 308);

	private final HttpSetup setup;

	private final HeaderSources headers;

	private final String method;

	private final Disposable.Swap current;

	private final Handler handler;

	private volatile HttpEndpoint endpoint;

	private @Nullable HttpReauthorization reauthorization;

	private int redirects;

	private volatile @Nullable Proofs proofs;

	private boolean provedAnew;

	/**
	 * Prepare a request.
	 * @param headers where other headers come from
	 * @param current the pending operation of the handler, which the attempts, and the
	 * waits between them, become. Disposing of an attempt before the response is complete
	 * closes the connection; after that, it does nothing
	 */
	HttpExchange(HttpSetup setup, HeaderSources headers, String method, HttpEndpoint endpoint, Disposable.Swap current,
			Handler handler) {
		this.setup = setup;
		this.headers = headers;
		this.method = method;
		this.endpoint = endpoint;
		this.current = current;
		this.handler = handler;
	}

	/**
	 * Return where the request is made, and with which headers.
	 */
	HttpEndpoint endpoint() {
		return this.endpoint;
	}

	/**
	 * Return the credentials of the request, in addition to the configured ones.
	 */
	Secrets credentials() {
		RequestHeaders provided = this.endpoint.provided();
		Secrets session = this.setup.session();
		return (provided != RequestHeaders.NONE) ? session.and(RequestHeaders.credentials(Stream.of(provided)))
				: session;
	}

	/**
	 * Return the words for failures, without the headers of the request.
	 */
	HttpFailures failures() {
		return this.setup.failures().without(this.endpoint.provided()).without(this.setup.session());
	}

	void start() {
		Attempt attempt = new Attempt();
		if (this.current.update(attempt)) {
			request(this.endpoint).subscribe(attempt);
		}
	}

	/**
	 * Start when it is known with which headers.
	 */
	void start(Mono<HttpEndpoint> endpoint) {
		Attempt attempt = new Attempt();
		if (this.current.update(attempt)) {
			endpoint.flatMapMany(this::request).subscribe(attempt);
		}
	}

	private Flux<ByteBuf> request(HttpEndpoint endpoint) {
		this.endpoint = endpoint;
		RequestHeaders provided = endpoint.provided();
		Proofs proofs = this.headers.proofs(this.setup.definition(), provided);
		this.proofs = proofs;
		return (proofs != null)
				? proofs.make(this.method, endpoint.uri(), provided.authorization())
					.flatMapMany((proof) -> this.handler.request(endpoint.withProof(proof)))
				: this.handler.request(endpoint);
	}

	/**
	 * Send the body of a request, which is that of the exchange in whose context it is
	 * made.
	 */
	static Publisher<Void> send(HttpClientRequest request, NettyOutbound outbound) {
		Handler handler = Attempt.of(request).handler();
		handler.headers().forEach(request::header);
		// one buffer, as a Mono, is sent as one message, with its length
		return outbound.send(Mono.just(Unpooled.wrappedBuffer(handler.body())));
	}

	/**
	 * Take the head of a response to the exchange in whose context it arrives.
	 */
	static Flux<ByteBuf> received(HttpClientResponse response, Flux<ByteBuf> content) {
		Attempt.of(response).head(response);
		return content;
	}

	private HttpBody head(HttpClientResponse response, Attempt attempt) {
		int status = response.status().code();
		HttpHeaders headers = response.responseHeaders();
		Proofs proofs = this.proofs;
		boolean unproved = proofs != null && proofs.answered(this.endpoint.uri(), status, headers::getAll);
		CookieJar cookies = this.setup.cookies();
		if (cookies != null) {
			cookies.keep(this.endpoint.uri(), headers, this.endpoint.provided(), this.headers.user() == null
					&& this.headers.isOfCaller(this.setup.definition(), this.handler.context()));
		}
		if (status >= 200 && status < 300) {
			return this.handler.accepted(response, attempt);
		}
		if (status >= 300 && status < 400 && redirect(status, headers)) {
			return HttpBody.IGNORED;
		}
		if (status == HttpResponseStatus.SERVICE_UNAVAILABLE.code() && response instanceof Connection connection) {
			// a server that is shutting down continues to respond here, and another one
			// may
			// listen at the address by now
			connection.markPersistent(false);
		}
		SocketAddress source = (response instanceof Connection connection) ? connection.channel().remoteAddress()
				: null;
		return new HttpErrorBody(attempt, this.setup.timer(),
				(content) -> refused(HttpError.of(status, headers, content, credentials()), source, unproved));
	}

	private boolean redirect(int status, HttpHeaders headers) {
		URI uri = this.endpoint.uri();
		String header = headers.get(HttpHeaderNames.LOCATION);
		URI location = (header != null) ? HttpUris.resolve(uri, header) : null;
		if (location == null) {
			return false;
		}
		if (location.equals(uri) || this.redirects == MAX_REDIRECTS || !HttpUris.mayFollow(uri, location)
				|| !(this.method.equals("GET") ? OF_GET : OF_ANY).contains(status)) {
			// who words that does not know where this one was made
			headers.set(HttpHeaderNames.LOCATION, location);
			return false;
		}
		this.redirects++;
		this.endpoint = this.endpoint.withUri(location);
		this.setup.reader()
			.deviation(Kind.REDIRECT, "HTTP " + status + " to " + failures().line(HttpUris.shown(location)));
		this.handler.redirected(location);
		start();
		return true;
	}

	private void refused(HttpError error, @Nullable SocketAddress source, boolean unproved) {
		if (unproved && !this.provedAnew) {
			this.provedAnew = true;
			start();
			return;
		}
		if (this.reauthorization == null) {
			this.reauthorization = new HttpReauthorization(this.setup, this.headers, this.method);
		}
		RequestHeaders provided = this.endpoint.provided();
		Mono<RequestHeaders> other = (!unproved && this.handler.concernsCredentials(error))
				? this.reauthorization.other(error.status(), error.headers(), source, provided, this.handler.context())
				: null;
		Disposable.Swap waiting = Disposables.swap();
		if (other == null) {
			this.handler.rejected(error);
		}
		else if (this.current.update(waiting)) {
			waiting.update(other.switchIfEmpty(Mono.fromRunnable(() -> this.handler.rejected(error)))
				.subscribe(this::repeat, this.handler::failed));
		}
	}

	private void repeat(RequestHeaders headers) {
		this.endpoint = this.endpoint.with(headers);
		start();
	}

	/**
	 * Who makes a request. Called on an event loop, or where other headers come from.
	 */
	interface Handler {

		/**
		 * Describe the request, once for each attempt.
		 */
		Flux<ByteBuf> request(HttpEndpoint endpoint);

		/**
		 * Return the bytes to POST.
		 */
		default byte[] body() {
			throw new UnsupportedOperationException();
		}

		/**
		 * Return the headers of this request alone.
		 */
		default Map<String, String> headers() {
			return Map.of();
		}

		/**
		 * Return the context in which other headers are requested.
		 */
		default ContextView context() {
			return Context.empty();
		}

		/**
		 * Return whether a refusal may be one of the credentials that were sent.
		 */
		default boolean concernsCredentials(HttpError error) {
			return true;
		}

		/**
		 * A redirect is followed.
		 */
		default void redirected(URI location) {
		}

		/**
		 * The server responded with success.
		 * @param attempt the exchange to dispose of if the body is not read to its end
		 * @return the reader of the body
		 */
		HttpBody accepted(HttpClientResponse response, Disposable attempt);

		/**
		 * The server responded with another status, and the response is final.
		 */
		void rejected(HttpError error);

		/**
		 * There is no response, or there are no headers for the request, which is a
		 * {@link io.github.mcpclient.spi.TransportException}.
		 */
		void failed(Throwable failure);

	}

	/**
	 * The request, made once.
	 */
	private final class Attempt extends BaseSubscriber<ByteBuf> implements HttpLossHandler.Listener {

		private final Context context = Operators.enableOnDiscard(Context.of(HttpLossHandler.Listener.class, this),
				Attempt::close);

		private volatile @Nullable HttpBody body;

		private static Attempt of(HttpClientInfos request) {
			return (Attempt) request.currentContextView().<HttpLossHandler.Listener>get(HttpLossHandler.Listener.class);
		}

		private Handler handler() {
			return HttpExchange.this.handler;
		}

		private void head(HttpClientResponse response) {
			try {
				HttpBody body = HttpExchange.this.head(response, this);
				this.body = body;
				if (isDisposed()) {
					body.release();
				}
			}
			catch (RuntimeException ex) {
				throw defect(ex);
			}
		}

		// otherwise a defect of the client would count as one of the server or of Reactor
		// Netty
		private RuntimeException defect(RuntimeException failure) {
			return HttpExchange.this.setup.reader().defect(failure);
		}

		/**
		 * {@inheritDoc} Does nothing if the response has begun.
		 */
		@Override
		public void lost(Throwable failure) {
			if (this.body == null && !isDisposed()) {
				dispose();
				end(failure);
			}
		}

		// if the head of a response arrives just as the exchange is disposed of, the
		// connection
		// would stay open forever: it has no receiver any more
		private static void close(Object discarded) {
			if (discarded instanceof Connection connection) {
				connection.dispose();
			}
		}

		@Override
		public Context currentContext() {
			return this.context;
		}

		@Override
		protected void hookOnNext(ByteBuf chunk) {
			HttpBody body = this.body;
			if (body != null && !isDisposed()) {
				try {
					body.data(chunk);
				}
				catch (RuntimeException ex) {
					throw defect(ex);
				}
			}
		}

		@Override
		protected void hookOnComplete() {
			end(null);
		}

		@Override
		protected void hookOnError(Throwable failure) {
			end(failure);
		}

		@Override
		protected void hookFinally(SignalType type) {
			HttpBody body = this.body;
			if (body != null) {
				body.release();
			}
		}

		private void end(@Nullable Throwable failure) {
			HttpBody body = this.body;
			if (body == null) {
				HttpExchange.this.handler.failed((failure != null) ? failure : new EOFException("No response"));
				return;
			}
			try {
				body.end(failure);
			}
			catch (RuntimeException ex) {
				HttpExchange.this.handler.failed(defect(ex));
			}
		}

	}

}
