package io.github.mcpclient.internal.transport.http;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

import io.github.mcpclient.McpServerDeviation.Kind;
import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.internal.support.LogKeys;
import io.github.mcpclient.internal.support.MessageHeaders;
import io.github.mcpclient.internal.support.ProtocolRevisions;
import io.github.mcpclient.internal.support.Secrets;
import io.github.mcpclient.internal.support.SendState;
import io.github.mcpclient.internal.transport.HeaderSources;
import io.github.mcpclient.internal.transport.MalformedMessageException;
import io.github.mcpclient.internal.transport.MessageReader;
import io.github.mcpclient.internal.transport.RequestHeaders;
import io.github.mcpclient.spi.SupervisedTransport;
import io.github.mcpclient.spi.TransportException;
import io.modelcontextprotocol.client.McpAsyncClient;
import io.modelcontextprotocol.json.TypeRef;
import io.modelcontextprotocol.spec.McpSchema;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCMessage;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCNotification;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCRequest;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCResponse;
import io.netty.handler.codec.http2.Http2StreamChannel;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;
import reactor.core.CoreSubscriber;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Operators;
import reactor.core.publisher.Sinks;
import reactor.netty.Connection;
import reactor.netty.http.client.HttpClient;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

import org.springframework.util.Assert;

/**
 * A transport over HTTP: connected once, retains pending requests, and ends once, with a
 * cause. The {@link McpHttpProtocol} defines how messages are POSTed and responses
 * arrive.
 *
 * <p>
 * A response may arrive on another stream than the one of its request, and a stream may
 * end before the response arrives. So the transport retains the pending requests
 * independently of their streams, and fails them when it ends itself:
 *
 * <pre class="code">
 * transport.connect(handler); // once: each message that arrives goes to the handler
 * transport.sendMessage(request); // open until the response has arrived on any stream
 * transport.termination(); // once, with the reason, when the transport is no longer usable
 * </pre>
 */
