package io.github.mcpclient.internal.transport.http;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.internal.support.Secrets;
import io.github.mcpclient.internal.transport.HttpStatusException;
import io.github.mcpclient.spi.TransportException;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCMessage;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCResponse;
import io.netty.buffer.ByteBuf;
import io.netty.handler.timeout.ReadTimeoutException;
import org.jspecify.annotations.Nullable;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.netty.http.client.HttpClientResponse;

/**
 * MCP's HTTP with server-sent events (MCP 2024-11-05, basic/transports), from the
 * client's side. One stream, opened with GET, carries all messages of the server; its
 * first event, of type {@code endpoint}, has the URL to POST messages to, which wait for
 * it.
 *
 * <p>
 * The transport fails, with all pending requests, when the stream cannot be opened, ends,
 * breaks, is silent for longer than allowed, or holds a message that is too large; when
 * it names an endpoint of another origin; when the server no longer knows the session;
 * and when nothing listens at its address any more. Any other error status of a POST
 * fails only its message.
 *
 * <p>
 * Messages are handed over on an event loop, in their order.
 */
final class SseProtocol implements McpHttpProtocol, HttpExchange.Handler, SseStream.Owner {

	private static final int MAX_REFERENCE_LENGTH = 8192;

	// shorter parts of the path of an endpoint are names
	private static final int SHORTEST_SESSION_ID = 16;

	private final HttpTransport transport;

	private final HttpSetup setup;

	private final SessionCheck check;

	// the stream, or the wait for it
	private final Disposable.Swap current = Disposables.swap();

	// limits the wait for the endpoint
	private final Disposable.Swap deadline = Disposables.swap();

	// that of the stream
	private volatile HttpEndpoint endpoint;

	private final Sinks.Empty<Void> ready = Sinks.empty();

	// why streamable HTTP is not used, if it was tried
	private final @Nullable HttpStatusException reason;

	// the possible session ID in the URL of the endpoint, once that is known
	private volatile @Nullable Secrets session;

	// whether the server took a message at its endpoint
	private volatile boolean accepted;

	private volatile boolean succeeded;

	SseProtocol(HttpTransport transport, @Nullable HttpStatusException reason) {
		this.transport = transport;
		this.setup = transport.setup();
		this.check = new SessionCheck(transport.setup(), transport, true);
		this.reason = reason;
		this.endpoint = transport.endpoint().withUri(this.setup.http().url());
	}

	@Override
	public Mono<Void> open() {
		this.transport.holdUntil(this.ready.asMono());
		new HttpExchange(this.setup, this.transport.headers(), "GET", this.endpoint, this.current, this)
			.start(this.transport.endpoint("GET").map((ready) -> this.endpoint.with(ready.provided())));
		return this.ready.asMono();
	}

	/**
	 * {@inheritDoc} The response arrives on the stream; a server that accepts a request
	 * only after processing it sends the response first.
	 */
	@Override
	public HttpBody accepted(PostedMessage request, HttpClientResponse response, Disposable attempt) {
		this.accepted = true;
		this.check.accepted(request.request(), null);
		Runnable ended = () -> {
			if (request.isDone()) {
				request.release();
			}
		};
		request.after(PostedMessage.DRAIN_TIMEOUT, () -> {
			attempt.dispose();
			ended.run();
		});
		return HttpBody.ignoredUntilEnd(ended);
	}

	@Override
	public Flux<ByteBuf> request(HttpEndpoint endpoint) {
		this.endpoint = endpoint;
		return endpoint.stream(null);
	}

	@Override
	public HttpBody accepted(HttpClientResponse response, Disposable attempt) {
		String type = HttpEndpoint.mediaType(response.responseHeaders());
		if (!HttpEndpoint.EVENT_STREAM.equalsIgnoreCase(type)) {
			String what = (type != null) ? failures().line(type) : "something of no known type";
			return HttpError.page(response, attempt, this.setup.timer(), failures(),
					new HttpStatusException(response.status().code(),
							"The server responded with " + what + " instead of an event stream", checkUrl(), false),
					this::failed);
		}
		Duration timeout = this.setup.definition().timeouts().connect();
		this.deadline.update(this.setup.timer()
			.schedule(() -> failed(new TransportException(
					"The server's event stream named no endpoint within " + timeout.toMillis() + " ms", checkUrl(),
					false, null)), timeout.toMillis(), TimeUnit.MILLISECONDS));
		return new SseStream(this.setup, response, attempt, null, this);
	}

	private String checkUrl() {
		return "Check that " + failures().property("url") + " is the SSE endpoint of an MCP server.";
	}

	@Override
	public void rejected(HttpError error) {
		failed(error.failure(failures(), error.text(), false));
	}

