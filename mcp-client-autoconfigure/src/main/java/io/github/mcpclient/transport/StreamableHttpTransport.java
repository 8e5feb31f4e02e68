package io.github.mcpclient.transport;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import java.util.function.Function;
import java.util.function.UnaryOperator;

import io.github.mcpclient.McpServerDefinition;
import io.github.mcpclient.McpServerDefinition.Http;
import io.modelcontextprotocol.json.TypeRef;
import io.modelcontextprotocol.spec.McpSchema;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCMessage;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCNotification;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCRequest;
import io.modelcontextprotocol.spec.ProtocolVersions;
import io.netty.handler.codec.http.HttpHeaders;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Scheduler;
import reactor.netty.http.client.HttpClientResponse;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * MCP's streamable HTTP (revision 2025-11-25, basic/transports), from the client's side.
 * Each message is a POST of its own; answers come in its response, or in the stream of
 * events that is its response. Another stream, opened with GET once the session is
 * initialized, tells what the server says unasked.
 *
 * <p>
 * The transport dies, and with it all that is under way, when the server no longer knows
 * the session (HTTP 404, or 400 with a text that says so, on a POST), and when nothing
 * listens at its address any more (a refused connection, no route), be it a POST or the
 * stream that meets that. All other trouble costs just the request that meets it: a
 * connection that breaks or times out, an error status, an answer that is too large or
 * cannot be understood. The stream of unasked messages is opened again when it ends.
 *
 * <p>
 * Messages are handed over on an event loop; those of one response in their order, those
 * of several responses maybe at the same time.
 */
final class StreamableHttpTransport implements SupervisedTransport {

	private static final Log logger = LogFactory.getLog(StreamableHttpTransport.class);

	private static final List<String> PROTOCOL_VERSIONS = List.of(ProtocolVersions.MCP_2024_11_05,
			ProtocolVersions.MCP_2025_03_26, ProtocolVersions.MCP_2025_06_18, ProtocolVersions.MCP_2025_11_25);

	private static final AtomicReferenceFieldUpdater<StreamableHttpTransport, HttpRequests> REQUESTS = AtomicReferenceFieldUpdater
		.newUpdater(StreamableHttpTransport.class, HttpRequests.class, "requests");

	private static final Duration DELETE_TIMEOUT = Duration.ofSeconds(2);

	private static final int LONGEST_VERSION = 64;

	private static final int LONGEST_SESSION_ID = 4096;

	private final McpServerDefinition definition;

	private final Http http;

	private final HttpPool pool;

	private final JsonRpcCodec codec;

	private final JsonMapper mapper;

	private final HttpFailures failures;

	private final Scheduler timer;

	private final int maxMessageSize;

	private volatile HttpRequests requests;

	private final Set<StreamableHttpPost> posts = ConcurrentHashMap.newKeySet();

	private final StreamableHttpListener listener = new StreamableHttpListener(this);

	private final AtomicBoolean connected = new AtomicBoolean();

	private final AtomicBoolean listening = new AtomicBoolean();

	/**
	 * Why nothing can be sent any more; {@code null} as long as it can.
	 */
	private final AtomicReference<@Nullable TransportException> end = new AtomicReference<>();

	private final Sinks.Empty<Void> termination = Sinks.empty();

	private final Sinks.Empty<Void> closed = Sinks.empty();

	private volatile @Nullable Function<Mono<JSONRPCMessage>, Mono<JSONRPCMessage>> handler;

	/**
	 * Create a transport.
	 * @param definition the server
	 * @param http how to reach it; its headers have been checked
	 * @param pool the HTTP client, which the transport disposes of
	 * @param codec reads and writes messages
	 * @param mapper reads what is not a message
	 * @param timer delays
	 */
	StreamableHttpTransport(McpServerDefinition definition, Http http, HttpPool pool, JsonRpcCodec codec,
			JsonMapper mapper, Scheduler timer) {
		this.definition = definition;
		this.http = http;
		this.pool = pool;
		this.codec = codec;
		this.mapper = mapper;
		this.timer = timer;
		this.failures = new HttpFailures(definition, http.url(), http.headers());
		this.maxMessageSize = (int) Math.min(Integer.MAX_VALUE - 16, definition.limits().maxMessageSize().toBytes());
		this.requests = new HttpRequests(pool.client().headers((headers) -> http.headers().forEach(headers::set)),
				http.url(), definition.timeouts().request());
	}

