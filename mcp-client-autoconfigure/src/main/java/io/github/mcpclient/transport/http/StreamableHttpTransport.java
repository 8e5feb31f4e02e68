package io.github.mcpclient.transport.http;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

import io.github.mcpclient.transport.TransportException;
import io.modelcontextprotocol.spec.McpSchema;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCMessage;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCNotification;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCRequest;
import io.netty.handler.codec.http.HttpHeaders;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;
import reactor.netty.http.client.HttpClientResponse;

/**
 * MCP's streamable HTTP (revision 2025-11-25, basic/transports), from the client's side.
 * Each message is a POST of its own; answers come in its response, or in the stream of
 * events that is its response. Another stream, opened with GET once the session is
 * initialized, tells what the server says unasked.
 *
 * <p>
 * The transport dies when the server no longer knows the session (HTTP 404, or 400 with a
 * text that speaks of it, on a POST; or an error of JSON-RPC that does so, and again for
 * a ping): what else is under way has a moment to meet that by itself, or to be answered.
 * It dies, and with it all that is under way, when nothing listens at its address any
 * more (a refused connection, no route), be it a POST or the stream that meets that. All
 * other trouble costs just the request that meets it: a connection that breaks or times
 * out, an error status, an answer that is too large or cannot be understood. The stream
 * of unasked messages is opened again when it ends.
 *
 * <p>
 * Messages are handed over on an event loop; those of one response in their order, those
 * of several responses maybe at the same time.
 */
final class StreamableHttpTransport extends HttpTransport {

	private static final Log logger = LogFactory.getLog(StreamableHttpTransport.class);

	private static final Duration DELETE_TIMEOUT = Duration.ofSeconds(2);

	private static final int LONGEST_SESSION_ID = 4096;

	private final StreamableHttpListener listener = new StreamableHttpListener(this);

	private final AtomicBoolean listening = new AtomicBoolean();

	private final AtomicBoolean misplaced = new AtomicBoolean();

	StreamableHttpTransport(HttpTransportFactory.Setup setup) {
		super(setup);
	}

	@Override
	Mono<Void> open() {
		return Mono.empty();
	}

	@Override
	public Mono<Void> sendMessage(JSONRPCMessage message) {
		Mono<Void> sent = providesHeaders()
				? requests("POST").flatMap((requests) -> send(message, () -> requests))
				: send(message, this::requests);
		boolean initialized = message instanceof JSONRPCNotification notification
				&& McpSchema.METHOD_NOTIFICATION_INITIALIZED.equals(notification.method());
		return initialized ? sent.doOnSuccess((ignored) -> listen()) : sent;
	}

	private Mono<Void> send(JSONRPCMessage message, Supplier<HttpRequests> requests) {
		return Mono.create((sink) -> {
			departing(sink.contextView());
			start(post(message, requests.get(), codec().encode(message), sink));
		});
	}

	private StreamableHttpPost post(JSONRPCMessage message, HttpRequests requests, byte[] body, MonoSink<Void> sink) {
		if (!(message instanceof JSONRPCRequest request)) {
			return new StreamableHttpNotification(this, requests, body, sink);
		}
		boolean initialize = McpSchema.METHOD_INITIALIZE.equals(request.method());
		return new StreamableHttpCall(this, initialize ? requests.withoutSession() : requests, request, body, sink);
	}

	/**
	 * Ask the server whether it is there, and knows the session. The id is an integer
	 * beyond those at which sessions begin.
	 * @return completes when it answers, whatever it says, and fails otherwise; the
	 * transport has ended if the session is lost
	 */
	Mono<Void> ping() {
		JSONRPCRequest ping = new JSONRPCRequest(McpSchema.JSONRPC_VERSION, McpSchema.METHOD_PING,
				ThreadLocalRandom.current().nextInt(1 << 30, Integer.MAX_VALUE), null);
		return sendMessage(ping).timeout(definition().timeouts().request(), timer());
	}

	private void listen() {
		if (this.listening.compareAndSet(false, true)) {
			this.listener.open();
		}
	}

	/**
	 * The server accepted the request to initialize, and may have given the session an
	 * id.
	 * @param headers the headers of its response
	 * @return why the session cannot be used, or {@code null} if it can
	 */
	@Nullable TransportException sessionStarted(HttpHeaders headers) {
		String sessionId = headers.get(HttpRequests.SESSION_ID);
		if (sessionId == null || sessionId.isEmpty()) {
			return null;
		}
		if (!HttpHeaderRules.isVisibleAscii(sessionId, LONGEST_SESSION_ID)) {
			return failures().sessionId(sessionId.length(), LONGEST_SESSION_ID);
		}
		update((requests) -> requests.withSessionId(sessionId));
		return null;
	}

	/**
	 * The response to a request holds the answer to another one, which is ignored: it may
	 * well be that of another client.
	 */
	void misplaced() {
		if (this.misplaced.compareAndSet(false, true)) {
			logger.warn("MCP server '" + serverName() + "' sent, in its response to a request, the answer to another"
					+ " one. Such answers are ignored; further ones are logged at level DEBUG.");
		}
		else {
			logger.debug("Ignored an answer of MCP server '" + serverName() + "' to another request");
		}
	}

	@Override
	public void onGap(Runnable listener) {
		this.listener.onGap(listener);
	}

	@Override
	void closeStream(TransportException cause) {
		this.listener.dispose();
	}

	/**
	 * {@inheritDoc} Sends {@code DELETE} where there is a session id, for which the
	 * server has two seconds.
	 */
	@Override
	Mono<Void> endSession() {
		if (requests().sessionId() == null || !http().terminateOnClose()) {
			return Mono.empty();
		}
		return requests("DELETE").flatMap((delete) -> delete.delete(DELETE_TIMEOUT).response())
			.map(HttpClientResponse::status)
			.timeout(DELETE_TIMEOUT, timer())
			.doOnNext((status) -> logger.debug("Ended the session: HTTP " + status.code()))
			.doOnError((failure) -> logger.debug("The session was not ended", failure))
			.onErrorComplete()
			.then();
	}

}
