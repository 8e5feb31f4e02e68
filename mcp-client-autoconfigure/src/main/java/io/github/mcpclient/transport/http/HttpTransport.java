package io.github.mcpclient.transport.http;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import java.util.function.Function;
import java.util.function.UnaryOperator;

import io.github.mcpclient.McpServerDefinition;
import io.github.mcpclient.McpServerDefinition.Http;
import io.github.mcpclient.support.Departure;
import io.github.mcpclient.transport.JsonRpcCodec;
import io.github.mcpclient.transport.ProvidedHeaders;
import io.github.mcpclient.transport.ResultLimit;
import io.github.mcpclient.transport.SupervisedTransport;
import io.github.mcpclient.transport.TransportException;
import io.modelcontextprotocol.json.TypeRef;
import io.modelcontextprotocol.spec.McpSchema;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCMessage;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCResponse;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCResponse.JSONRPCError;
import io.modelcontextprotocol.spec.ProtocolVersions;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Scheduler;
import reactor.netty.http.client.HttpClient;
import reactor.util.context.ContextView;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * What the transports over HTTP have in common: they are connected once, keep what is
 * under way, and end once, with a cause.
 */
abstract class HttpTransport implements SupervisedTransport, Departure.Teller {

	private static final Log logger = LogFactory.getLog(HttpTransport.class);

	private static final List<String> PROTOCOL_VERSIONS = List.of(ProtocolVersions.MCP_2024_11_05,
			ProtocolVersions.MCP_2025_03_26, ProtocolVersions.MCP_2025_06_18, ProtocolVersions.MCP_2025_11_25);

	private static final AtomicReferenceFieldUpdater<HttpTransport, HttpRequests> REQUESTS = AtomicReferenceFieldUpdater
		.newUpdater(HttpTransport.class, HttpRequests.class, "requests");

	private static final int LONGEST_VERSION = 64;

	/**
	 * How long requests of a session that is lost may take to meet that by themselves.
	 */
	private static final Duration SETTLING_TIMEOUT = Duration.ofSeconds(5);

	private final McpServerDefinition definition;

	private final Http http;

	private final HttpPool pool;

	private final JsonRpcCodec codec;

	private final JsonMapper mapper;

	private final HttpFailures failures;

	private final ProvidedHeaders headers;

	private final Scheduler timer;

	private final int maxMessageSize;

	private final ResultLimit resultLimit;

	private volatile HttpRequests requests;

	private final Map<Object, HttpPost> posts = new ConcurrentHashMap<>();

	private final AtomicBoolean connected = new AtomicBoolean();

	/**
	 * Why nothing can be sent any more; {@code null} as long as it can.
	 */
	private final AtomicReference<@Nullable TransportException> end = new AtomicReference<>();

	private final Sinks.Empty<Void> termination = Sinks.empty();

	private final Sinks.Empty<Void> settled = Sinks.empty();

	private final Sinks.Empty<Void> closed = Sinks.empty();

	private volatile @Nullable Function<Mono<JSONRPCMessage>, Mono<JSONRPCMessage>> handler;

	private volatile boolean sessionLost;

	private volatile boolean dropped;

	HttpTransport(HttpTransportFactory.Setup setup) {
		this.definition = setup.definition();
		this.http = setup.http();
		this.pool = setup.pool();
		this.codec = setup.codec();
		this.mapper = setup.mapper();
		this.timer = setup.timer();
		this.failures = new HttpFailures(this.definition, this.http.url(), this.http.headers());
		this.headers = setup.headers();
		this.maxMessageSize = (int) Math.min(Integer.MAX_VALUE - 16,
				this.definition.limits().maxMessageSize().toBytes());
		this.resultLimit = new ResultLimit(this.definition);
		HttpClient client = setup.pool().client().headers((headers) -> this.http.headers().forEach(headers::set));
		this.requests = new HttpRequests(client, this.http.url(), this.definition.timeouts().request());
	}

	@Override
	public Mono<Void> connect(Function<Mono<JSONRPCMessage>, Mono<JSONRPCMessage>> handler) {
		return Mono.defer(() -> {
			TransportException end = this.end.get();
			if (end != null) {
				return Mono.error(end.notSent());
			}
			if (!this.connected.compareAndSet(false, true)) {
				return Mono.error(new IllegalStateException("The transport was connected before"));
			}
			this.handler = handler;
			return open();
		});
	}

	/**
	 * Do what must be done before messages can be sent.
	 * @return completes when that is done
	 */
	abstract Mono<Void> open();

	/**
	 * Close the stream of unasked messages, and do not open it again.
	 * @param cause why
	 */
	abstract void closeStream(TransportException cause);

