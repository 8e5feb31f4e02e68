package io.github.mcpclient.transport.http;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

import io.github.mcpclient.McpServerDefinition;
import io.github.mcpclient.transport.HttpStatusException;
import io.github.mcpclient.transport.TransportException;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCMessage;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCRequest;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;
import reactor.core.publisher.Sinks;
import reactor.netty.http.client.HttpClientResponse;

/**
 * MCP's older HTTP with server-sent events (revision 2024-11-05, basic/transports), from
 * the client's side. One stream, opened with GET, carries all that the server says; its
 * first event, of type {@code endpoint}, tells where to POST messages, which wait for it.
 *
 * <p>
 * The transport dies, and with it all that is pending, when the stream cannot be opened,
 * ends, breaks, is silent for longer than allowed, or holds a message that is too large;
 * when it names an endpoint of another origin; when the server no longer knows the
 * session; and when nothing listens at its address any more. An error status of a POST
 * otherwise costs just the message that meets it.
 *
 * <p>
 * Messages are handed over on an event loop, in their order.
 */
final class SseProtocol extends HttpRequester implements HttpProtocol, SseStream.Owner {

	private static final int MAX_REFERENCE_LENGTH = 8192;

	private final Sinks.Empty<Void> ready = Sinks.empty();

	/**
	 * Why streamable HTTP is not used, if it was tried.
	 */
	private final @Nullable HttpStatusException reason;

	private volatile @Nullable SseEndpoint endpoint;

	private volatile boolean accepted;

	private volatile boolean succeeded;

	SseProtocol(HttpTransport transport, @Nullable HttpStatusException reason) {
		super(transport, transport.requests().withUri(transport.setup().http().url()));
		this.reason = reason;
	}

	@Override
	public Mono<Void> open() {
		openStream();
		return this.ready.asMono();
	}

	private void openStream() {
		HttpExchange exchange = new HttpExchange(this);
		if (current().update(exchange)) {
			exchange.start(transport().requests("GET").map((provided) -> {
				requests(requests().with(provided.provided()));
				return requests().stream(null);
			}));
		}
	}

	@Override
	public Mono<Void> send(JSONRPCMessage message) {
		return Mono.defer(() -> {
			Mono<Void> sent = transport().post(message);
			boolean wait = this.endpoint == null && transport().isConnected() && !transport().hasEnded();
			return wait
					? this.ready.asMono().onErrorMap(TransportException.class, TransportException::notSent).then(sent)
					: sent;
		});
	}

	@Override
	public HttpPost call(HttpRequests requests, JSONRPCRequest request, byte[] body, MonoSink<Void> sink) {
		return new SseCall(transport(), this, requests, request, body, sink);
	}

	@Override
	HttpBody accepted(HttpClientResponse response, HttpExchange exchange) {
		String type = HttpRequests.mediaType(response.responseHeaders());
		if (!HttpRequests.EVENT_STREAM.equalsIgnoreCase(type)) {
			fail(failures().noEventStream(response.status().code(), type));
			return HttpBody.IGNORED;
		}
		Duration timeout = setup().definition().timeouts().connect();
		deadline().update(setup().timer()
			.schedule(() -> fail(failures().noEndpoint(timeout)), timeout.toMillis(), TimeUnit.MILLISECONDS));
		return new SseStream(setup(), exchange, null, this);
	}

	@Override
	void rejected(HttpError error) {
		fail(failures().status(error, error.text(), false));
	}

	@Override
	boolean mayFollow(int status) {
		return true;
	}

	@Override
	void follow(URI location) {
		openStream();
	}

	@Override
	public void failed(Throwable failure) {
		fail(failure);
	}

	@Override
	void fail(Throwable failure) {
		transport().terminate(setup().failures().exchange(failure));
	}

	@Override
	public void endpoint(byte[] data) {
		String reference = new String(data, StandardCharsets.UTF_8).strip();
		URI stream = requests().uri();
		URI uri = (reference.length() <= MAX_REFERENCE_LENGTH) ? HttpUris.resolve(stream, reference) : null;
		if (uri == null) {
			fail(failures().invalidEndpoint());
		}
		else if (!HttpUris.isSameOrigin(stream, uri)) {
			fail(failures().foreignEndpoint(uri));
		}
		else {
			deadline().dispose();
			transport().moved(uri);
			this.endpoint = new SseEndpoint(uri);
			this.ready.tryEmitEmpty();
		}
	}

	@Override
	public void message(JSONRPCMessage message, int size) {
		transport().receive(message, size);
	}

	@Override
	public void ended(SseStream stream, @Nullable Throwable failure) {
		fail(failures().streamLost(failure, setup().http().sseReadTimeout()));
	}

	@Override
	public void closeStream(TransportException cause) {
		current().dispose();
		deadline().dispose();
		this.ready.tryEmitError(cause);
	}

	/**
	 * The server took a message at its endpoint.
	 */
	void messageAccepted() {
		this.accepted = true;
	}

	@Override
	public boolean hasSession() {
		return this.accepted;
	}

	@Override
	public String mask(String text) {
		SseEndpoint endpoint = this.endpoint;
		return (endpoint != null) ? endpoint.mask(text) : text;
	}

	@Override
	public HttpStatusException refusal(HttpStatusException failure) {
		return this.accepted ? failure : setup().failures().endpointRefused(failure);
	}

	/**
	 * The server knows this protocol, if not streamable HTTP.
	 */
	void succeeded() {
		this.succeeded = true;
	}

	@Override
	public Throwable word(Throwable failure) {
		return (this.reason != null && !this.succeeded) ? setup().failures().neither(this.reason, failure) : failure;
	}

	@Override
	public @Nullable String type() {
		return (this.reason != null && this.succeeded) ? McpServerDefinition.SSE : null;
	}

}
