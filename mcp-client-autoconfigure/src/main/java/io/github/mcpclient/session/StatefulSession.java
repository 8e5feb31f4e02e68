package io.github.mcpclient.session;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;

import io.modelcontextprotocol.spec.McpClientTransport;
import io.modelcontextprotocol.spec.McpError;
import io.modelcontextprotocol.spec.McpSchema;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.CompleteRequest;
import io.modelcontextprotocol.spec.McpSchema.CompleteResult;
import io.modelcontextprotocol.spec.McpSchema.GetPromptRequest;
import io.modelcontextprotocol.spec.McpSchema.GetPromptResult;
import io.modelcontextprotocol.spec.McpSchema.InitializeRequest;
import io.modelcontextprotocol.spec.McpSchema.InitializeResult;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCMessage;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCNotification;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCRequest;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCResponse;
import io.modelcontextprotocol.spec.McpSchema.Prompt;
import io.modelcontextprotocol.spec.McpSchema.ReadResourceRequest;
import io.modelcontextprotocol.spec.McpSchema.ReadResourceResult;
import io.modelcontextprotocol.spec.McpSchema.Resource;
import io.modelcontextprotocol.spec.McpSchema.ResourceTemplate;
import io.modelcontextprotocol.spec.McpSchema.Tool;
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

	private final Alarm alarm;

	private final RequestChannel channel;

	private final ServerMessages serverMessages;

	private final ToolResultReader toolResultReader;

	private final AnswerReader answerReader;

	private final HandshakeReader handshakeReader;

	private final Listings listings;

	private final AtomicBoolean opened = new AtomicBoolean();

	private final Disposable.Swap connection = Disposables.swap();

	private volatile @Nullable InitializeResult server;

	StatefulSession(McpClientTransport transport, SessionOptions options, SessionListener listener, Alarm alarm,
			RequestChannel channel) {
		this.transport = transport;
		this.options = options;
		this.alarm = alarm;
		this.channel = channel;
		this.listener = listener;
		this.serverMessages = new ServerMessages(transport, channel, listener, options.serverName());
		this.toolResultReader = new ToolResultReader(transport);
		this.answerReader = new AnswerReader(transport);
		this.handshakeReader = new HandshakeReader(transport);
		this.listings = new Listings(options, transport, channel, alarm, listener);
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
			Mono<InitializeResult> handshake = this.alarm.within(handshake(), timeout,
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
		return this.channel.request(new Request<>(McpSchema.METHOD_INITIALIZE, null, (id) -> params,
				this.handshakeReader::read, CallOptions.of(this.options.initializationTimeout()), true));
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
	public Mono<List<Tool>> listTools() {
		return Mono.defer(() -> this.listings.tools(this.server));
	}

	@Override
	public Mono<List<Prompt>> listPrompts() {
		return Mono.defer(() -> this.listings.prompts(this.server));
	}

	@Override
	public Mono<List<Resource>> listResources() {
		return Mono.defer(() -> this.listings.resources(this.server));
	}

	@Override
	public Mono<List<ResourceTemplate>> listResourceTemplates() {
		return Mono.defer(() -> this.listings.resourceTemplates(this.server));
	}

	@Override
	public Mono<CallToolResult> callTool(CallToolRequest request, CallOptions options) {
		return this.channel.request(new Request<>(McpSchema.METHOD_TOOLS_CALL, request.name(),
				(id) -> options.wantsProgress() ? withProgressToken(request, id) : request, this.toolResultReader::read,
				options, false));
	}

	private static CallToolRequest withProgressToken(CallToolRequest request, long id) {
		Map<String, Object> meta = new LinkedHashMap<>();
		if (request.meta() != null) {
			meta.putAll(request.meta());
		}
		meta.put("progressToken", id);
		return new CallToolRequest(request.name(), request.arguments(), meta);
	}

	@Override
	public Mono<GetPromptResult> getPrompt(GetPromptRequest request, CallOptions options) {
		return request(McpSchema.METHOD_PROMPT_GET, request.name(), request, this.answerReader::readPrompt, options);
	}

	@Override
	public Mono<ReadResourceResult> readResource(ReadResourceRequest request, CallOptions options) {
		return request(McpSchema.METHOD_RESOURCES_READ, request.uri(), request, this.answerReader::readResource,
				options);
	}

	@Override
	public Mono<CompleteResult> complete(CompleteRequest request, CallOptions options) {
		return request(McpSchema.METHOD_COMPLETION_COMPLETE, null, request, this.answerReader::readCompletion, options);
	}

	@Override
	public Mono<Void> ping(Duration timeout) {
		return request(McpSchema.METHOD_PING, null, null, (result) -> true, CallOptions.of(timeout)).then()
			.onErrorComplete(McpError.class);
	}

	private <T> Mono<T> request(String method, @Nullable String subject, @Nullable Object params,
			Function<Object, T> reader, CallOptions options) {
		return this.channel.request(new Request<>(method, subject, (id) -> params, reader, options, false));
	}

	@Override
	public void terminate(Throwable cause, Throwable unsent) {
		this.channel.terminate(cause, unsent);
	}

	@Override
	public Mono<Void> close() {
		return Mono.defer(() -> {
			terminate(new SessionClosedException());
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
