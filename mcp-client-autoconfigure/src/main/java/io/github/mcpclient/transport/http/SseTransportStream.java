package io.github.mcpclient.transport.http;

import java.net.URI;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

import io.github.mcpclient.transport.TransportException;
import io.github.mcpclient.transport.http.HttpPost.IgnoredBody;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCMessage;
import io.netty.handler.codec.http.HttpHeaderNames;
import org.jspecify.annotations.Nullable;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.netty.http.client.HttpClientResponse;

/**
 * The stream that is a session of the older transport: opened once, and the end of the
 * transport when it ends.
 */
final class SseTransportStream implements HttpExchange.Receiver, SseStream.Owner, Disposable {

	private final SseTransport transport;

	private final Disposable.Swap current = Disposables.swap();

	/**
	 * The time by which the endpoint must be known.
	 */
	private final Disposable.Swap deadline = Disposables.swap();

	private volatile HttpRequests requests;

	private boolean redirected;

	SseTransportStream(SseTransport transport) {
		this.transport = transport;
		this.requests = transport.requests();
	}

	/**
	 * Open the stream. Called once.
	 */
	void open() {
		HttpExchange exchange = new HttpExchange(this);
		if (this.current.update(exchange)) {
			exchange.start(this.transport.requests("GET").map((requests) -> {
				this.requests = this.requests.with(requests.provided());
				return this.requests.stream(null);
			}));
		}
	}

	@Override
	public HttpBody head(HttpClientResponse response, HttpExchange exchange) {
		int status = response.status().code();
		if (status >= 200 && status < 300) {
			return accepted(response, exchange);
		}
		if (status >= 300 && status < 400) {
			redirect(status, response.responseHeaders().get(HttpHeaderNames.LOCATION));
			return IgnoredBody.INSTANCE;
		}
		return new HttpErrorBody(response, exchange, this.transport.timer(),
				(code, headers, content) -> this.transport.terminate(failures().status(code, headers,
						HttpPost.errorText(this.transport.error(content), content), null, false)));
	}

	private HttpFailures failures() {
		return this.transport.failures().without(this.requests.provided());
	}

	private HttpBody accepted(HttpClientResponse response, HttpExchange exchange) {
		String contentType = response.responseHeaders().get(HttpHeaderNames.CONTENT_TYPE);
		if (!StreamableHttpCall.isEventStream(contentType)) {
			this.transport.terminate(failures().noEventStream(response.status().code(), contentType));
			return IgnoredBody.INSTANCE;
		}
		Duration patience = this.transport.definition().timeouts().connect();
		this.deadline.update(this.transport.timer()
			.schedule(() -> this.transport.terminate(this.transport.failures().noEndpoint(patience)),
					patience.toMillis(), TimeUnit.MILLISECONDS));
		SseStream stream = this.transport.stream(exchange, Integer.MAX_VALUE, null, this);
		Duration readTimeout = this.transport.sseReadTimeout();
		if (readTimeout != null) {
			stream.limitSilence(readTimeout, false);
		}
		return stream;
	}

	private void redirect(int status, @Nullable String header) {
		URI uri = this.requests.uri();
		URI location = (header != null) ? HttpUris.resolve(uri, header) : null;
		if (location == null || this.redirected || !HttpUris.isSameOrigin(uri, location)) {
			this.transport.terminate(this.transport.failures().redirect(status, location));
			return;
		}
		this.redirected = true;
		this.requests = this.requests.withUri(location);
		open();
	}

	@Override
	public void failed(Throwable failure) {
		this.transport.terminate(this.transport.failures().exchange(failure));
	}

	@Override
	public void endpoint(byte[] data) {
		try {
			SseEndpoint endpoint = SseEndpoint.of(this.requests.uri(), data, this.transport.failures());
			this.deadline.dispose();
			this.transport.reachable(endpoint);
		}
		catch (TransportException ex) {
			this.transport.terminate(ex);
		}
	}

	@Override
	public void message(JSONRPCMessage message, int size) {
		this.transport.receive(message, size);
	}

	@Override
	public void ended(SseStream stream, @Nullable Throwable failure) {
		this.transport.terminate(this.transport.failures().streamLost(failure, this.transport.sseReadTimeout()));
	}

	/**
	 * Close the stream.
	 */
	@Override
	public void dispose() {
		this.current.dispose();
		this.deadline.dispose();
	}

}
