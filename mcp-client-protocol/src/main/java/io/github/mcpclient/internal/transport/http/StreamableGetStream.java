package io.github.mcpclient.internal.transport.http;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.internal.support.LogKeys;
import io.github.mcpclient.internal.support.Secrets;
import io.github.mcpclient.internal.transport.HttpStatusException;
import io.github.mcpclient.internal.transport.RequestHeaders;
import io.github.mcpclient.internal.transport.http.HttpContentBuffer.TooLargeException;
import io.github.mcpclient.spi.TransportException;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCMessage;
import io.netty.buffer.ByteBuf;
import io.netty.handler.timeout.ReadTimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Flux;
import reactor.netty.http.client.HttpClientResponse;

/**
 * The event stream of a session, for server-initiated messages. Servers may have none,
 * and respond with HTTP 405 then (some with 404 or 501). A stream that ends, or is
 * refused in another way, is opened again, with backoff.
 */
final class StreamableGetStream implements HttpExchange.Handler, SseStream.Owner, Disposable {

	private static final Logger logger = LoggerFactory.getLogger(StreamableGetStream.class);

	// a stream that lived for so long did well, even if it was silent
	private static final Duration FRUITFUL_LIFE = Duration.ofSeconds(30);

	private final HttpTransport transport;

	private final HttpSetup setup;

	private final SessionCheck check;

	private final SseReconnect reconnect = new SseReconnect();

	// the stream, or the wait for the next one
	private final Disposable.Swap current = Disposables.swap();

	// limits the wait for a response
	private final Disposable.Swap deadline = Disposables.swap();

	private volatile RequestHeaders provided = RequestHeaders.NONE;

	private volatile boolean streamed;

	private volatile long opened;

	private volatile boolean again;

	private volatile boolean warned;

	/**
	 * Create the stream of a transport.
	 * @param check detects whether the server knows the session
	 */
	StreamableGetStream(HttpTransport transport, SessionCheck check) {
		this.transport = transport;
		this.setup = transport.setup();
		this.check = check;
	}

	void open() {
		new HttpExchange(this.setup, this.transport.headers(), "GET", this.transport.endpoint(), this.current, this)
			.start(this.transport.endpoint("GET"));
	}

	@Override
	public Flux<ByteBuf> request(HttpEndpoint endpoint) {
		this.provided = endpoint.provided();
		// silence may begin before the stream does, as on an idle connection that a
		// gateway has
		// dropped
		Duration readTimeout = this.setup.http().sseReadTimeout();
		if (readTimeout != null) {
			this.deadline.update(
					this.setup.timer().schedule(this::openAfterSilence, readTimeout.toMillis(), TimeUnit.MILLISECONDS));
		}
		return endpoint.stream(this.reconnect.lastEventId());
	}

	// silence does not count as a failure, and its limit paces the next attempt
	private void openAfterSilence() {
		this.reconnect.succeeded();
		openLater();
	}

	private void openLater() {
		openAfter(this.reconnect.nextDelay());
	}

	private void openAfter(long delay) {
		this.again = true;
		this.current.update(this.setup.timer().schedule(this::open, delay, TimeUnit.MILLISECONDS));
	}

	@Override
	public HttpBody accepted(HttpClientResponse response, Disposable attempt) {
		endWait();
		if (!HttpEndpoint.EVENT_STREAM.equalsIgnoreCase(HttpEndpoint.mediaType(response.responseHeaders()))) {
			int status = response.status().code();
			refused(status, "");
			this.check.streamRefused(new HttpError(status, response.responseHeaders(), new byte[0], null),
					this.streamed, failures());
			return HttpBody.IGNORED;
		}
		this.streamed = true;
		this.opened = now();
		if (this.again) {
			this.transport.gap();
		}
		return new SseStream(this.setup, response, attempt, this.reconnect.lastEventId(), this);
	}

	@Override
	public void rejected(HttpError error) {
		endWait();
		int status = error.status();
		if ((status == 405 || status == 501 || status == 404) && !this.streamed) {
			logger.debug("MCP server '{}' has no event stream (HTTP {})", this.setup.serverName(), status);
		}
		else if ((status >= 500 && status != 501) || status == 429) {
			logger.debug("No event stream for now: HTTP {}", status);
			openAfter(this.reconnect.nextDelay(HttpError.retryAfter(status, error.headers())));
		}
		else if (concernsCredentials(error)) {
			HttpStatusException gateway = error.gateway(failures(), false);
			refused(status, (gateway != null) ? String.valueOf(gateway.getMessage())
					: "Check the credentials in " + this.setup.failures().credentials());
		}
		else {
			openAfter(this.reconnect.nextDelay(SseReconnect.MAX_REFUSED_DELAY));
		}
		this.check.streamRefused(error, this.streamed, failures());
	}

	private HttpFailures failures() {
		return this.setup.failures().without(this.provided).without(this.setup.session());
	}

	@Override
	public boolean concernsCredentials(HttpError error) {
		return !this.check.isOfSession(error);
	}

	private void refused(int status, String reason) {
		logger.debug("The event stream is refused: HTTP {}", status);
		if (status == 401 || status == 403) {
			warn("refuses the event stream (HTTP " + status + "), and cannot announce changes until it accepts one. "
					+ reason + ".");
		}
		else if (status == 409) {
			warn("still holds an earlier event stream of this session (HTTP 409), and cannot announce changes "
					+ "until it accepts another one.");
		}
		else {
			// maybe it does not know where to continue
			this.reconnect.forget();
		}
		openAfter(this.reconnect.nextDelay(SseReconnect.MAX_REFUSED_DELAY));
	}

	// warn once, until a stream did well
	private void warn(String problem) {
		logger.atLevel(this.warned ? Level.DEBUG : Level.WARN)
			.addKeyValue(LogKeys.SERVER, this.setup.serverName())
			.addKeyValue(LogKeys.TRANSPORT, McpServerDefinition.STREAMABLE_HTTP)
			.log("MCP server '{}' {}", this.setup.serverName(), problem);
		this.warned = true;
	}

	private void endWait() {
		this.deadline.update(Disposables.disposed());
	}

	private long now() {
		return this.setup.timer().now(TimeUnit.MILLISECONDS);
	}

	@Override
	public void failed(Throwable failure) {
		endWait();
		if (failure instanceof TransportException) {
			// there are no headers
			warn("cannot announce changes for now: " + failure.getMessage());
		}
		else {
			logger.debug("No event stream for now", failure);
		}
		if (!this.transport.terminateIfGone(failure, () -> {
		})) {
			openLater();
		}
	}

	@Override
	public void message(JSONRPCMessage message, int size) {
		this.transport.receive(message, size);
	}

	@Override
	public Secrets credentialsSent() {
		return this.transport.credentials(this.provided);
	}

	@Override
	public void unreadable(byte[] data, TransportException failure) {
		this.transport.unreadable(data, failure);
	}

	@Override
	public void ended(SseStream stream, @Nullable Throwable failure) {
		logger.debug("The event stream ended", failure);
		stream.report(this.reconnect);
		if (failure instanceof ReadTimeoutException) {
			openAfterSilence();
			return;
		}
		if (failure instanceof TooLargeException) {
			// not a second time
			this.reconnect.forget();
		}
		else if (now() - this.opened >= FRUITFUL_LIFE.toMillis()) {
			this.reconnect.succeeded();
			this.warned = false;
		}
		openLater();
	}

	@Override
	public void dispose() {
		this.deadline.dispose();
		this.current.dispose();
	}

}
