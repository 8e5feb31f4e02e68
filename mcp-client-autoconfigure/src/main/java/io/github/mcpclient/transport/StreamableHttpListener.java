package io.github.mcpclient.transport;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

import io.github.mcpclient.transport.HttpContentBuffer.TooLargeException;
import io.github.mcpclient.transport.HttpPost.IgnoredBody;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCMessage;
import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.timeout.ReadTimeoutException;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.netty.http.client.HttpClientResponse;

/**
 * The stream on which the server says what nobody asked for. Servers need not have one:
 * any answer that does not look like a stream, or like trouble that will pass, means that
 * there is none. A stream that ends is opened again.
 */
final class StreamableHttpListener implements HttpExchange.Receiver, SseStream.Owner, Disposable {

	private static final Log logger = LogFactory.getLog(StreamableHttpListener.class);

	/**
	 * A stream that lived for so long did well, even if it was silent.
	 */
	private static final Duration FRUITFUL_LIFE = Duration.ofSeconds(30);

	private static final long DRAIN_TIMEOUT = 1000;

	private final StreamableHttpTransport transport;

	private final SseReconnect reconnect = new SseReconnect();

	/**
	 * The stream, or the wait for the next one.
	 */
	private final Disposable.Swap current = Disposables.swap();

	/**
	 * The limit of the time that the server may take to answer the request for a stream.
	 */
	private final Disposable.Swap deadline = Disposables.swap();

	private volatile boolean streamed;

	private volatile long opened;

	StreamableHttpListener(StreamableHttpTransport transport) {
		this.transport = transport;
	}

	/**
	 * Open the stream.
	 */
	void open() {
		this.transport.headers().request("GET", this.current, this::open, (failure) -> {
			logger.warn("MCP server '" + this.transport.serverName() + "' cannot tell of changes for now: "
					+ failure.getMessage());
			openLater();
		});
	}

	private void open(HttpRequests requests) {
		HttpExchange exchange = new HttpExchange(this);
		if (this.current.update(exchange)) {
			limitWait(exchange);
			exchange.start(requests.stream(this.reconnect.lastEventId()));
		}
	}

	/**
	 * Silence may begin before the stream does, as on a connection that was idle and that
	 * something on the way has forgotten.
	 */
	private void limitWait(HttpExchange exchange) {
		Duration readTimeout = this.transport.sseReadTimeout();
		if (readTimeout != null) {
			this.deadline.update(this.transport.timer().schedule(() -> {
				exchange.dispose();
				openAfterSilence();
			}, readTimeout.toMillis(), TimeUnit.MILLISECONDS));
		}
	}

	/**
	 * Silence is no failure, and the limit of it paces what follows.
	 */
	private void openAfterSilence() {
		this.reconnect.succeeded();
		openLater();
	}

	private void openLater() {
		this.current
			.update(this.transport.timer().schedule(this::open, this.reconnect.nextDelay(), TimeUnit.MILLISECONDS));
	}

	@Override
	public HttpBody head(HttpClientResponse response, HttpExchange exchange) {
		endWait();
		int status = response.status().code();
		String contentType = response.responseHeaders().get(HttpHeaderNames.CONTENT_TYPE);
		if (status >= 200 && status < 300 && StreamableHttpCall.isEventStream(contentType)) {
			return stream(exchange);
		}
		if (status >= 500 && status != 501 || status == 429) {
			logger.debug("No stream of events for now: HTTP " + status);
			openLater();
			return IgnoredBody.INSTANCE;
		}
		if (this.streamed && (status == 404 || status == 400)) {
			// there was a stream: it is the session that is not there, if the server says
			// so
			this.transport.ping().onErrorComplete().subscribe();
		}
		if (status == 401 || status == 403) {
			logger.warn("MCP server '" + this.transport.serverName() + "' refuses its stream of events (HTTP " + status
					+ "): it cannot tell of changes. Check the credentials in mcp.servers."
					+ this.transport.serverName() + ".headers.");
		}
		else {
			logger.debug(
					"MCP server '" + this.transport.serverName() + "' has no stream of events (HTTP " + status + ")");
		}
		return rest(exchange);
	}

	/**
	 * Read what is left for a moment, after which the connection can be used again.
	 */
	private HttpBody rest(HttpExchange exchange) {
		Disposable drop = this.transport.timer().schedule(exchange::dispose, DRAIN_TIMEOUT, TimeUnit.MILLISECONDS);
		return new HttpBody() {

			@Override
			public void data(ByteBuf chunk) {
			}

			@Override
			public void end(@Nullable Throwable failure) {
			}

			@Override
			public void release() {
				drop.dispose();
			}

		};
	}

	private HttpBody stream(HttpExchange exchange) {
		this.streamed = true;
		this.opened = now();
		SseStream stream = this.transport.stream(exchange, Integer.MAX_VALUE, this.reconnect.lastEventId(), this);
		Duration readTimeout = this.transport.sseReadTimeout();
		if (readTimeout != null) {
			stream.limitSilence(readTimeout, false);
		}
		return stream;
	}

	private void endWait() {
		this.deadline.update(Disposables.disposed());
	}

	private long now() {
		return this.transport.timer().now(TimeUnit.MILLISECONDS);
	}

	@Override
	public void failed(Throwable failure) {
		endWait();
		logger.debug("No stream of events for now", failure);
		if (!this.transport.terminateIfGone(failure, () -> {
		})) {
			openLater();
		}
	}

	@Override
	public void message(JSONRPCMessage message, int size) {
		this.transport.deliver(message);
	}

	@Override
	public void ended(SseStream stream, @Nullable Throwable failure) {
		logger.debug("The stream of events ended", failure);
		stream.report(this.reconnect);
		if (failure instanceof TooLargeException) {
			// not once more
			this.reconnect.forget();
		}
		else if (failure instanceof ReadTimeoutException) {
			openAfterSilence();
			return;
		}
		else if (now() - this.opened >= FRUITFUL_LIFE.toMillis()) {
			this.reconnect.succeeded();
		}
		openLater();
	}

	/**
	 * Close the stream, and do not open it again.
	 */
	@Override
	public void dispose() {
		this.deadline.dispose();
		this.current.dispose();
	}

}