	@Override
	public Mono<Void> connect(Function<Mono<JSONRPCMessage>, Mono<JSONRPCMessage>> handler) {
		return Mono.defer(() -> {
			TransportException end = this.end.get();
			if (end != null) {
				return Mono.error(notSent(end));
			}
			if (!this.connected.compareAndSet(false, true)) {
				return Mono.error(new IllegalStateException("The transport was connected before"));
			}
			this.handler = handler;
			return Mono.empty();
		});
	}

	@Override
	public Mono<Void> sendMessage(JSONRPCMessage message) {
		Mono<Void> sent = Mono.create((sink) -> send(message, sink));
		boolean initialized = message instanceof JSONRPCNotification notification
				&& McpSchema.METHOD_NOTIFICATION_INITIALIZED.equals(notification.method());
		return initialized ? sent.doOnSuccess((ignored) -> listen()) : sent;
	}

	private void send(JSONRPCMessage message, MonoSink<Void> sink) {
		if (this.handler == null) {
			sink.error(new IllegalStateException("The transport is not connected"));
			return;
		}
		byte[] body = this.codec.encode(message);
		StreamableHttpPost post = post(message, body, sink);
		this.posts.add(post);
		TransportException end = this.end.get();
		if (end != null) {
			post.fail(notSent(end));
			return;
		}
		post.start();
	}

	private StreamableHttpPost post(JSONRPCMessage message, byte[] body, MonoSink<Void> sink) {
		HttpRequests requests = requests();
		if (!(message instanceof JSONRPCRequest request)) {
			return new StreamableHttpNotification(this, requests, body, sink);
		}
		boolean initialize = McpSchema.METHOD_INITIALIZE.equals(request.method());
		return new StreamableHttpCall(this, initialize ? requests.withoutSession() : requests, request, body, sink);
	}

	private static TransportException notSent(TransportException end) {
		return new TransportException(String.valueOf(end.getMessage()), end.getNextStep(), false, end);
	}

	private void listen() {
		if (this.listening.compareAndSet(false, true)) {
			this.listener.open();
		}
	}

	/**
	 * Hand a message to the session, unless the transport has ended.
	 * @param message the message
	 */
	void deliver(JSONRPCMessage message) {
		Function<Mono<JSONRPCMessage>, Mono<JSONRPCMessage>> handler = this.handler;
		if (handler == null || this.end.get() != null) {
			return;
		}
		try {
			handler.apply(Mono.just(message)).subscribe(null, StreamableHttpTransport::notHandled);
		}
		catch (RuntimeException ex) {
			notHandled(ex);
		}
	}

	private static void notHandled(Throwable failure) {
		logger.debug("A message was not handled", failure);
	}

	void remove(StreamableHttpPost post) {
		this.posts.remove(post);
	}

	int underWay() {
		return this.posts.size();
	}

	/**
	 * The server accepted the request to initialize, and may have given the session an
	 * id.
	 * @param headers the headers of its response
	 */
	void sessionStarted(HttpHeaders headers) {
		String sessionId = headers.get(HttpRequests.SESSION_ID);
		if (sessionId == null || sessionId.isEmpty()) {
			return;
		}
		if (HttpHeaderRules.isVisibleAscii(sessionId, LONGEST_SESSION_ID)) {
			update((requests) -> requests.withSessionId(sessionId));
		}
		else {
			logger.debug("Ignoring a session id that is not made of visible ASCII characters");
		}
	}

	/**
	 * The server answered the request to initialize.
	 * @param protocolVersion the revision of the protocol that it chose
	 */
	void negotiated(String protocolVersion) {
		if (HttpHeaderRules.isVisibleAscii(protocolVersion, LONGEST_VERSION)) {
			update((requests) -> requests.withProtocolVersion(protocolVersion));
		}
	}

