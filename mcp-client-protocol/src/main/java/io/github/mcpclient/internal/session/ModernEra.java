package io.github.mcpclient.internal.session;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;

import io.github.mcpclient.internal.support.MessageHeaders;
import io.github.mcpclient.internal.support.Printable;
import io.github.mcpclient.internal.support.ProtocolRevisions;
import io.github.mcpclient.internal.support.ProtocolRevisions.Refusal;
import io.github.mcpclient.spi.TransportException;
import io.modelcontextprotocol.spec.McpClientTransport;
import io.modelcontextprotocol.spec.McpError;
import io.modelcontextprotocol.spec.McpSchema;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.ClientCapabilities;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCRequest;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCResponse.JSONRPCError;
import io.modelcontextprotocol.spec.McpSchema.LoggingLevel;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;
import reactor.util.context.Context;
import reactor.util.context.ContextView;
import tools.jackson.databind.JsonNode;

/**
 * The stateless protocol (from 2026-07-28 on): each request has all that the server needs
 * to respond to it, and the server remembers nothing.
 */
final class ModernEra implements Era, WireFormat {

	private static final int MAX_TEXT = 500;

	// the limit of servers and proxies, which also limit all headers of a request
	// together
	private static final int LONGEST_HEADER = 4096;

	// between two listings that servers cause by refusing headers
	private static final Duration PACE = Duration.ofSeconds(5);

	private static final Logger logger = LoggerFactory.getLogger(ModernEra.class);

	private final McpSession session;

	private final McpClientTransport transport;

	private final SessionOptions options;

	private final McpSession.Listener listener;

	private final RequestChannel channel;

	private final HandshakeReader reader;

	private final ListenSubscription listening;

	private final MultiRoundTripRequests roundTrips;

	// prepared once, as each request has it
	private volatile Map<String, Object> meta = Map.of();

	private volatile Mono<Void> listing = Mono.empty();

	private volatile @Nullable Long listedAgain;

	// of the latest list
	private volatile ToolHeaders toolHeaders = new ToolHeaders(List.of());

	ModernEra(McpSession session, McpClientTransport transport, SessionOptions options, McpSession.Listener listener,
			RequestChannel channel, IncomingRequests incoming) {
		this.session = session;
		this.transport = transport;
		this.listener = listener;
		this.options = options;
		this.channel = channel;
		this.reader = new HandshakeReader(transport, transport.protocolVersions(), options.definition().protocol(),
				listener);
		this.roundTrips = new MultiRoundTripRequests(channel, this, incoming);
		this.listening = new ListenSubscription(options, listener, channel, this);
	}

	/**
	 * Set the capabilities that the client declares.
	 */
	void declare(ClientCapabilities capabilities) {
		Map<String, Object> meta = new LinkedHashMap<>();
		meta.put(ProtocolNames.PREFIX + "protocolVersion", ProtocolRevisions.STATELESS);
		meta.put(ProtocolNames.PREFIX + "clientInfo",
				new PreparedObject(Json.object(this.transport, this.options.clientInfo(), "The client's info")));
		Map<String, Object> declared = new LinkedHashMap<>(
				Json.object(this.transport, capabilities, "The client's capabilities"));
		declared.put("extensions", Map.of(ProtocolNames.PREFIX + "tasks", Map.of()));
		meta.put(ProtocolNames.PREFIX + "clientCapabilities", new PreparedObject(declared));
		this.meta = new PreparedObject(meta);
	}

	/**
	 * Forget the declarations of the client, as the server supports another era.
	 */
	void forget() {
		this.meta = Map.of();
	}

	@Override
	public Mono<ServerDescription> open() {
		return discover().doOnNext(this::begin);
	}

	/**
	 * Request the protocol versions of the server.
	 */
	Mono<ServerDescription> discover() {
		Mono<ServerDescription> discovered = discover((result) -> {
			MultiRoundTripRequests.requireComplete(ResultReader.type(result), ProtocolNames.DISCOVER);
			return this.reader.readDiscovery(result);
		}, this.options.initializationTimeout());
		return discovered
			// it may have meant another instance, or another message
			.onErrorResume(McpError.class,
					(refusal) -> this.reader.supportedRevisions(refusal).contains(ProtocolRevisions.STATELESS)
							? discovered : Mono.error(refusal))
			.onErrorMap(McpError.class, this::explained);
	}

	/**
	 * Begin to use a server that has responded.
	 */
	void begin(ServerDescription server) {
		this.channel.negotiated(server.protocolVersion());
		this.options.results().opened(server, this.options.replayed()::isSubscribed);
		LoggingLevel level = server.offers("logging") ? this.options.definition().loggingLevel() : null;
		if (level != null) {
			Map<String, Object> meta = new LinkedHashMap<>(this.meta);
			meta.put(ProtocolNames.PREFIX + "logLevel", level.name().toLowerCase(Locale.ROOT));
			this.meta = new PreparedObject(meta);
		}
	}

