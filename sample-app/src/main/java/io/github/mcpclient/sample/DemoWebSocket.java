package io.github.mcpclient.sample;

import java.io.IOException;

import io.modelcontextprotocol.json.McpJsonMapper;
import io.modelcontextprotocol.json.TypeRef;
import io.modelcontextprotocol.spec.McpSchema;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCMessage;
import io.modelcontextprotocol.spec.McpServerSession;
import io.modelcontextprotocol.spec.McpServerTransport;
import io.modelcontextprotocol.spec.McpServerTransportProvider;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.netty.http.websocket.WebsocketInbound;
import reactor.netty.http.websocket.WebsocketOutbound;

import org.springframework.util.Assert;

/**
 * The demo server over a WebSocket, for which the MCP SDK has no transport. Each
 * connection is a session.
 */
class DemoWebSocket implements McpServerTransportProvider {

	private static final int MAX_MESSAGE_SIZE = 1024 * 1024;

	private final McpJsonMapper json;

	private McpServerSession.@Nullable Factory sessions;

	DemoWebSocket(McpJsonMapper json) {
		this.json = json;
	}

	@Override
	public void setSessionFactory(McpServerSession.Factory sessions) {
		this.sessions = sessions;
	}

	Mono<Void> serve(WebsocketInbound in, WebsocketOutbound out) {
		Assert.state(this.sessions != null, "There is no server");
		Sinks.Many<String> sent = Sinks.many().unicast().onBackpressureBuffer();
		McpServerSession session = this.sessions.create(new Connection(this.json, sent));
		Mono<Void> received = in.aggregateFrames(MAX_MESSAGE_SIZE)
			.receive()
			.asString()
			.concatMap((text) -> session.handle(read(text)))
			.then();
		return out.sendString(sent.asFlux()).then().or(received);
	}

	private JSONRPCMessage read(String text) {
		try {
			return McpSchema.deserializeJsonRpcMessage(this.json, text);
		}
		catch (IOException ex) {
			throw new IllegalArgumentException("Not a message", ex);
		}
	}

	@Override
	public Mono<Void> notifyClients(String method, Object params) {
		return Mono.empty();
	}

	@Override
	public Mono<Void> closeGracefully() {
		return Mono.empty();
	}

	private record Connection(McpJsonMapper json, Sinks.Many<String> sent) implements McpServerTransport {

		@Override
		public Mono<Void> sendMessage(JSONRPCMessage message) {
			return Mono.fromCallable(() -> this.json.writeValueAsString(message)).doOnNext((text) -> {
				synchronized (this.sent) {
					this.sent.tryEmitNext(text);
				}
			}).then();
		}

		@Override
		public <T> T unmarshalFrom(Object data, TypeRef<T> type) {
			return this.json.convertValue(data, type);
		}

		@Override
		public Mono<Void> closeGracefully() {
			return Mono.fromRunnable(this.sent::tryEmitComplete);
		}

	}

}
