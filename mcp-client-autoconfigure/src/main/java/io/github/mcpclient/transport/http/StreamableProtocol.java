package io.github.mcpclient.transport.http;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;

import io.github.mcpclient.support.LogKeys;
import io.github.mcpclient.support.RevisionRefusal;
import io.github.mcpclient.support.Secrets;
import io.github.mcpclient.transport.HttpStatusException;
import io.github.mcpclient.transport.TransportException;
import io.modelcontextprotocol.spec.McpSchema;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCMessage;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCNotification;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCRequest;
import io.netty.handler.codec.http.HttpHeaders;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
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
 * a ping), and when nothing listens at its address any more. All other trouble costs just
 * the request that meets it.
 *
 * <p>
 * Messages are handed over on an event loop; those of one response in their order, those
 * of several responses maybe at the same time.
 */
final class StreamableProtocol implements HttpProtocol {

	private static final Logger logger = LoggerFactory.getLogger(StreamableProtocol.class);

	private static final Duration DELETE_TIMEOUT = Duration.ofSeconds(2);

	private static final int MAX_SESSION_ID_LENGTH = 4096;

	// what a server that does not know streamable HTTP answers to initialize
	private static final Set<Integer> UNKNOWN = Set.of(400, 404, 405);

	private final HttpTransport transport;

	private final StreamableGetStream stream;

	private final AtomicBoolean streaming = new AtomicBoolean();

	private final AtomicBoolean misplaced = new AtomicBoolean();

	StreamableProtocol(HttpTransport transport) {
		this.transport = transport;
		this.stream = new StreamableGetStream(transport);
	}

	@Override
	public Mono<Void> open() {
		return Mono.empty();
	}

	@Override
	public Mono<Void> send(JSONRPCMessage message) {
		Mono<Void> sent = this.transport.post(message);
		if (message instanceof JSONRPCNotification notification
				&& McpSchema.METHOD_NOTIFICATION_INITIALIZED.equals(notification.method())) {
			return sent.doOnSuccess((ignored) -> openStream());
		}
		if (message instanceof JSONRPCRequest request && McpSchema.METHOD_INITIALIZE.equals(request.method())) {
			return sent.onErrorResume(HttpStatusException.class,
					(refusal) -> (mayKnowSse(refusal.getStatus()) && !refusesRevision(refusal))
							? initializeSse(message, refusal) : Mono.error(refusal));
		}
		return sent;
	}

	private static boolean refusesRevision(HttpStatusException refusal) {
		return RevisionRefusal.NEXT_STEP.equals(refusal.getNextStep());
	}

	private void openStream() {
		if (this.streaming.compareAndSet(false, true)) {
			this.stream.open();
		}
	}

	/**
	 * Return whether the older protocol is worth an attempt.
	 * @param status the status that answers {@code initialize}
	 */
	boolean mayKnowSse(int status) {
		return this.transport.setup().definition().typeInferred() && UNKNOWN.contains(status);
	}

	private Mono<Void> initializeSse(JSONRPCMessage initialize, HttpStatusException refusal) {
		SseProtocol sse = new SseProtocol(this.transport, refusal);
		return this.transport.switchTo(sse).then(sse.send(initialize)).doOnSuccess((ignored) -> {
			sse.succeeded();
			String name = this.transport.setup().serverName();
			logger.atInfo()
				.addKeyValue(LogKeys.SERVER, name)
				.addKeyValue(LogKeys.TRANSPORT, sse.type())
				.log("MCP server '{}' speaks the older HTTP with server-sent events (it answers HTTP {} to streamable"
						+ " HTTP). Set mcp.servers.{}.type to sse to spare it the attempt.", name, refusal.getStatus(),
						name);
		}).onErrorMap(sse::word);
	}

	@Override
	public HttpPost call(HttpRequests requests, JSONRPCRequest request, byte[] body, MonoSink<Void> sink) {
		return new StreamableCall(this.transport, this, requests, request, body, sink);
	}

	/**
	 * The server accepted the request to initialize, and may have given the session an
	 * id.
	 * @return why the session cannot be used, or {@code null} if it can
	 */
	@Nullable TransportException sessionStarted(HttpHeaders headers) {
		String sessionId = headers.get(HttpRequests.SESSION_ID);
		if (sessionId == null || sessionId.isEmpty()) {
			return null;
		}
		if (!HttpRequests.isVisibleAscii(sessionId, MAX_SESSION_ID_LENGTH)) {
			return new TransportException(
					"The server gave the session an id of " + sessionId.length()
							+ " characters, which cannot be used: at most " + MAX_SESSION_ID_LENGTH
							+ " are allowed, all of them visible ASCII",
					"Have the server give shorter ones, without blanks.", null);
		}
		this.transport.update((requests) -> requests.withSessionId(sessionId));
		return null;
	}

	/**
	 * The response to a request holds the answer to another one, which is ignored: it may
	 * well be that of another client.
	 */
	void misplaced() {
		String name = this.transport.setup().serverName();
		if (this.misplaced.compareAndSet(false, true)) {
			logger.atWarn()
				.addKeyValue(LogKeys.SERVER, name)
				.addKeyValue(LogKeys.TRANSPORT, type())
				.log("MCP server '{}' sent, in its response to a request, the answer to another one. Such answers are"
						+ " ignored; further ones are logged at level DEBUG.", name);
		}
		else {
			logger.debug("Ignored an answer of MCP server '{}' to another request", name);
		}
	}

	@Override
	public boolean hasSession() {
		return this.transport.requests().sessionId() != null;
	}

	@Override
	public String mask(String text) {
		String sessionId = this.transport.requests().sessionId();
		return (sessionId != null) ? text.replace(sessionId, Secrets.MASK) : text;
	}

	@Override
	public void closeStream(TransportException cause) {
		this.stream.dispose();
	}

	/**
	 * {@inheritDoc} Sends {@code DELETE} where there is a session id.
	 */
	@Override
	public Mono<Void> endSession() {
		if (!hasSession() || !this.transport.setup().http().terminateOnClose()) {
			return Mono.empty();
		}
		return this.transport.requests("DELETE")
			.flatMap((requests) -> requests.delete(DELETE_TIMEOUT).response())
			.map(HttpClientResponse::status)
			.timeout(DELETE_TIMEOUT, this.transport.setup().timer())
			.doOnNext((status) -> logger.debug("Ended the session: HTTP {}", status.code()))
			.doOnError((failure) -> logger.debug("The session was not ended", failure))
			.onErrorComplete()
			.then();
	}

}