	/**
	 * Tell the server that the session is over.
	 * @return completes in a bounded time; never fails
	 */
	Mono<Void> endSession() {
		return Mono.empty();
	}

	/**
	 * The server wants messages elsewhere on the same origin.
	 * @param uri where
	 */
	final void moved(URI uri) {
		update((requests) -> requests.withUri(uri));
	}

	/**
	 * The server answered the request to initialize.
	 * @param protocolVersion the revision of the protocol that it chose
	 */
	final void negotiated(String protocolVersion) {
		if (HttpHeaderRules.isVisibleAscii(protocolVersion, LONGEST_VERSION)) {
			update((requests) -> requests.withProtocolVersion(protocolVersion));
		}
	}

	final void update(UnaryOperator<HttpRequests> change) {
		REQUESTS.updateAndGet(this, change);
	}

	final HttpRequests requests() {
		return this.requests;
	}

	final boolean providesHeaders() {
		return !this.headers.isEmpty();
	}

	/**
	 * Return the requests of the session with the headers that the application provides
	 * for the next one.
	 * @param method the HTTP method of that request
	 */
	final Mono<HttpRequests> requests(String method) {
		if (this.headers.isEmpty()) {
			return Mono.fromSupplier(this::requests);
		}
		Duration timeout = this.definition.timeouts().connect();
		return Mono.deferContextual((context) -> {
			Departure.hold(context, true);
			return this.headers.get(this.definition, method);
		})
			.timeout(timeout, Mono.error(() -> this.failures.headersTooLate(timeout)), this.timer)
			.onErrorMap(this.failures::headers)
			.map((headers) -> {
				HttpHeaderRules.checkProvided(headers);
				return this.requests.with(headers);
			});
	}

	final void start(HttpPost post) {
		if (this.handler == null) {
			post.fail(new IllegalStateException("The transport is not connected"));
			return;
		}
		this.posts.put(post.key(), post);
		TransportException end = this.end.get();
		if (end != null) {
			post.fail(end.notSent());
			return;
		}
		// from here on the end, if it comes, finds it among those under way
		Departure.leave(post.context());
		post.start();
	}

	final void remove(HttpPost post) {
		this.posts.remove(post.key(), post);
		settleIfIdle();
	}

	private void settleIfIdle() {
		TransportException end = this.end.get();
		if (this.sessionLost && !this.dropped && end != null && this.posts.isEmpty()) {
			settle(end);
		}
	}

	/**
	 * A message has its headers, and may have to wait for a connection.
	 * @param context the context of the message
	 */
	final void departing(ContextView context) {
		if (context.hasKey(Departure.class)) {
			Departure.hold(context, isSaturated());
		}
	}

	private boolean isSaturated() {
		int connections = this.pool.client().configuration().connectionProvider().maxConnections();
		// one for the stream of what the server says unasked
		return connections > 0 && this.posts.size() + 1 >= connections;
	}

	/**
	 * Return the request that a response answers, wherever the response arrives.
	 * @param response the response
	 * @return the request under way, or {@code null}
	 */
	final @Nullable HttpPost request(JSONRPCResponse response) {
		return this.posts.get(HttpPost.key(response.id()));
	}

	final int underWay() {
		return this.posts.size();
	}

	/**
	 * Hand a message to the session, unless all that was under way has ended.
	 * @param message the message
	 */
	final void deliver(JSONRPCMessage message) {
		Function<Mono<JSONRPCMessage>, Mono<JSONRPCMessage>> handler = this.handler;
		if (handler == null || this.dropped) {
			return;
		}
		try {
			handler.apply(Mono.just(message)).subscribe(null, HttpTransport::notHandled);
		}
		catch (Throwable ex) {
			// the code of a caller may run there, and must not cost the stream
			notHandled(ex);
		}
	}

	private static void notHandled(Throwable failure) {
		logger.debug("A message was not handled", failure);
	}

	final McpServerDefinition definition() {
		return this.definition;
	}

	final String serverName() {
		return this.definition.name();
	}

	final Http http() {
		return this.http;
	}

	final JsonRpcCodec codec() {
		return this.codec;
	}

	final HttpFailures failures() {
		return this.failures;
	}

	final Scheduler timer() {
		return this.timer;
	}

	final int maxMessageSize() {
		return this.maxMessageSize;
	}

	final @Nullable Duration sseReadTimeout() {
		return this.http.sseReadTimeout();
	}

	final ResultLimit resultLimit() {
		return this.resultLimit;
	}

