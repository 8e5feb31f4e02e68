package io.github.mcpclient.transport.http;

import java.util.function.Supplier;

import io.github.mcpclient.transport.TransportException;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCMessage;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCRequest;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCResponse;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;
import reactor.core.publisher.Sinks;

/**
 * MCP's older HTTP with server-sent events (revision 2024-11-05, basic/transports), from
 * the client's side. One stream, opened with GET, carries all that the server says; its
 * first event tells where to POST messages.
 *
 * <p>
 * {@link #connect connect} completes once that is known; messages that come earlier wait
 * for it. The transport dies, and with it all that is under way, when the stream cannot
 * be opened, ends, breaks, is silent for longer than allowed, or holds a message that is
 * too large; when it names an endpoint of another origin; when the server no longer knows
 * the session; and when nothing listens at its address any more. An error status of a
 * POST otherwise costs just the message that meets it.
 *
 * <p>
 * The event that names the endpoint must have the type {@code endpoint}, as the
 * specification says; messages may come in events without a type.
 *
 * <p>
 * Messages are handed over on an event loop, in their order. A request is sent until its
 * answer was handed over.
 */
final class SseTransport extends HttpTransport {

	private final SseTransportStream stream = new SseTransportStream(this);

	private final Sinks.Empty<Void> ready = Sinks.empty();

	private volatile @Nullable SseEndpoint endpoint;

	private volatile boolean accepted;

	SseTransport(HttpTransportFactory.Setup setup) {
		super(setup);
	}

	@Override
	Mono<Void> open() {
		this.stream.open();
		return this.ready.asMono();
	}

	@Override
	void closeStream(TransportException cause) {
		this.stream.dispose();
		this.ready.tryEmitError(cause);
	}

	@Override
	public Mono<Void> sendMessage(JSONRPCMessage message) {
		return Mono.defer(() -> {
			Mono<Void> sent = providesHeaders()
					? requests("POST").flatMap((requests) -> send(message, () -> requests))
					: send(message, this::requests);
			boolean wait = this.endpoint == null && isConnected() && !hasEnded();
			return wait
					? this.ready.asMono().onErrorMap(TransportException.class, TransportException::notSent).then(sent)
					: sent;
		});
	}

	private Mono<Void> send(JSONRPCMessage message, Supplier<HttpRequests> requests) {
		return Mono.create((sink) -> send(message, requests.get(), sink));
	}

	private void send(JSONRPCMessage message, HttpRequests requests, MonoSink<Void> sink) {
		departing(sink.contextView());
		JSONRPCRequest request = (message instanceof JSONRPCRequest candidate) ? candidate : null;
		start(new SsePost(this, requests, request, codec().encode(message), sink));
	}

	/**
	 * The stream told where to send messages, for the first time or anew.
	 * @param endpoint where
	 */
	void reachable(SseEndpoint endpoint) {
		moved(endpoint.uri());
		this.endpoint = endpoint;
		this.ready.tryEmitEmpty();
	}

	/**
	 * The stream holds a message.
	 * @param message the message
	 * @param size its size in bytes
	 */
	void receive(JSONRPCMessage message, int size) {
		if (message instanceof JSONRPCResponse response && request(response) instanceof SsePost call) {
			call.answer(response, size);
		}
		else {
			deliver(message);
		}
	}

	/**
	 * The server took a message.
	 */
	void accepted() {
		this.accepted = true;
	}

	/**
	 * Return whether the server ever took a message at its endpoint.
	 */
	boolean hasAccepted() {
		return this.accepted;
	}

	String mask(String text) {
		SseEndpoint endpoint = this.endpoint;
		return (endpoint != null) ? endpoint.mask(text) : text;
	}

}