	private Throwable explained(McpError refusal) {
		String text = Printable.line(refusal.getJsonRpcError().message(), MAX_TEXT);
		return switch (refusal.getJsonRpcError().code()) {
			case Refusal.HEADER_MISMATCH -> new SessionProtocolException(
					"The server did not receive the headers of " + ProtocolNames.DISCOVER + " unchanged: " + text,
					"A proxy may drop headers that begin with Mcp-: configure it to forward them.", refusal);
			case Refusal.MISSING_CAPABILITY -> new SessionProtocolException(
					"The server requires a capability that the client does not declare: " + text,
					"Add a handler for it to your application, such as an elicitation handler.", refusal);
			case Refusal.UNSUPPORTED -> {
				List<String> supported = this.reader.supportedRevisions(refusal);
				yield supported.isEmpty() ? refusal
						: this.reader.noCommonRevision(supported, supported.contains(ProtocolRevisions.STATELESS)
								? ", but the server refused " + ProtocolRevisions.STATELESS : "");
			}
			default -> refusal;
		};
	}

	private <T> Mono<T> discover(Function<Object, T> reader, Duration timeout) {
		return this.channel.request(
				Call.of(ProtocolNames.DISCOVER, null, null, (transport, result) -> reader.apply(result), timeout),
				this);
	}

	@Override
	public <T> Mono<T> request(Call<T> call) {
		return switch (call.method()) {
			case McpSchema.METHOD_RESOURCES_SUBSCRIBE, McpSchema.METHOD_RESOURCES_UNSUBSCRIBE ->
				this.listening.update(call);
			case McpSchema.METHOD_TOOLS_CALL -> isCarrier() ? withHeaders(call) : this.roundTrips.request(call);
			default -> Mono.deferContextual((context) -> {
				ResultCache.Place place = this.options.results().place(call.method(), call.params(), context);
				return (place != null) ? request(call, place) : this.roundTrips.request(call);
			});
		};
	}

	private <T> Mono<T> request(Call<T> call, ResultCache.Place place) {
		JsonNode known = (this.channel.terminationCause() == null) ? place.find(this.channel.nanoTime()) : null;
		return (known != null)
				? Mono.fromCallable(() -> call.reader().apply(this.transport, known))
					.subscribeOn(this.channel.scheduler())
				: this.roundTrips.request(call, (result) -> place.keep(result, this.channel.nanoTime()));
	}

	// the schema that defines which arguments are headers may have changed
	private <T> Mono<T> withHeaders(Call<T> call) {
		if (!call.options().hasBegun()) {
			return Mono.defer(() -> withHeaders(call.begin(this.channel.scheduler())));
		}
		ParamHeaders used = this.toolHeaders.ofArguments(call.subject());
		return this.roundTrips.request(call)
			.onErrorResume(ModernEra::isHeaderMismatch,
					(refusal) -> listed(call, used).then(Mono.defer(() -> again(call, refusal))));
	}

	private static boolean isHeaderMismatch(Throwable failure) {
		return failure instanceof McpError error && error.getJsonRpcError().code() == Refusal.HEADER_MISMATCH;
	}

	private <T> Mono<T> again(Call<T> call, Throwable refused) {
		if (call.options().isExpired()) {
			return Mono.error(refused);
		}
		RuntimeException refusal = call.options().check().beforeSend();
		return (refusal != null) ? Mono.error(refusal) : this.roundTrips.request(call);
	}

	// completes once the tools were listed again, which calls share, unless the call has
	// other headers now
	private Mono<Void> listed(Call<?> call, @Nullable ParamHeaders used) {
		if (call.options().isExpired()) {
			return Mono.empty();
		}
		long now = this.channel.nanoTime();
		Long last = this.listedAgain;
		if (Objects.equals(used, this.toolHeaders.ofArguments(call.subject()))
				&& (last == null || now - last > PACE.toNanos())) {
			this.listedAgain = now;
			this.options.results().drop(ItemKind.TOOLS);
			this.listing = this.session.list(ItemKind.TOOLS)
				.doOnNext((tools) -> this.listener.listChanged(ItemKind.TOOLS))
				.then()
				.cache();
		}
		return this.channel.within(this.listing, call.options().remaining(), ItemKind.TOOLS.method()).onErrorComplete();
	}

	@Override
	public Mono<Void> opened(ServerDescription server) {
		return this.listening.open(server);
	}

