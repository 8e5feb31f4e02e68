package io.github.mcpclient.transport.http;

import java.io.EOFException;

import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Operators;
import reactor.core.publisher.SignalType;
import reactor.netty.Connection;
import reactor.netty.http.client.HttpClient.ResponseReceiver;
import reactor.netty.http.client.HttpClientResponse;
import reactor.util.context.Context;

/**
 * One HTTP request and its response. Disposing of it before the response is complete
 * closes the connection; after that, it does nothing.
 */
final class HttpExchange extends BaseSubscriber<ByteBuf> {

	private final Receiver receiver;

	/**
	 * For the {@link HttpLossHandler}.
	 */
	private final Context context = Operators.enableOnDiscard(Context.of(HttpExchange.class, this),
			HttpExchange::close);

	private volatile @Nullable HttpBody body;

	HttpExchange(Receiver receiver) {
		this.receiver = receiver;
	}

	void start(ResponseReceiver<?> request) {
		request.response(this::head).subscribe(this);
	}

	/**
	 * Start when the request can be made.
	 */
	void start(Mono<? extends ResponseReceiver<?>> request) {
		request.flatMapMany((ready) -> ready.response(this::head)).subscribe(this);
	}

	private Flux<ByteBuf> head(HttpClientResponse response, Flux<ByteBuf> content) {
		HttpBody body = this.receiver.head(response, this);
		this.body = body;
		if (isDisposed()) {
			body.release();
		}
		return content;
	}

	/**
	 * The connection was lost. Does nothing if the response has begun.
	 */
	void lost(Throwable failure) {
		if (this.body == null && !isDisposed()) {
			dispose();
			end(failure);
		}
	}

	// of a response whose head arrives just as the exchange is disposed of, the
	// connection
	// would stay open for ever: nobody is given it any more
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
			body.data(chunk);
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
		if (body != null) {
			body.end(failure);
		}
		else {
			this.receiver.failed((failure != null) ? failure : new EOFException("No response"));
		}
	}

	/**
	 * Told of a response. Called on an event loop.
	 */
	interface Receiver {

		/**
		 * The head of the response arrived.
		 * @return what to do with the body
		 */
		HttpBody head(HttpClientResponse response, HttpExchange exchange);

		/**
		 * There is no response.
		 */
		void failed(Throwable failure);

	}

}