	/**
	 * The server is to be reached elsewhere on the same origin.
	 * @param uri where
	 */
	void moved(URI uri) {
		update((requests) -> requests.withUri(uri));
	}

	private void update(UnaryOperator<HttpRequests> change) {
		REQUESTS.updateAndGet(this, change);
	}

	HttpRequests requests() {
		return this.requests;
	}

	JsonRpcCodec codec() {
		return this.codec;
	}

	/**
	 * Read the body of an error status.
	 * @param content the body
	 * @return the JSON-RPC error that it is, or {@code null}
	 */
	@Nullable JsonNode error(byte[] content) {
		try {
			JsonNode tree = this.mapper.readTree(content);
			return tree.path("error").isObject() ? tree : null;
		}
		catch (JacksonException ex) {
			return null;
		}
	}

	HttpFailures failures() {
		return this.failures;
	}

	Scheduler timer() {
		return this.timer;
	}

	int maxMessageSize() {
		return this.maxMessageSize;
	}

	String serverName() {
		return this.definition.name();
	}

	@Nullable Duration sseReadTimeout() {
		return this.http.sseReadTimeout();
	}

	SseStream stream(HttpExchange exchange, @Nullable String lastEventId, SseStream.Owner owner) {
		return new SseStream(this.codec, this.maxMessageSize, this.timer, lastEventId, exchange, owner);
	}

	/**
	 * End the transport if an exchange failed because nothing listens at the server's
	 * address any more.
	 * @param failure the failure
	 * @param first what to do before all else that is under way fails
	 * @return whether that is so
	 */
	boolean terminateIfGone(Throwable failure, Runnable first) {
		if (!this.failures.isServerGone(failure)) {
			return false;
		}
		TransportException cause = this.failures.exchange(failure);
		terminate(new TransportException(String.valueOf(cause.getMessage()), cause.getNextStep(), failure), first);
		return true;
	}

	/**
	 * End the transport, unless it has ended, and fail all that is under way.
	 * @param cause why; possibly processed, as it is given to all requests
	 * @param first what to do when nothing can be sent any more, but before all else that
	 * is under way fails
	 */
	void terminate(TransportException cause, Runnable first) {
		boolean ended = this.end.compareAndSet(null, cause);
		first.run();
		if (ended) {
			drop(cause);
			this.pool.dispose().subscribe();
			this.termination.tryEmitError(cause);
			this.closed.tryEmitEmpty();
		}
	}

	private void drop(TransportException cause) {
		this.listener.dispose();
		for (StreamableHttpPost post : this.posts) {
			post.fail(cause);
		}
	}

	@Override
	public Mono<Void> termination() {
		return this.termination.asMono();
	}

	/**
	 * {@inheritDoc} Ends the session with {@code DELETE} where there is one, for which
	 * the server has two seconds.
	 */
	@Override
	public Mono<Void> closeGracefully() {
		return Mono.defer(() -> {
			TransportException cause = new TransportException("The connection was closed", null, null);
			if (this.end.compareAndSet(null, cause)) {
				drop(cause);
				endSession().then(Mono.defer(this.pool::dispose)).doFinally((signal) -> {
					this.termination.tryEmitEmpty();
					this.closed.tryEmitEmpty();
				}).subscribe();
			}
			return this.closed.asMono();
		});
	}

	private Mono<Void> endSession() {
		HttpRequests requests = requests();
		if (requests.sessionId() == null || !this.http.terminateOnClose()) {
			return Mono.empty();
		}
		return requests.delete(DELETE_TIMEOUT)
			.response()
			.map(HttpClientResponse::status)
			.timeout(DELETE_TIMEOUT, this.timer)
			.doOnNext((status) -> logger.debug("Ended the session: HTTP " + status.code()))
			.doOnError((failure) -> logger.debug("The session was not ended", failure))
			.onErrorComplete()
			.then();
	}

	@Override
	public <T> T unmarshalFrom(Object data, TypeRef<T> type) {
		return this.codec.unmarshal(data, type);
	}

	@Override
	public List<String> protocolVersions() {
		return PROTOCOL_VERSIONS;
	}

	@Override
	public String toString() {
		return "StreamableHttpTransport[" + this.definition.target() + "]";
	}

}
