package io.github.mcpclient.internal.session;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicBoolean;

import io.github.mcpclient.McpServerDeviation;
import io.github.mcpclient.event.McpServerNotification;
import io.github.mcpclient.internal.support.Printable;
import io.github.mcpclient.internal.transport.McpServerSecrets;
import io.modelcontextprotocol.spec.McpClientTransport;
import io.modelcontextprotocol.spec.McpSchema;
import io.modelcontextprotocol.spec.McpSchema.ClientCapabilities;
import io.modelcontextprotocol.spec.McpSchema.ElicitationCompleteNotification;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCMessage;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCNotification;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCRequest;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCResponse;
import io.modelcontextprotocol.spec.McpSchema.LoggingLevel;
import io.modelcontextprotocol.spec.McpSchema.LoggingMessageNotification;
import io.modelcontextprotocol.spec.McpSchema.Notification;
import io.modelcontextprotocol.spec.McpSchema.ProgressNotification;
import io.modelcontextprotocol.spec.McpSchema.ResourcesUpdatedNotification;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Signal;
import reactor.util.context.ContextView;
import tools.jackson.core.JacksonException;

import org.springframework.util.Assert;

/**
 * A session over one transport, of the {@link Era} that is detected for the server.
 *
 * <p>
 * It does not retry: a session that has failed remains failed, and its owner makes
 * another one.
 *
 * <pre class="code">
 * session.open() // the handshake, which detects the era, and returns the description of the server
 * 	.then(session.request(Call.tool(...)))
 * 	.doFinally((signal) -&gt; session.close().subscribe());
 * </pre>
 */
final class Session implements McpSession {

	static final int MAX_LOG_TEXT = 2000;

	private static final Logger logger = LoggerFactory.getLogger(Session.class);

	private static final int MAX_NAME = 100;

	private static final Set<String> HANDSHAKES = Set.of(McpSchema.METHOD_INITIALIZE, ProtocolNames.DISCOVER);

	private static final Map<String, ItemKind<?>> CHANGES = Map.of(McpSchema.METHOD_NOTIFICATION_TOOLS_LIST_CHANGED,
			ItemKind.TOOLS, McpSchema.METHOD_NOTIFICATION_PROMPTS_LIST_CHANGED, ItemKind.PROMPTS,
			McpSchema.METHOD_NOTIFICATION_RESOURCES_LIST_CHANGED, ItemKind.RESOURCES);

	private final McpClientTransport transport;

	private final SessionOptions options;

	private final McpSession.Listener listener;

	private final RequestChannel channel;

	private final Lister lister;

	private final LegacyEra legacy;

	private final StatelessEra stateless;

	private volatile Era era;

	private final AtomicBoolean opened = new AtomicBoolean();

	private final Disposable.Swap connection = Disposables.swap();

	private volatile @Nullable EraDetection detection;

	private volatile @Nullable ServerDescription server;

	Session(McpClientTransport transport, SessionOptions options, McpSession.Listener listener,
			RequestChannel channel) {
		this.transport = transport;
		this.options = options;
		this.channel = channel;
		this.listener = listener;
		this.lister = new Lister(options, this, channel, listener);
		IncomingRequests incoming = new IncomingRequests(options.requests(), channel, options.serverName());
		this.legacy = new LegacyEra(this, transport, options, listener, channel, incoming);
		this.stateless = new StatelessEra(this, transport, options, listener, channel, incoming);
		this.era = this.legacy;
	}

	@Override
	public Mono<ServerDescription> open() {
		return Mono.deferContextual((context) -> {
			if (!this.opened.compareAndSet(false, true)) {
				return Mono.error(new IllegalStateException("The session was opened before"));
			}
			Throwable cause = this.channel.terminationCause();
			if (cause != null) {
				return Mono.error(cause);
			}
			Assert.notEmpty(this.transport.protocolVersions(), "The transport has no protocol version");
			EraDetection detection = new EraDetection(this.options, this.transport, this.channel.scheduler(),
					this.legacy, this.stateless, this.listener);
			this.detection = detection;
			// here, since it runs application code
			ClientCapabilities capabilities = capabilities();
			this.legacy.declare(capabilities);
			this.stateless.declare(capabilities);
			Mono<ServerDescription> handshake = this.channel
				.within(detection.open((era) -> this.era = era), this.options.initializationTimeout(), HANDSHAKE)
				.onErrorMap(SessionTimeoutException.class,
						(late) -> new SessionTimeoutException(handshake(), late.getTimeout()))
				.map((server) -> server.masked(McpServerSecrets.of(this.options.definition()).withoutShort()))
				.doOnNext(this::opened)
				.delayUntil((server) -> this.era.opened(server));
			connect(context);
			return handshake.doOnCancel(this.connection::dispose);
		});
	}

	// Connects. A transport takes messages right away, and may complete at once or when
	// it is closed: only a failure matters here, whenever it comes.
	private void connect(ContextView context) {
		try {
			this.connection.update(this.transport.connect((message) -> message.doOnEach(this::receive))
				.contextWrite(context)
				.subscribe((ignored) -> {
				}, this::terminate));
		}
		catch (Throwable ex) {
			terminate(ex);
		}
	}

	private void opened(ServerDescription server) {
		this.server = server;
		if (this.era != this.stateless) {
			this.stateless.forget();
		}
		this.channel.open();
	}

	private ClientCapabilities capabilities() {
		ClientCapabilities.Builder capabilities = ClientCapabilities.builder();
		Map<String, Object> experimental = this.options.definition().experimentalCapabilities();
		if (!experimental.isEmpty()) {
			capabilities.experimental(experimental);
		}
		this.options.requests().declare(capabilities);
		return capabilities.build();
	}

	Era era() {
		return this.era;
	}

