package io.github.mcpclient.test.server;

import java.nio.charset.StandardCharsets;
import java.util.List;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.websocketx.ContinuationWebSocketFrame;
import io.netty.handler.codec.http.websocketx.TextWebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketCloseStatus;
import io.netty.handler.codec.http.websocketx.WebSocketFrame;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;
import reactor.netty.http.server.HttpServerRequest;
import reactor.netty.http.server.HttpServerResponse;
import reactor.netty.http.server.WebsocketServerSpec;
import reactor.netty.http.websocket.WebsocketInbound;
import reactor.netty.http.websocket.WebsocketOutbound;

/**
 * The server over WebSocket. Each connection is a session; a message of several pieces is
 * sent in as many frames.
 */
record WebSocketEndpoint(Dispatcher dispatcher) {

	private static final int MAX_MESSAGE_SIZE = 256 * 1024 * 1024;

	static boolean isHandshake(HttpServerRequest http) {
		return http.requestHeaders().contains(HttpHeaderNames.UPGRADE, HttpHeaderValues.WEBSOCKET, true);
	}

	Mono<Void> open(McpTestRequest handshake, HttpServerResponse response) {
		WebsocketServerSpec spec = WebsocketServerSpec.builder()
			.protocols("mcp")
			.maxFramePayloadLength(MAX_MESSAGE_SIZE)
			.build();
		Mono<Scheduler> loop = Mono.create((sink) -> response
			.withConnection((connection) -> sink.success(Schedulers.fromExecutor(connection.channel().eventLoop()))));
		// elsewhere, Reactor Netty may lose a first frame that comes at once
		return loop.flatMap(
				(scheduler) -> Mono.defer(() -> response.sendWebsocket((in, out) -> serve(handshake, in, out), spec))
					.subscribeOn(scheduler));
	}

	private Mono<Void> serve(McpTestRequest handshake, WebsocketInbound in, WebsocketOutbound out) {
		Session session = this.dispatcher.openSession(false);
		Flux<WebSocketFrame> frames = session.listen(() -> this.dispatcher.endSession(session.id()))
			.concatMap(WebSocketEndpoint::frames);
		this.dispatcher.log().changed();
		Mono<Void> received = in.aggregateFrames(MAX_MESSAGE_SIZE)
			.receive()
			.asString(StandardCharsets.UTF_8)
			.flatMap((message) -> receive(message, handshake, session, in), Integer.MAX_VALUE)
			.then();
		Mono<Void> sent = out.sendObject(frames, (frame) -> true)
			.then()
			.then(Mono.defer(() -> out.sendClose(WebSocketCloseStatus.NORMAL_CLOSURE.code(), null)));
		return Mono.firstWithSignal(received, sent).doFinally((signal) -> session.endStream());
	}

	private Mono<Void> receive(String message, McpTestRequest handshake, Session session, WebsocketInbound in) {
		McpTestRequest request = new McpTestRequest(this.dispatcher.questions(), "POST", "", handshake.headers(),
				message, session);
		return this.dispatcher.reply(request).flatMap((reply) -> {
			if (reply.kind() == McpTestReply.Kind.CUT) {
				return reply.gate().doFinally((signal) -> {
					this.dispatcher.log().done(request);
					in.withConnection((connection) -> connection.channel().close());
				});
			}
			boolean http = request.isRequest() && reply.kind() == McpTestReply.Kind.HTTP;
			this.dispatcher.push(http ? McpTestReply.error(-32000, "HTTP " + reply.statusOr(200)) : reply, request,
					session);
			return Mono.empty();
		});
	}

	/**
	 * Each piece with the one after it, if there is one, as the last frame is to say that
	 * it is the last.
	 */
	private static Flux<WebSocketFrame> frames(Flux<String> message) {
		return message.buffer(2, 1).index((index, pieces) -> frame(pieces, index == 0));
	}

	private static WebSocketFrame frame(List<String> pieces, boolean first) {
		ByteBuf content = Unpooled.wrappedBuffer(Json.bytes(pieces.get(0)));
		boolean last = pieces.size() == 1;
		return first ? new TextWebSocketFrame(last, 0, content) : new ContinuationWebSocketFrame(last, 0, content);
	}

}