	@Override
	public Mono<Void> renew(ServerDescription server) {
		return Mono.empty();
	}

	@Override
	public Mono<Void> ping(Duration timeout) {
		return discover((result) -> true, timeout)
			.onErrorMap(SessionTimeoutException.class, (ex) -> new SessionTimeoutException(McpSession.PING, timeout))
			.then()
			.onErrorComplete(McpError.class);
	}

	@Override
	public void receive(JSONRPCRequest request, ContextView call) {
		logger.debug("Ignored a request of MCP server '{}': its protocol version has no such requests",
				this.options.serverName());
	}

	@Override
	public boolean receive(String method, Map<String, Object> params) {
		boolean heeded = this.listening.receive(method, params);
		if (heeded) {
			this.options.results().announced(method, params);
		}
		return heeded;
	}

	@Override
	public boolean hasEmptyCursors() {
		return true;
	}

	@Override
	public @Nullable String problem(ItemKind<?> kind, Map<String, Object> item) {
		return (kind == ItemKind.TOOLS && isCarrier()) ? ParamHeaders.problem(item.get("inputSchema")) : null;
	}

	@Override
	public void listed(ItemKind<?> kind, List<?> items) {
		if (kind == ItemKind.TOOLS && isCarrier()) {
			this.toolHeaders = new ToolHeaders(items);
		}
	}

	private boolean isCarrier() {
		return this.transport instanceof MessageHeaders.Carrier;
	}

	@Override
	public Map<String, Object> meta() {
		return this.meta;
	}

	// the same as in the message
	private @Nullable Object arguments(Call<?> call) {
		Map<String, Object> arguments = (call.params() instanceof CallToolRequest request) ? request.arguments() : null;
		return (arguments != null) ? Json.object(this.transport, arguments, call.name()) : null;
	}

	private static void checkLength(String header, String value) {
		if (value.length() > LONGEST_HEADER) {
			throw new TransportException("The header " + header + " would have " + value.length()
					+ " characters, more than " + LONGEST_HEADER, "Call with a shorter value.", false, null);
		}
	}

	@Override
	public String version() {
		return ProtocolRevisions.STATELESS;
	}

	@Override
	public Context sending(Call<?> call, long id, Context context) {
		if (!isCarrier()) {
			return context;
		}
		return context.put(MessageHeaders.class, headers(call));
	}

	private MessageHeaders headers(Call<?> call) {
		if (!McpSchema.METHOD_TOOLS_CALL.equals(call.method()) || call.subject() == null) {
			return new MessageHeaders(headers(call.method(), call.subject()), call.isStanding());
		}
		ToolHeaders tools = this.toolHeaders;
		MessageHeaders headers = tools.ofTool(call.subject(), (name) -> headers(call.method(), name));
		ParamHeaders own = tools.ofArguments(call.subject());
		if (own == null) {
			return headers;
		}
		Map<String, String> all = new LinkedHashMap<>(headers.headers());
		own.addTo(all, arguments(call));
		all.forEach(ModernEra::checkLength);
		return new MessageHeaders(all, false);
	}

	private static Map<String, String> headers(String method, @Nullable String subject) {
		Map<String, String> headers = new LinkedHashMap<>();
		headers.put("MCP-Protocol-Version", ProtocolRevisions.STATELESS);
		headers.put("Mcp-Method", method);
		if (subject != null && ParamHeaders.NAMED.contains(method)) {
			headers.put("Mcp-Name", ParamHeaders.encode(subject));
		}
		headers.forEach(ModernEra::checkLength);
		return headers;
	}

	/**
	 * {@inheritDoc} Some servers compare headers without decoding them.
	 */
	@Override
	public JSONRPCError explained(Call<?> call, JSONRPCError error) {
		if (error.code() != Refusal.HEADER_MISMATCH || !isCarrier()) {
			return error;
		}
		Map<String, String> encoded = new LinkedHashMap<>(headers(call).headers());
		encoded.values().removeIf((value) -> !value.startsWith(ParamHeaders.ENCODING));
		return encoded.isEmpty() ? error
				: new JSONRPCError(error.code(),
						error.message() + " (" + String.join(", ", encoded.keySet()) + " was sent as "
								+ ParamHeaders.ENCODING + "...?=, as the protocol requires for text that is not"
								+ " plain ASCII: the server has to decode it)",
						error.data());
	}

	@Override
	public Mono<Object> resultOf(TaskRun run, CallTask.State state) {
		return this.roundTrips.resultOf(run, state);
	}

	@Override
	public boolean notifiesOfCancellation() {
		return !isCarrier();
	}

	@Override
	public void terminate() {
		this.listening.terminate();
	}

}
