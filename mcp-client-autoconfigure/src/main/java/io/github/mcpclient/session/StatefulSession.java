package io.github.mcpclient.session;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicBoolean;

import io.modelcontextprotocol.spec.McpClientTransport;
import io.modelcontextprotocol.spec.McpError;
import io.modelcontextprotocol.spec.McpSchema;
import io.modelcontextprotocol.spec.McpSchema.InitializeRequest;
import io.modelcontextprotocol.spec.McpSchema.InitializeResult;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCMessage;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCNotification;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCRequest;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCResponse;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Mono;
import reactor.util.context.ContextView;

import org.springframework.util.Assert;

/**
 * A session of the revisions from 2024-11-05 to 2025-11-25: it begins with
 * {@code initialize}, and the server remembers it.
 */
final class StatefulSession implements McpSession {

	private static final Log logger = LogFactory.getLog(StatefulSession.class);

	private final McpClientTransport transport;

	private final SessionOptions options;

	private final SessionListener listener;

	private final Deadlines deadlines;

	private final RequestChannel channel;

	private final ServerMessages serverMessages;

	private final HandshakeReader handshakeReader;

	private final Lister lister;

	private final AtomicBoolean opened = new AtomicBoolean();

	private final Disposable.Swap connection = Disposables.swap();

	private volatile @Nullable InitializeResult server;

	StatefulSession(McpClientTransport transport, SessionOptions options, SessionListener listener, Deadlines deadlines,
			RequestChannel channel) {
		this.transport = transport;
		this.options = options;
		this.deadlines = deadlines;
		this.channel = channel;
		this.listener = listener;
		this.serverMessages = new ServerMessages(transport, channel, listener, options.serverName());
		this.handshakeReader = new HandshakeReader(transport);
		this.lister = new Lister(options, channel, deadlines, listener);
	}

	@Override
	public Mono<InitializeResult> open() {
		return Mono.deferContextual((context) -> {
			if (!this.opened.compareAndSet(false, true)) {
				return Mono.error(new IllegalStateException("The session was opened before"));
			}
			Throwable cause = this.channel.terminationCause();
			if (cause != null) {
				return Mono.error(cause);
			}
			Duration timeout = this.options.initializationTimeout();
			Mono<InitializeResult> handshake = this.deadlines.within(handshake(), timeout,
					() -> new SessionTimeoutException(McpSchema.METHOD_INITIALIZE, timeout));
			connect(context);
			return handshake.doOnCancel(this.connection::dispose);
		});
	}

	/**
	 * Connects. A transport may be connected as long as the subscription lasts, or only
	 * until it completes, and takes messages right away: so a failure is all that matters
	 * here, whenever it comes.
	 */
	private void connect(ContextView context) {
		try {
			this.connection.update(this.transport.connect((message) -> message.doOnNext(this::receive))
				.contextWrite(context)
				.subscribe((ignored) -> {
				}, this::terminate));
		}
		catch (Throwable ex) {
			terminate(ex);
		}
	}

	void terminate(Throwable cause) {
		terminate(cause, cause);
	}

	private Mono<InitializeResult> handshake() {
		List<String> versions = this.transport.protocolVersions();
		Assert.notEmpty(versions, "The transport names no protocol revision");
		String newest = versions.get(versions.size() - 1);
		return initialize(newest).onErrorResume(McpError.class, (refusal) -> initializeOtherwise(newest, refusal))
			.flatMap((result) -> {
				this.channel.negotiated(result.protocolVersion());
				return this.channel.notify(McpSchema.METHOD_NOTIFICATION_INITIALIZED).then(Mono.fromSupplier(() -> {
					this.server = result;
					this.channel.open();
					return result;
				}));
			});
	}

	private Mono<InitializeResult> initialize(String version) {
		InitializeRequest params = new InitializeRequest(version, this.options.capabilities(),
				this.options.clientInfo(), null);
		return this.channel.request(Call.of(McpSchema.METHOD_INITIALIZE, params,
				(transport, result) -> this.handshakeReader.read(result), this.options.initializationTimeout()));
	}

	/**
	 * A server should answer with a revision that it speaks. Some refuse, and name all of
	 * them.
	 */
	private Mono<InitializeResult> initializeOtherwise(String refused, McpError refusal) {
		List<String> supported = this.handshakeReader.supportedRevisions(refusal);
		if (supported.isEmpty()) {
			return Mono.error(refusal);
		}
		String version = this.handshakeReader.newestOf(supported, refused);
		return initialize(version).onErrorMap(McpError.class,
				(again) -> this.handshakeReader.supportedRevisions(again).isEmpty() ? again
						: this.handshakeReader.noCommonRevision(supported, ", but it refused " + version));
	}

	@Override
	public <T> Mono<List<T>> list(ItemKind<T> kind) {
		return Mono.defer(() -> this.lister.list(kind, this.server));
	}

	@Override
	public <T> Mono<T> request(Call<T> call) {
		return this.channel.request(call);
	}

	@Override
	public Mono<Void> ping(Duration timeout) {
		return this.channel.request(Call.of(McpSchema.METHOD_PING, null, (transport, result) -> true, timeout))
			.then()
			.onErrorComplete(McpError.class);
	}

	@Override
	public void terminate(Throwable cause, Throwable unsent) {
		this.channel.terminate(cause, unsent);
	}

	@Override
	public Mono<Void> close() {
		return Mono.defer(() -> {
			terminate(new CancellationException("The session was closed"));
			return this.transport.closeGracefully();
		}).doFinally((signal) -> this.connection.dispose());
	}

	SessionOptions options() {
		return this.options;
	}

	RequestChannel channel() {
		return this.channel;
	}

	@Override
	public int pendingCount() {
		return this.channel.pendingCount();
	}

	/**
	 * Takes a message from the transport. Never throws: a message that cannot be handled
	 * must not cost the connection.
	 */
	private void receive(JSONRPCMessage message) {
		if (this.channel.terminationCause() != null) {
			return;
		}
		try {
			this.listener.messageReceived();
			if (message instanceof JSONRPCResponse response) {
				this.channel.receive(response);
			}
			else if (message instanceof JSONRPCNotification notification) {
				this.serverMessages.receive(notification);
			}
			else if (message instanceof JSONRPCRequest request) {
				receive(request);
			}
		}
		catch (Throwable ex) {
			logger.debug("Could not handle a message of MCP server '" + this.options.serverName() + "'", ex);
		}
	}

	private void receive(JSONRPCRequest request) {
		if (McpSchema.METHOD_INITIALIZE.equals(request.method()) && this.server == null) {
			terminate(new SessionProtocolException("It echoes what it is sent, so it is not an MCP server"));
		}
		else {
			this.serverMessages.receive(request);
		}
	}

}