	@Override
	public void failed(Throwable failure) {
		this.transport.terminate(this.setup.failures().exchange(failure));
	}

	private HttpFailures failures() {
		return this.setup.failures().without(this.endpoint.provided());
	}

	@Override
	public void endpoint(byte[] data) {
		String reference = new String(data, StandardCharsets.UTF_8).strip();
		URI stream = this.endpoint.uri();
		URI uri = (reference.length() <= MAX_REFERENCE_LENGTH) ? HttpUris.resolve(stream, reference) : null;
		if (uri == null) {
			failed(new TransportException("The server's event stream names an endpoint that is not a URL", checkUrl(),
					null));
		}
		else if (!HttpUris.isSameOrigin(stream, uri)) {
			String where = (uri.getHost() != null) ? " (" + failures().line(HttpUris.origin(uri)) + ")" : "";
			failed(new TransportException(
					"The server's event stream names an endpoint of another origin" + where + ", which is not used",
					"Set " + failures().property("url") + " to the URL that the server uses for itself.", null));
		}
		else {
			this.deadline.dispose();
			this.transport.update((endpoint) -> endpoint.withUri(uri));
			this.session = Secrets.builder().sessionUrl(uri, SHORTEST_SESSION_ID).build();
			this.transport.holdUntil(null);
			this.ready.tryEmitEmpty();
		}
	}

	@Override
	public void message(JSONRPCMessage message, int size) {
		this.accepted |= message instanceof JSONRPCResponse;
		this.transport.receive(message, size);
	}

	@Override
	public Secrets credentialsSent() {
		return this.transport.credentials(this.endpoint.provided());
	}

	@Override
	public void unreadable(byte[] data, TransportException failure) {
		this.transport.unreadable(data, failure);
	}

	@Override
	public void ended(SseStream stream, @Nullable Throwable failure) {
		failed(streamLost(failure));
	}

	private TransportException streamLost(@Nullable Throwable failure) {
		if (failure == null) {
			return new TransportException("The server closed the event stream", null, null);
		}
		if (failure instanceof HttpContentBuffer.TooLargeException) {
			return failures().tooLarge();
		}
		Duration readTimeout = this.setup.http().sseReadTimeout();
		if (failure instanceof ReadTimeoutException && readTimeout != null) {
			return new TransportException(
					"The server's event stream was silent for more than " + readTimeout.toMillis() + " ms",
					"Raise " + failures().property("sse-read-timeout") + " if such silence is normal for this server.",
					failure);
		}
		TransportException cause = failures().exchange(failure);
		return new TransportException("The server's event stream broke: " + cause.getMessage(), cause.getNextStep(),
				failure);
	}

	@Override
	public void closeStream(TransportException cause) {
		this.current.dispose();
		this.deadline.dispose();
		this.ready.tryEmitError(cause);
	}

	@Override
	public SessionCheck check() {
		return this.check;
	}

	@Override
	public boolean hasSession() {
		return this.accepted;
	}

	@Override
	public String mask(String text) {
		Secrets session = this.session;
		return (session != null) ? session.mask(text) : text;
	}

	@Override
	public HttpStatusException refusal(HttpStatusException failure) {
		if (this.accepted || failure.getStatus() < 400) {
			return failure;
		}
		boolean unknown = failure.getStatus() == 404 || failure.getStatus() == 405;
		return failure
			.reworded("The endpoint that the server's event stream names responded with " + failure.getSummary(),
					unknown ? "Check that " + this.setup.failures().property("url")
							+ " is the URL that the server uses for itself, including the path."
							: failure.getNextStep());
	}

	/**
	 * The server knows this protocol, if not streamable HTTP.
	 */
	void succeeded() {
		this.succeeded = true;
	}

	@Override
	public Throwable word(Throwable failure) {
		HttpStatusException streamable = this.reason;
		if (streamable == null || this.succeeded) {
			return failure;
		}
		TransportException cause = this.setup.failures().exchange(failure);
		HttpStatusException answer = (cause instanceof HttpStatusException status) ? status : null;
		boolean refused = answer != null && (answer.getStatus() == 401 || answer.getStatus() == 403);
		return new HttpStatusException(streamable.getStatus(),
				"The server supports neither streamable HTTP (" + streamable.getSummary(),
				streamable.details() + ") nor SSE (" + cause.getMessage() + ")",
				refused ? cause.getNextStep() : streamable.getNextStep(), cause.isPossiblyProcessed(),
				(answer != null) ? answer.getRetryAfter() : null);
	}

	@Override
	public @Nullable String type() {
		return (this.reason != null && this.succeeded) ? McpServerDefinition.SSE : null;
	}

}
