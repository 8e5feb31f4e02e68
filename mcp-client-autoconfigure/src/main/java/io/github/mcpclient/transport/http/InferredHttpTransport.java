package io.github.mcpclient.transport.http;

import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

import io.github.mcpclient.McpServerDefinition;
import io.github.mcpclient.support.Departure;
import io.github.mcpclient.transport.HttpStatusException;
import io.github.mcpclient.transport.SupervisedTransport;
import io.modelcontextprotocol.json.TypeRef;
import io.modelcontextprotocol.spec.McpSchema;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCMessage;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCRequest;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/**
 * For a url of which nobody said what it speaks: streamable HTTP, or, where the server
 * refuses the request to initialize in the way of those that do not know it, the older
 * transport, which is tried once.
 */
final class InferredHttpTransport implements SupervisedTransport, Departure.Teller {

	private static final Log logger = LogFactory.getLog(InferredHttpTransport.class);

	private static final Set<Integer> UNKNOWN = Set.of(400, 404, 405);

	private final StreamableHttpTransport streamable;

	private final Supplier<SseTransport> older;

	private final AtomicBoolean tried = new AtomicBoolean();

	private volatile SupervisedTransport current;

	private final Sinks.Empty<Void> termination = Sinks.empty();

	private volatile Function<Mono<JSONRPCMessage>, Mono<JSONRPCMessage>> handler = Function.identity();

	private volatile boolean established;

	private volatile boolean closing;

	/**
	 * Create a transport.
	 * @param streamable what is tried first
	 * @param older makes what is tried then
	 */
	InferredHttpTransport(StreamableHttpTransport streamable, Supplier<SseTransport> older) {
		this.streamable = streamable;
		this.older = older;
		this.current = streamable;
		watch(streamable, UnaryOperator.identity());
	}

	private void watch(SupervisedTransport transport, UnaryOperator<Throwable> wording) {
		transport.termination().subscribe(null, (cause) -> {
			if (this.current == transport) {
				this.termination.tryEmitError(wording.apply(cause));
			}
		}, () -> {
			if (this.current == transport) {
				this.termination.tryEmitEmpty();
			}
		});
	}

	/**
	 * Return whether a status is what a server answers to the request to initialize that
	 * does not know streamable HTTP.
	 * @param status the HTTP status
	 * @return whether the older transport may be worth an attempt
	 */
	static boolean mayBeOlder(int status) {
		return UNKNOWN.contains(status);
	}

	@Override
	public Mono<Void> connect(Function<Mono<JSONRPCMessage>, Mono<JSONRPCMessage>> handler) {
		return Mono.defer(() -> {
			this.handler = handler;
			return this.streamable.connect(handler);
		});
	}

	@Override
	public Mono<Void> sendMessage(JSONRPCMessage message) {
		SupervisedTransport current = this.current;
		Mono<Void> sent = current.sendMessage(message);
		boolean initialize = message instanceof JSONRPCRequest request
				&& McpSchema.METHOD_INITIALIZE.equals(request.method());
		if (current != this.streamable || !initialize) {
			return sent;
		}
		return sent.onErrorResume(HttpStatusException.class,
				(ex) -> mayBeOlder(ex.getStatus()) ? tryOlder(message, ex) : Mono.error(ex));
	}

	private Mono<Void> tryOlder(JSONRPCMessage initialize, HttpStatusException reason) {
		if (!this.tried.compareAndSet(false, true)) {
			return Mono.error(reason);
		}
		SseTransport sse = this.older.get();
		this.current = sse;
		UnaryOperator<Throwable> wording = (failure) -> this.established ? failure
				: this.streamable.failures().neither(reason, failure);
		watch(sse, wording);
		this.streamable.closeGracefully().subscribe();
		if (this.closing) {
			sse.closeGracefully().subscribe();
		}
		return sse.connect(this.handler)
			.then(sse.sendMessage(initialize))
			.doOnSuccess((ignored) -> established(reason))
			.onErrorMap(wording);
	}

	private void established(HttpStatusException reason) {
		this.established = true;
		String name = this.streamable.serverName();
		logger.info("MCP server '" + name + "' speaks the older HTTP with server-sent events (it answers HTTP "
				+ reason.getStatus() + " to streamable HTTP). Set mcp.servers." + name
				+ ".type to sse to spare it the attempt.");
	}

	@Override
	public Mono<Void> termination() {
		return this.termination.asMono();
	}

	@Override
	public boolean hasEnded() {
		return this.current.hasEnded();
	}

	@Override
	public void onGap(Runnable listener) {
		// the older transport ends with its stream
		this.streamable.onGap(listener);
	}

	@Override
	public Mono<Void> settled() {
		return this.current.settled();
	}

	@Override
	public Mono<Void> closeGracefully() {
		return Mono.defer(() -> {
			this.closing = true;
			return Mono.when(this.streamable.closeGracefully(), this.current.closeGracefully());
		});
	}

	@Override
	public @Nullable String type() {
		return this.established ? McpServerDefinition.SSE : null;
	}

	@Override
	public <T> T unmarshalFrom(Object data, TypeRef<T> type) {
		return this.streamable.unmarshalFrom(data, type);
	}

	@Override
	public List<String> protocolVersions() {
		return this.streamable.protocolVersions();
	}

	@Override
	public String toString() {
		return this.current.toString();
	}

}