	/**
	 * Make the reader of a stream of events.
	 * @param exchange the exchange of which it is the body
	 * @param maxAnswerSize the size beyond which an answer is not read to its end
	 * @param lastEventId the id of the last event of the stream that this one continues
	 * @param owner who reads it
	 * @return the reader
	 */
	final SseStream stream(HttpExchange exchange, int maxAnswerSize, @Nullable String lastEventId,
			SseStream.Owner owner) {
		return new SseStream(this.codec, this.maxMessageSize, maxAnswerSize, this.timer, lastEventId, exchange, owner);
	}

	/**
	 * Read the body of an error status.
	 * @param content the body
	 * @return the JSON-RPC error that it is, or {@code null}
	 */
	final @Nullable JsonNode error(byte[] content) {
		try {
			JsonNode tree = this.mapper.readTree(content);
			return tree.path("error").isObject() ? tree : null;
		}
		catch (JacksonException ex) {
			return null;
		}
	}

	/**
	 * Return what an error of JSON-RPC says.
	 * @param error the error
	 * @param status the HTTP status that it came with
	 */
	static JSONRPCError details(JsonNode error, int status) {
		JsonNode details = error.path("error");
		return new JSONRPCError(details.path("code").asInt(McpSchema.ErrorCodes.INTERNAL_ERROR),
				details.path("message").asString("HTTP " + status), details.get("data"));
	}

	/**
	 * End the transport if an exchange failed because nothing listens at the server's
	 * address any more.
	 * @param failure the failure
	 * @param first what to do before all else that is under way fails
	 * @return whether that is so
	 */
	final boolean terminateIfGone(Throwable failure, Runnable first) {
		if (!this.failures.isServerGone(failure)) {
			return false;
		}
		TransportException cause = this.failures.exchange(failure);
		terminate(new TransportException(String.valueOf(cause.getMessage()), cause.getNextStep(), failure), first);
		return true;
	}

	final void terminate(TransportException cause) {
		terminate(cause, () -> {
		});
	}

	/**
	 * End the transport, unless it has ended, and fail all that is under way.
	 * @param cause why; possibly processed, as it is given to all requests
	 * @param first what to do when nothing can be sent any more, but before all else that
	 * is under way fails
	 */
	final void terminate(TransportException cause, Runnable first) {
		boolean ended = this.end.compareAndSet(null, cause);
		first.run();
		if (ended) {
			settle(cause);
			this.termination.tryEmitError(cause);
		}
	}

	/**
	 * End the transport, unless it has ended, because the server does not know the
	 * session any more. What else is under way has a moment to be refused, or answered,
	 * by itself.
	 * @param cause why; possibly processed, as it is given to all that are not
	 * @param first what to do when nothing can be sent any more
	 */
	final void sessionLost(TransportException cause, Runnable first) {
		// before anybody learns of it, and may close the transport
		this.sessionLost = true;
		boolean ended = this.end.compareAndSet(null, cause);
		first.run();
		if (!ended) {
			return;
		}
		closeStream(cause);
		this.termination.tryEmitError(cause);
		Disposable timeout = this.timer.schedule(() -> settle(cause), SETTLING_TIMEOUT.toMillis(),
				TimeUnit.MILLISECONDS);
		this.settled.asMono().subscribe(null, null, timeout::dispose);
		settleIfIdle();
	}

	/**
	 * Fail what is still under way after the end.
	 */
	private void settle(TransportException cause) {
		drop(cause);
		this.pool.dispose(this.timer).subscribe();
		this.closed.tryEmitEmpty();
	}

	final boolean isConnected() {
		return this.handler != null;
	}

	@Override
	public final boolean hasEnded() {
		return this.end.get() != null;
	}

	@Override
	public final Mono<Void> settled() {
		return hasEnded() ? this.settled.asMono() : Mono.empty();
	}

	private void drop(TransportException cause) {
		closeStream(cause);
		this.dropped = true;
		for (HttpPost post : this.posts.values()) {
			post.drop(cause);
		}
		this.settled.tryEmitEmpty();
	}

	@Override
	public Mono<Void> termination() {
		return this.termination.asMono();
	}

	@Override
	public Mono<Void> closeGracefully() {
		return Mono.defer(() -> {
			TransportException cause = new TransportException("The connection was closed", null, null);
			if (this.end.compareAndSet(null, cause)) {
				drop(cause);
				endSession().then(Mono.defer(() -> this.pool.dispose(this.timer))).doFinally((signal) -> {
					this.termination.tryEmitEmpty();
					this.closed.tryEmitEmpty();
				}).subscribe();
			}
			else if (this.sessionLost) {
				settle(cause);
			}
			return this.closed.asMono();
		});
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
		return getClass().getSimpleName() + "[" + this.definition.target() + "]";
	}

}
