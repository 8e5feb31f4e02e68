package io.github.mcpclient.internal.session;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

import io.github.mcpclient.spi.SupervisedTransport;
import io.modelcontextprotocol.json.TypeRef;
import io.modelcontextprotocol.spec.McpError;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCMessage;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCNotification;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCRequest;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCResponse;
import reactor.core.Scannable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.util.context.ContextView;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A transport in memory, with a server behind it that follows a script. Everything that
 * goes through it is JSON, as on a real wire: what arrives is a tree.
 *
 * <p>
 * Without a script it answers {@code initialize} (with the tools capability),
 * {@code ping} and {@code tools/list} (with no tools), and any other method with an
 * error.
 */
public class ScriptedTransport implements SupervisedTransport {

	private static final JsonMapper mapper = JsonMapper.builder().build();

	private final Map<String, Function<Received, Mono<?>>> script = new ConcurrentHashMap<>();

	private final List<Received> received = new CopyOnWriteArrayList<>();

	private final Sinks.Empty<Void> termination = Sinks.empty();

	private final AtomicInteger cancelledSends = new AtomicInteger();

	private final AtomicInteger closeCount = new AtomicInteger();

	private final AtomicInteger connectCount = new AtomicInteger();

	private volatile Mono<Void> connection = Mono.empty();

	private volatile Function<JSONRPCMessage, Mono<Void>> wire = (message) -> Mono.empty();

	private volatile boolean record = true;

	private volatile Error unmarshalling;

	private volatile boolean maps;

	private volatile List<String> protocolVersions = SupervisedTransport.super.protocolVersions();

	private volatile Function<Mono<JSONRPCMessage>, Mono<JSONRPCMessage>> handler;

	public ScriptedTransport() {
		answer("initialize", """
				{"protocolVersion": "2025-11-25", "capabilities": {"tools": {"listChanged": true}},
				 "serverInfo": {"name": "scripted", "version": "1.0"}}""");
		answer("ping", "{}");
		answer("tools/list", "{\"tools\": []}");
	}

	/**
	 * Answer a method with a result.
	 * @param method the method
	 * @param json the result
	 * @return this transport
	 */
	public final ScriptedTransport answer(String method, String json) {
		return on(method, (request) -> Mono.just(tree(json)));
	}

	/**
	 * Never answer a method.
	 * @param method the method
	 * @return this transport
	 */
	public final ScriptedTransport ignore(String method) {
		return on(method, (request) -> Mono.never());
	}

	/**
	 * Answer a method.
	 * @param method the method
	 * @param answer makes the result: a JSON value (or what can be written as one); an
	 * {@link McpError} is sent as JSON-RPC error, any other error is one of sending
	 * @return this transport
	 */
	public final ScriptedTransport on(String method, Function<Received, Mono<?>> answer) {
		this.script.put(method, answer);
		return this;
	}

	/**
	 * Set what {@link #connect} returns, once it has taken the handler.
	 * @param connection completes or fails as connecting does
	 * @return this transport
	 */
	public ScriptedTransport connection(Mono<Void> connection) {
		this.connection = connection;
		return this;
	}

	/**
	 * Set what happens to each message on its way out, before the server sees it.
	 * @param wire fails where sending fails
	 * @return this transport
	 */
	public ScriptedTransport wire(Function<JSONRPCMessage, Mono<Void>> wire) {
		this.wire = wire;
		return this;
	}

	/**
	 * Fail to bind what arrives.
	 * @param failure how
	 * @return this transport
	 */
	public ScriptedTransport unmarshalling(Error failure) {
		this.unmarshalling = failure;
		return this;
	}

	/**
	 * Do not keep what the server received, for tests with very many messages.
	 * @return this transport
	 */
	public ScriptedTransport forgetful() {
		this.record = false;
		return this;
	}

	/**
	 * Deliver maps rather than trees, as the SDK's own transports do.
	 * @return this transport
	 */
	public ScriptedTransport asMaps() {
		this.maps = true;
		return this;
	}

	/**
	 * Set the revisions that the transport can carry.
	 * @param versions the revisions, newest last
	 * @return this transport
	 */
	public ScriptedTransport speaks(String... versions) {
		this.protocolVersions = List.of(versions);
		return this;
	}

	@Override
	public List<String> protocolVersions() {
		return this.protocolVersions;
	}

	/**
	 * Return all that the server received.
	 * @return the messages, oldest first
	 */
	public List<Received> received() {
		return this.received;
	}

	/**
	 * Return what the server received of one method.
	 * @param method the method
	 * @return the messages, oldest first
	 */
	public List<Received> received(String method) {
		return this.received.stream().filter((message) -> method.equals(message.method())).toList();
	}

	/**
	 * Send a notification to the client.
	 * @param method the method
	 * @param params the parameters as JSON, or {@code null}
	 */
	public void serverNotifies(String method, String params) {
		deliver(new JSONRPCNotification(method, (params != null) ? payload(tree(params)) : null));
	}

