package io.github.mcpclient.test.server;

import java.io.IOException;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;

import io.modelcontextprotocol.json.TypeRef;
import io.modelcontextprotocol.json.jackson3.JacksonMcpJsonMapper;
import io.modelcontextprotocol.spec.McpClientTransport;
import io.modelcontextprotocol.spec.McpSchema;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCMessage;
import io.modelcontextprotocol.spec.McpTransportException;
import org.jspecify.annotations.Nullable;
import reactor.core.Scannable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/**
 * A transport from a client to an {@link McpTestServer} in memory, for one connection.
 * Messages are serialized to text.
 */
public final class McpTestTransport implements McpClientTransport {

	private final Dispatcher dispatcher;

	private final Sinks.Empty<Void> termination = Sinks.empty();

	private volatile @Nullable Session session;

	private volatile Consumer<Throwable> exceptionHandler = (ex) -> {
	};

	McpTestTransport(Dispatcher dispatcher) {
		this.dispatcher = dispatcher;
	}

	@Override
	public Mono<Void> connect(Function<Mono<JSONRPCMessage>, Mono<JSONRPCMessage>> handler) {
		return Mono.defer(() -> {
			if (!this.dispatcher.isRunning()) {
				return Mono.error(new McpTransportException("Connection refused: the test server is not running"));
			}
			Session session = this.dispatcher.openSession(false);
			this.session = session;
			session.listen(() -> ended(session))
				.publishOn(this.dispatcher.scheduler())
				.concatMap((message) -> message.collect(StringBuilder::new, StringBuilder::append))
				.subscribe((message) -> deliver(message.toString(), handler));
			return Mono.empty();
		});
	}

	private void ended(Session session) {
		this.dispatcher.endSession(session.id());
		this.termination.tryEmitError(reset());
	}

	private static McpTransportException reset() {
		return new McpTransportException("Connection reset: the test server has closed it");
	}

	/**
	 * Tell of the end of the connection.
	 * @return completes when the client closes the transport, and fails when the server
	 * does
	 */
	public Mono<Void> termination() {
		return this.termination.asMono();
	}

	/**
	 * Whether the connection has ended.
	 * @return whether it has
	 */
	public boolean hasEnded() {
		return this.termination.scanOrDefault(Scannable.Attr.TERMINATED, false);
	}

	private void deliver(String message, Function<Mono<JSONRPCMessage>, Mono<JSONRPCMessage>> handler) {
		try {
			handler
				.apply(Mono.just(McpSchema.deserializeJsonRpcMessage(new JacksonMcpJsonMapper(Json.MAPPER), message)))
				.subscribe((answer) -> {
				}, this.exceptionHandler);
		}
		catch (IOException | IllegalArgumentException ex) {
			this.exceptionHandler.accept(ex);
		}
	}

	@Override
	public Mono<Void> sendMessage(JSONRPCMessage message) {
		return Mono.defer(() -> {
			Session session = this.session;
			if (session == null || !session.isListening()) {
				return Mono.error(reset());
			}
			McpTestRequest request = new McpTestRequest(this.dispatcher.questions(), "POST", "", Map.of(),
					Json.write(message), session);
			return this.dispatcher.reply(request).flatMap((reply) -> answer(reply, request, session));
		});
	}

	private Mono<Void> answer(McpTestReply reply, McpTestRequest request, Session session) {
		if (reply.kind() == McpTestReply.Kind.CUT) {
			session.endStream();
			return Mono.error(reset());
		}
		if (reply.statusOr(200) >= 400) {
			this.dispatcher.log().done(request);
			return Mono.error(new McpTransportException("HTTP " + reply.statusOr(200)));
		}
		this.dispatcher.push(reply, request, session);
		return Mono.empty();
	}

	@Override
	public void setExceptionHandler(Consumer<Throwable> handler) {
		this.exceptionHandler = handler;
	}

	@Override
	public Mono<Void> closeGracefully() {
		return Mono.fromRunnable(() -> {
			this.termination.tryEmitEmpty();
			Session session = this.session;
			if (session != null) {
				session.endStream();
			}
		});
	}

	@Override
	public <T> T unmarshalFrom(Object data, TypeRef<T> type) {
		return Json.MAPPER.convertValue(data, Json.MAPPER.constructType(type.getType()));
	}

}