	void terminate(Throwable cause) {
		terminate(cause, cause);
	}

	@Override
	public <T> Mono<List<T>> list(ItemKind<T> kind) {
		return Mono.defer(() -> this.lister.list(kind, this.server));
	}

	@Override
	public <T> Mono<T> request(Call<T> call) {
		return this.era.request(call);
	}

	@Override
	public Mono<Void> renew() {
		ServerDescription server = this.server;
		Assert.state(server != null, "Not open");
		return this.era.renew(server);
	}

	@Override
	public Mono<Void> ping(Duration timeout) {
		return Mono.defer(() -> this.era.ping(timeout));
	}

	@Override
	public void terminate(Throwable cause, Throwable unsent) {
		this.channel.terminate(cause, unsent);
		this.legacy.terminate();
		this.stateless.terminate();
	}

	@Override
	public Mono<Void> close() {
		return Mono.defer(() -> {
			terminate(new CancellationException("The session was closed"));
			return this.transport.closeGracefully();
		}).doFinally((signal) -> this.connection.dispose());
	}

	RequestChannel channel() {
		return this.channel;
	}

	@Override
	public String handshake() {
		EraDetection detection = this.detection;
		String pending = (detection != null) ? detection.pending() : null;
		return (pending != null) ? pending : this.options.firstRequest();
	}

	@Override
	public boolean isProbing() {
		EraDetection detection = this.detection;
		return detection != null && detection.isProbing();
	}

	@Override
	public int pendingCount() {
		return this.channel.pendingCount();
	}

	// Receives a message of the transport. A message that cannot be handled must not end
	// the connection.
	private void receive(Signal<JSONRPCMessage> signal) {
		JSONRPCMessage message = signal.get();
		if (message == null || this.channel.terminationCause() != null) {
			return;
		}
		this.channel.received(message);
		try {
			this.listener.messageReceived();
			if (message instanceof JSONRPCResponse response) {
				if (!this.channel.receive(response)) {
					this.listener.deviation(McpServerDeviation.Kind.UNKNOWN_ID, "'" + response.id() + "'");
				}
			}
			else if (message instanceof JSONRPCNotification notification) {
				receive(notification);
			}
			else if (message instanceof JSONRPCRequest request) {
				receive(request, signal.getContextView());
			}
		}
		catch (SessionProtocolException | JacksonException | IllegalArgumentException ex) {
			logger.debug("Could not handle a message of MCP server '{}'", this.options.serverName(), ex);
			this.listener.failed(ex);
		}
		catch (Throwable ex) {
			this.listener.failed(this.channel.defect(ex));
		}
	}

	private void receive(JSONRPCRequest request, ContextView call) {
		if (HANDSHAKES.contains(request.method()) && this.server == null) {
			terminate(new SessionProtocolException("The server echoes each message, so it is not an MCP server"));
			return;
		}
		this.era.receive(request, call);
	}

	private void receive(JSONRPCNotification notification) {
		String method = notification.method();
		Map<String, Object> params = params(notification);
		if (!this.era.receive(method, params)) {
			return;
		}
		ItemKind<?> changed = CHANGES.get(method);
		if (changed != null) {
			this.listener.listChanged(changed);
		}
		Notification typed = switch (method) {
			case McpSchema.METHOD_NOTIFICATION_PROGRESS -> progress(params);
			case McpSchema.METHOD_NOTIFICATION_MESSAGE -> log(params);
			case McpSchema.METHOD_NOTIFICATION_RESOURCES_UPDATED ->
				(params.get("uri") instanceof String uri && this.options.replayed().isSubscribed(uri))
						? new ResourcesUpdatedNotification(uri, Json.objectOrNull(params.get("_meta"))) : null;
			case McpSchema.METHOD_NOTIFICATION_ELICITATION_COMPLETE -> completed(params);
			default -> null;
		};
		if (typed == null && changed == null) {
			logger.debug("Notification {} of MCP server '{}' is unknown, malformed or unsolicited",
					Printable.line(method, MAX_NAME), this.options.serverName());
		}
		String tool = (typed instanceof ProgressNotification progress) ? this.channel.receive(progress) : null;
		this.listener.notified(new McpServerNotification(this.options.serverName(), method, params, typed, tool));
	}

	private Map<String, Object> params(JSONRPCNotification notification) {
		Object params = notification.params();
		return (params != null) ? Json.object(this.transport, params, "A notification") : Map.of();
	}

	private static @Nullable ProgressNotification progress(Map<String, Object> params) {
		Object token = params.get("progressToken");
		return (token == null || !(params.get("progress") instanceof Number progress)) ? null
				: new ProgressNotification(token, progress.doubleValue(),
						(params.get("total") instanceof Number total) ? total.doubleValue() : null,
						(params.get("message") instanceof String message) ? message : null,
						Json.objectOrNull(params.get("_meta")));
	}

	private @Nullable Notification completed(Map<String, Object> params) {
		if (!(params.get("elicitationId") instanceof String id)) {
			return null;
		}
		this.options.requests().completed(id);
		return new ElicitationCompleteNotification(id, Json.objectOrNull(params.get("_meta")));
	}

	private LoggingMessageNotification log(Map<String, Object> params) {
		LoggingLevel known = (params.get("level") instanceof String name) ? LoggingLevel.fromValue(name) : null;
		LoggingLevel level = (known != null) ? known : LoggingLevel.INFO;
		String source = (params.get("logger") instanceof String name) ? name : null;
		Object data = params.get("data");
		String text = (data != null) ? Json.text(data) : "";
		this.listener.log(level, (source != null) ? Printable.line(source, MAX_NAME) : null,
				Printable.line(text, MAX_LOG_TEXT));
		return new LoggingMessageNotification(level, source, text, Json.objectOrNull(params.get("_meta")));
	}

}