final class HttpTransport implements SupervisedTransport, HeaderSources.Target, SendState.Reporter,
		MessageHeaders.Carrier, SessionCheck.Session {

	private static final Logger logger = LoggerFactory.getLogger(HttpTransport.class);

	private static final AtomicReferenceFieldUpdater<HttpTransport, HttpEndpoint> ENDPOINT = AtomicReferenceFieldUpdater
		.newUpdater(HttpTransport.class, HttpEndpoint.class, "endpoint");

	// how long requests of a session that is lost may take to meet that by themselves
	private static final Duration SETTLING_TIMEOUT = Duration.ofSeconds(5);

	private final HttpSetup setup;

	private volatile HeaderSources headers;

	private volatile McpHttpProtocol protocol;

	// of messages that belong to no session
	private final StatelessProtocol stateless;

	private volatile HttpEndpoint endpoint;

	private final Map<Object, PostedMessage> posts = new ConcurrentHashMap<>();

	// why nothing can be sent any more; null as long as it can
	private final AtomicReference<@Nullable TransportException> end = new AtomicReference<>();

	private final Sinks.Empty<Void> termination = Sinks.empty();

	private final Sinks.Empty<Void> settled = Sinks.empty();

	private final Sinks.Empty<Void> closed = Sinks.empty();

	private final AtomicBoolean misplaced = new AtomicBoolean();

	private final AtomicReference<@Nullable Function<Mono<JSONRPCMessage>, Mono<JSONRPCMessage>>> handler = new AtomicReference<>();

	private volatile Runnable gapListener = () -> {
	};

	// the operation that messages wait for, if any
	private volatile @Nullable Mono<Void> opening;

	private volatile boolean sessionLost;

	private volatile boolean dropped;

	private volatile @Nullable String networkProtocolVersion;

	HttpTransport(HttpSetup setup, Function<HttpTransport, McpHttpProtocol> protocol) {
		HttpClient client = setup.pool()
			.client()
			.headers((headers) -> setup.http().headers().forEach(headers::set))
			.doOnResponse((response, connection) -> onResponse(connection));
		CookieJar cookies = setup.cookies();
		if (cookies != null) {
			client = client.doOnRequest((request, connection) -> cookies.addTo(request));
		}
		this.setup = setup.with(client);
		this.headers = setup.headers();
		this.endpoint = new HttpEndpoint(client, setup.http().url(), setup.definition().timeouts().request());
		this.protocol = protocol.apply(this);
		this.stateless = new StatelessProtocol(this);
	}

	HttpSetup setup() {
		return this.setup;
	}

	@Override
	public @Nullable String networkProtocolVersion() {
		return this.networkProtocolVersion;
	}

	// stays with the HTTP version of the connection; a response over HTTP/2 reports
	// HTTP/1.1
	private void onResponse(Connection connection) {
		boolean http2 = connection.channel() instanceof Http2StreamChannel;
		if (!http2 && this.networkProtocolVersion == null) {
			// calls that could share connections wait for the first one
			update(HttpEndpoint::withoutHttp2);
		}
		this.networkProtocolVersion = http2 ? "2" : "1.1";
	}

	@Override
	public void authorizeBy(HeaderSources headers) {
		this.headers = headers;
	}

	@Override
	public void onDeviation(BiConsumer<Kind, String> listener) {
		this.setup.reader().onDeviation(listener);
	}

	@Override
	public void skipNotificationsUnless(Predicate<String> wanted) {
		this.setup.reader().skipUnless(wanted);
	}

	McpHttpProtocol protocol() {
		return this.protocol;
	}

	@Override
	public Mono<Void> connect(Function<Mono<JSONRPCMessage>, Mono<JSONRPCMessage>> handler) {
		return Mono.defer(() -> {
			TransportException end = this.end.get();
			if (end != null) {
				return Mono.error(end.notSent());
			}
			return this.handler.compareAndSet(null, handler) ? this.protocol.open()
					: Mono.error(new IllegalStateException("The transport was connected before"));
		});
	}

	StatelessProtocol stateless() {
		return this.stateless;
	}

	@Override
	public Mono<Void> sendMessage(JSONRPCMessage message) {
		Mono<Void> opening = this.opening;
		Mono<Void> sent = (opening != null)
				? opening.onErrorMap(TransportException.class, TransportException::notSent).then(post(message))
				: post(message);
		if (message instanceof JSONRPCRequest request && McpSchema.METHOD_INITIALIZE.equals(request.method())) {
			return this.protocol.initialize(sent);
		}
		return (message instanceof JSONRPCNotification notification
				&& McpSchema.METHOD_NOTIFICATION_INITIALIZED.equals(notification.method()))
						? this.protocol.initialized(sent) : sent;
	}

	/**
	 * Have messages wait, or no longer.
	 */
	void holdUntil(@Nullable Mono<Void> opening) {
		this.opening = opening;
	}

	private Mono<Void> post(JSONRPCMessage message) {
		return this.headers.isEmpty(this.setup.definition()) ? posted(message, this::endpoint)
				: endpoint("POST").flatMap((ready) -> posted(message, (context) -> ready));
	}

	// not Mono.create: with many callers, each operator is a large part of the cost of a
	// call in
	// addition to its exchange
	private Mono<Void> posted(JSONRPCMessage message, Function<ContextView, HttpEndpoint> endpoint) {
		return new Mono<>() {

			@Override
			public void subscribe(CoreSubscriber<? super Void> sender) {
				PostedMessage post;
				try {
					post = prepare(message, endpoint, sender);
				}
				catch (RuntimeException ex) {
					Operators.error(sender, ex);
					return;
				}
				sender.onSubscribe(post);
				post(post);
			}

		};
	}

	private PostedMessage prepare(JSONRPCMessage message, Function<ContextView, HttpEndpoint> endpoint,
			CoreSubscriber<? super Void> sender) {
		Context context = sender.currentContext();
		if (context.hasKey(SendState.class)) {
			int connections = this.setup.pool().client().configuration().connectionProvider().maxConnections();
			// one is for the event stream
			SendState.queued(context, connections > 0 && this.posts.size() + 1 >= connections);
		}
		Assert.state(this.handler.get() != null, "The transport is not connected");
		return new PostedMessage(this, endpoint.apply(context), message, sender);
	}

	private void post(PostedMessage post) {
		this.posts.put(post.key(), post);
		TransportException end = this.end.get();
		if (end != null) {
			post.fail(end.notSent());
			return;
		}
		// from here on, the end of the transport finds it among the pending messages
		SendState.sent(post.context());
		post.start();
	}

	void remove(PostedMessage post) {
		this.posts.remove(post.key(), post);
		settleIfIdle();
	}

	/**
	 * A message arrived, in so many bytes, on a stream that is not the response to a
	 * request.
	 */
	void receive(JSONRPCMessage message, int size) {
		PostedMessage request = (message instanceof JSONRPCResponse response) ? request(response.id()) : null;
		if (request != null) {
			request.answeredElsewhere((JSONRPCResponse) message, size);
		}
		else {
			deliver(message);
		}
	}

	private @Nullable PostedMessage request(@Nullable Object id) {
		return this.posts.get(String.valueOf(id));
	}

	/**
	 * A message on such a stream is not read: if it is a response, its request fails.
	 */
	void unreadable(byte[] json, TransportException failure) {
		MalformedMessageException malformed = (failure instanceof MalformedMessageException ex) ? ex : null;
		PostedMessage request = request(
				(malformed != null) ? malformed.getAnswered() : MessageReader.answered(json, 0, json.length));
		if (request != null && malformed != null) {
			request.malformed(malformed);
		}
		else if (request != null) {
			request.fail(failure);
		}
	}

	boolean isPending(@Nullable Object id) {
		return request(id) != null;
	}

	int pending() {
		return this.posts.size();
	}

	/**
	 * The response to a request holds the response to another one, whose result is
	 * ignored: it may belong to another client.
	 */
	void misplaced() {
		logger.atLevel(this.misplaced.getAndSet(true) ? Level.DEBUG : Level.WARN)
			.addKeyValue(LogKeys.SERVER, this.setup.serverName())
			.addKeyValue(LogKeys.TRANSPORT, McpServerDefinition.STREAMABLE_HTTP)
			.log("MCP server '{}' sent the response to one request in the HTTP response to another one. Results of such"
					+ " responses are ignored; further ones are logged at level DEBUG.", this.setup.serverName());
	}

	/**
	 * Continue with a protocol that the server may support.
	 */
	Mono<Void> switchTo(McpHttpProtocol other) {
		this.protocol = other;
		TransportException end = this.end.get();
		return (end != null) ? Mono.error(end.notSent()) : other.open();
	}

	@Override
	public @Nullable String type() {
		return this.protocol.type();
	}

	HttpEndpoint endpoint() {
		return this.endpoint;
	}

	// the session sets the protocol version of each message
	private HttpEndpoint endpoint(ContextView context) {
		HttpEndpoint endpoint = this.endpoint;
		String version = context.getOrDefault(McpAsyncClient.NEGOTIATED_PROTOCOL_VERSION, null);
		return (version == null || version.equals(endpoint.protocolVersion())) ? endpoint
				: update((other) -> other.withProtocolVersion(version));
	}

	/**
	 * Return the endpoint with the headers that the application provides for the next
	 * request.
	 * @param method the HTTP method of that request
	 */
	Mono<HttpEndpoint> endpoint(String method) {
		if (this.headers.isEmpty(this.setup.definition())) {
			return Mono.fromSupplier(this::endpoint);
		}
		return Mono.deferContextual((context) -> {
			SendState.queued(context, true);
			return this.setup.validated(this.headers.get(this.setup.definition(), method))
				.map((headers) -> endpoint(context).with(headers));
		});
	}

	/**
	 * Return the credentials of all requests that the server may be responding to, in
	 * addition to the configured ones.
	 * @param own the headers of a request that is not a POST
	 */
	Secrets credentials(RequestHeaders own) {
		Secrets session = this.setup.session();
		return this.headers.isEmpty(this.setup.definition()) ? session
				: session.and(RequestHeaders.credentials(Stream.concat(Stream.of(own),
						this.posts.values().stream().map((post) -> post.exchange().endpoint().provided()))));
	}

	HeaderSources headers() {
		return this.headers;
	}

	HttpEndpoint update(UnaryOperator<HttpEndpoint> change) {
		ENDPOINT.updateAndGet(this, change);
		return this.endpoint;
	}

	void deliver(JSONRPCMessage message) {
		deliver(message, Context.empty());
	}

	/**
	 * Deliver a message, with the context of the call that led to it.
	 */
	void deliver(JSONRPCMessage message, ContextView call) {
		Function<Mono<JSONRPCMessage>, Mono<JSONRPCMessage>> handler = this.handler.get();
		if (handler == null || this.dropped) {
			return;
		}
		try {
			handler.apply(Mono.just(message)).subscribe(null, this.setup.reader()::defect, null, Context.of(call));
		}
		catch (Throwable ex) {
			// the code of a caller may run there, and must not cost the stream
			this.setup.reader().defect(ex);
		}
	}

	@Override
	public void onGap(Runnable listener) {
		this.gapListener = listener;
	}

	void gap() {
		this.gapListener.run();
	}

	/**
	 * End the transport if an exchange failed because nothing listens at the server's
	 * address any more.
	 * @param first the task to run before all other pending requests fail
	 */
	boolean terminateIfGone(Throwable failure, Runnable first) {
		if (!HttpFailures.isServerGone(failure)) {
			return false;
		}
		TransportException cause = this.setup.failures().exchange(failure);
		terminate(new TransportException(String.valueOf(cause.getMessage()), cause.getNextStep(), failure), first);
		return true;
	}

	/**
	 * End the transport, unless it has ended, and fail all that is pending, with a cause
	 * that is possibly processed.
	 */
	void terminate(TransportException cause) {
		terminate(cause, () -> {
		});
	}

	private void terminate(TransportException cause, Runnable first) {
		boolean ended = this.end.compareAndSet(null, cause);
		first.run();
		if (ended) {
			settle(cause);
			this.termination.tryEmitError(this.protocol.word(cause));
		}
	}

	/**
	 * End the transport, unless it has ended, because the server does not know the
	 * session any more. Other pending requests have a moment to be refused, or to
	 * complete, by themselves.
	 * @param first the task to run once nothing can be sent any more
	 */
	@Override
	public void sessionLost(TransportException cause, Runnable first) {
		// before any observer is notified of it, and may close the transport
		this.sessionLost = true;
		boolean ended = this.end.compareAndSet(null, cause);
		first.run();
		if (!ended) {
			return;
		}
		this.protocol.closeStream(cause);
		this.termination.tryEmitError(cause);
		Disposable timeout = this.setup.timer()
			.schedule(() -> settle(cause), SETTLING_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
		this.settled.asMono().subscribe(null, null, timeout::dispose);
		settleIfIdle();
	}

	@Override
	public boolean isSessionLost() {
		return this.sessionLost;
	}

	@Override
	public String mask(String text) {
		return this.protocol.mask(text);
	}

	@Override
	public boolean hasBegun() {
		return this.endpoint.protocolVersion() != null;
	}

	private void settleIfIdle() {
		TransportException end = this.end.get();
		if (this.sessionLost && !this.dropped && end != null
				&& this.posts.values().stream().allMatch(PostedMessage::isStanding)) {
			settle(end);
		}
	}

	private void settle(TransportException cause) {
		drop(cause);
		this.setup.pool().dispose(this.setup.timer()).subscribe();
		this.closed.tryEmitEmpty();
	}

	private void drop(TransportException cause) {
		this.protocol.closeStream(cause);
		this.dropped = true;
		this.posts.values().forEach((post) -> post.drop(cause));
		this.settled.tryEmitEmpty();
	}

	@Override
	public boolean hasEnded() {
		return this.end.get() != null;
	}

	@Override
	public Mono<Void> settled() {
		return hasEnded() ? this.settled.asMono() : Mono.empty();
	}

	@Override
	public Mono<Void> termination() {
		return this.termination.asMono();
	}

	@Override
	public Mono<Void> closeGracefully() {
		return Mono.defer(() -> {
			TransportException cause = new TransportException("The connection was closed",
					"The application is stopping, the server was removed, replaced, disabled or reconnected, or the"
							+ " connection of its user has ended.",
					null);
			if (this.end.compareAndSet(null, cause)) {
				drop(cause);
				Mono<Void> disposed = Mono.defer(() -> this.setup.pool().dispose(this.setup.timer()));
				this.protocol.endSession().then(disposed).doFinally((signal) -> {
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
		return this.setup.codec().unmarshal(data, type);
	}

	@Override
	public List<String> protocolVersions() {
		return McpServerDefinition.SSE.equals(this.setup.definition().type()) ? ProtocolRevisions.STATEFUL
				: ProtocolRevisions.ALL;
	}

	@Override
	public String toString() {
		return "HttpTransport[" + this.setup.definition().target() + "]";
	}

}