	/**
	 * Send a request to the client.
	 * @param id the id of the request
	 * @param method the method
	 * @param params the parameters as JSON, or {@code null}
	 */
	public void serverAsks(Object id, String method, String params) {
		deliver(new JSONRPCRequest(method, id, (params != null) ? payload(tree(params)) : null));
	}

	/**
	 * Send a result to the client.
	 * @param id the id of the request that is answered, as the server echoes it
	 * @param result the result as JSON
	 */
	public void serverAnswers(Object id, String result) {
		deliver(JSONRPCResponse.result(id, payload(tree(result))));
	}

	/**
	 * Hand a message to the session, as it is.
	 * @param message the message
	 */
	public void deliver(JSONRPCMessage message) {
		this.handler.apply(Mono.just(message)).subscribe();
	}

	/**
	 * End as if the wire broke.
	 * @param cause why
	 */
	public void die(Throwable cause) {
		this.termination.tryEmitError(cause);
	}

	public int connectCount() {
		return this.connectCount.get();
	}

	public int closeCount() {
		return this.closeCount.get();
	}

	/**
	 * Return how many messages were given up by the sender before they were handled.
	 * @return the number of cancelled subscriptions to {@link #sendMessage}
	 */
	public int cancelledSends() {
		return this.cancelledSends.get();
	}

	@Override
	public Mono<Void> connect(Function<Mono<JSONRPCMessage>, Mono<JSONRPCMessage>> handler) {
		return Mono.defer(() -> {
			this.connectCount.incrementAndGet();
			this.handler = handler;
			return this.connection;
		});
	}

	@Override
	public Mono<Void> sendMessage(JSONRPCMessage message) {
		return Mono.deferContextual((context) -> this.wire.apply(message).then(serve(message, context)))
			.doOnCancel(this.cancelledSends::incrementAndGet);
	}

	private Mono<Void> serve(JSONRPCMessage message, ContextView context) {
		return Mono.defer(() -> {
			Received received = new Received(tree(mapper.writeValueAsString(message)), context);
			if (this.record) {
				this.received.add(received);
			}
			if (!(message instanceof JSONRPCRequest)) {
				return Mono.empty();
			}
			Function<Received, Mono<?>> answer = this.script.get(received.method());
			if (answer == null) {
				return Mono.fromRunnable(() -> deliver(error(received.id(), -32601, "Method not found")));
			}
			return answer.apply(received)
				.<JSONRPCMessage>map((result) -> JSONRPCResponse.result(received.id(), payload(result)))
				.onErrorResume(McpError.class,
						(ex) -> Mono.just(JSONRPCResponse.error(received.id(), withData(ex.getJsonRpcError()))))
				.doOnNext(this::deliver)
				.then();
		});
	}

	@Override
	public Mono<Void> termination() {
		return this.termination.asMono();
	}

	@Override
	public boolean hasEnded() {
		return this.termination.scanOrDefault(Scannable.Attr.TERMINATED, false);
	}

	@Override
	public Mono<Void> closeGracefully() {
		return Mono.fromRunnable(() -> {
			this.closeCount.incrementAndGet();
			this.termination.tryEmitEmpty();
		});
	}

	@Override
	public <T> T unmarshalFrom(Object data, TypeRef<T> typeRef) {
		Error failure = this.unmarshalling;
		if (failure != null) {
			throw failure;
		}
		JavaType type = mapper.constructType(typeRef.getType());
		return (data instanceof JsonNode tree) ? mapper.treeToValue(tree, type) : mapper.convertValue(data, type);
	}

	private static JSONRPCResponse error(Object id, int code, String message) {
		return JSONRPCResponse.error(id, new JSONRPCResponse.JSONRPCError(code, message));
	}

	private JSONRPCResponse.JSONRPCError withData(JSONRPCResponse.JSONRPCError error) {
		return (error.data() == null) ? error
				: new JSONRPCResponse.JSONRPCError(error.code(), error.message(), payload(error.data()));
	}

	/**
	 * What goes to the client: a tree, as our transports have it, or maps.
	 */
	private Object payload(Object value) {
		return this.maps ? mapper.convertValue(value, Object.class) : mapper.valueToTree(value);
	}

	private static JsonNode tree(String json) {
		return mapper.readTree(json);
	}

	/**
	 * A message as the server received it.
	 *
	 * @param json the message
	 * @param context the Reactor context that it was sent in
	 */
	public record Received(JsonNode json, ContextView context) {

		/**
		 * Return the method.
		 * @return the method, or {@code null} for a response
		 */
		public String method() {
			return this.json.hasNonNull("method") ? this.json.get("method").asString() : null;
		}

		/**
		 * Return the id.
		 * @return a {@code Long}, a {@code String}, or {@code null} for a notification
		 */
		public Object id() {
			JsonNode id = this.json.get("id");
			if (id == null) {
				return null;
			}
			return id.isString() ? id.asString() : (Object) id.asLong();
		}

		public JsonNode params() {
			return this.json.path("params");
		}

	}

}
