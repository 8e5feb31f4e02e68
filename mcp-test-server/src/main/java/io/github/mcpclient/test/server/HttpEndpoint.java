package io.github.mcpclient.test.server;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.util.concurrent.GlobalEventExecutor;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.SignalType;
import reactor.netty.ChannelBindException;
import reactor.netty.DisposableServer;
import reactor.netty.channel.AbortedException;
import reactor.netty.http.server.HttpServer;
import reactor.netty.http.server.HttpServerRequest;
import reactor.netty.http.server.HttpServerResponse;
import reactor.netty.resources.LoopResources;
import reactor.util.retry.Retry;

/**
 * The server over streamable HTTP and SSE, on one port.
 */
final class HttpEndpoint {

	private static final String SESSION_ID = "Mcp-Session-Id";

	private final Dispatcher dispatcher;

	private final WebSocketEndpoint webSockets;

	private final ChannelGroup connections = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE);

	// the global ones are disposed of when a context closes
	private final LoopResources loops = LoopResources.create("test-server", 1, true);

	// messages for clients that resume a stream, by event ID
	private final Map<String, Flux<Flux<String>>> resumptions = new ConcurrentHashMap<>();

	private final AtomicInteger accepted = new AtomicInteger();

	private final AtomicInteger aborted = new AtomicInteger();

	private final HttpServer http;

	private @Nullable DisposableServer bound;

	HttpEndpoint(Dispatcher dispatcher, UnaryOperator<HttpServer> customizer) {
		this.dispatcher = dispatcher;
		this.webSockets = new WebSocketEndpoint(dispatcher);
		this.http = customizer.apply(HttpServer.create()
			.host("127.0.0.1")
			.channelGroup(this.connections)
			.doOnChannelInit((observer, channel, address) -> {
				this.accepted.incrementAndGet();
				channel.closeFuture().addListener((closed) -> dispatcher.log().changed());
				dispatcher.log().changed();
			})
			.runOn(this.loops)
			.handle(this::handle));
	}

	String scheme() {
		return (this.http.configuration().sslProvider() != null) ? "https" : "http";
	}

	void bind(int port) {
		// a starting child process inherits open ports until it runs
		this.bound = this.http.port(port)
			.bind()
			.retryWhen(Retry.fixedDelay(100, Duration.ofMillis(50))
				.filter(ChannelBindException.class::isInstance)
				.onRetryExhaustedThrow((retry, signal) -> signal.failure()))
			.block();
	}

	void unbind() {
		if (this.bound != null) {
			this.bound.channel().close().syncUninterruptibly();
			this.bound = null;
			closeConnections();
		}
	}

	void closeConnections() {
		this.connections.close().syncUninterruptibly();
	}

	void close() {
		unbind();
		this.loops.disposeLater(Duration.ZERO, Duration.ofSeconds(2)).block();
	}

	int connections() {
		return (int) this.connections.stream().filter((channel) -> channel != channelOf(this.bound)).count();
	}

	private static @Nullable Object channelOf(@Nullable DisposableServer server) {
		return (server != null) ? server.channel() : null;
	}

	int accepted() {
		return this.accepted.get();
	}

	int aborted() {
		return this.aborted.get();
	}

	private Publisher<Void> handle(HttpServerRequest http, HttpServerResponse response) {
		if (WebSocketEndpoint.isHandshake(http)) {
			return exchange(received(http, ""), response);
		}
		return http.receive()
			.aggregate()
			.asString(StandardCharsets.UTF_8)
			.defaultIfEmpty("")
			.flatMap((body) -> exchange(received(http, body), response));
	}

	private McpTestRequest received(HttpServerRequest http, String body) {
		Map<String, List<String>> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
		http.requestHeaders()
			.forEach((header) -> headers.computeIfAbsent(header.getKey(), (name) -> new ArrayList<>())
				.add(header.getValue()));
		headers.keySet().removeIf(this.dispatcher.contents()::losesHeader);
		String id = http.fullPath().equals("/message") ? http.uri().replaceFirst(".*sessionId=([^&]*).*", "$1")
				: headers.getOrDefault(SESSION_ID, List.of("")).get(0);
		return new McpTestRequest(this.dispatcher.questions(), http.method().name(), http.uri(), headers, body,
				this.dispatcher.session(id));
	}

	private Mono<Void> exchange(McpTestRequest request, HttpServerResponse response) {
		Mono<McpTestReply> reply = this.dispatcher.reply(request).doOnTerminate(request::answered).cache();
		Mono<Void> streamed = Mono.defer(() -> send(response.sse(),
				request.early()
					.concatMap(HttpEndpoint::event)
					.concatWith(reply.flatMapMany((late) -> rest(late, request, response))),
				McpTestReply.End.ORDERLY));
		Mono<Mono<Void>> written = reply.map((known) -> Mono.defer(() -> Mono.from(write(known, request, response))));
		return Mono.firstWithSignal(request.streaming().thenReturn(streamed), written)
			.flatMap((way) -> way)
			.doFinally((signal) -> {
				if (signal != SignalType.ON_COMPLETE) {
					this.aborted.incrementAndGet();
				}
				this.dispatcher.log().done(request);
			});
	}

	private static Flux<String> rest(McpTestReply late, McpTestRequest request, HttpServerResponse response) {
		Mono<String> end = switch (late.kind()) {
			case CUT -> cut(response).then(Mono.empty());
			case NEVER -> Mono.never();
			default -> Mono.empty();
		};
		return late.messages(request.idNode()).concatMap(HttpEndpoint::event).concatWith(end);
	}

	private Publisher<Void> write(McpTestReply reply, McpTestRequest request, HttpServerResponse response) {
		if (reply.kind() == McpTestReply.Kind.STANDARD) {
			reply.headers().forEach(response::header);
			return reply.gate().then(Mono.defer(() -> Mono.from(writeStandard(reply, request, response))));
		}
		if (request.session() != null && !request.session().isStreamPerRequest() && reply.statusOr(200) < 300) {
			return accept(reply, request, response);
		}
		if (request.method().equals("initialize") && reply.isMessage() && !request.isStateless()
				&& this.dispatcher.usesSessions()) {
			response.header(SESSION_ID, this.dispatcher.beginSession(reply.headers().get(SESSION_ID)));
		}
		response.status(reply.statusOr(200));
		reply.headers().forEach(response::header);
		return switch (reply.kind()) {
			case CUT -> reply.gate().then(cut(response));
			case HTTP -> sendBody(reply, response);
			default -> answer(reply, request, response);
		};
	}

	private Publisher<Void> writeStandard(McpTestReply reply, McpTestRequest request, HttpServerResponse response) {
		return switch (request.httpMethod()) {
			case "GET" -> {
				if (request.header("Sec-WebSocket-Key") != null) {
					this.dispatcher.log().done(request);
					yield this.webSockets.open(request, response);
				}
				yield request.path().endsWith("/sse") ? openLegacyStream(reply, response)
						: listen(reply, request, response);
			}
			case "DELETE" -> {
				this.dispatcher.endSession(request.sessionId());
				yield response.status(reply.statusOr(200)).send();
			}
			default -> response.status(405).send();
		};
	}

	private Mono<Void> sendBody(McpTestReply reply, HttpServerResponse response) {
		if (!reply.hasBody() && reply.end() == McpTestReply.End.ORDERLY) {
			return reply.gate().then(Mono.defer(() -> response.send().then()));
		}
		// the head must not wait for the first piece of an event stream
		if (response.responseHeaders().contains(HttpHeaderNames.CONTENT_TYPE, "text/event-stream", true)) {
			return send(response, reply.gate().thenMany(reply.body()), reply.end());
		}
		return reply.gate().then(Mono.defer(() -> send(response, reply.body(), reply.end())));
	}

	private Mono<Void> answer(McpTestReply reply, McpTestRequest request, HttpServerResponse response) {
		Flux<Flux<String>> messages = reply.messages(request.idNode());
		Session session = request.session();
		if (reply.way() == McpTestReply.Way.LISTENING_STREAM && session != null) {
			return response.status(reply.statusOr(202)).send().then(messages.doOnNext(session::push).then());
		}
		if (reply.way() == McpTestReply.Way.RESUMPTION) {
			String event = UUID.randomUUID().toString();
			this.resumptions.put(event, messages);
			return send(response.sse(), Flux.just("id: " + event + "\nretry: 10\ndata: \n\n"), reply.end());
		}
		if (reply.isEvents()) {
			Flux<String> events = messages.concatMap(HttpEndpoint::event);
			reply.headers().forEach(response.sse()::header);
			// without a response, the stream stays open
			return send(response, events.concatWith(reply.isMessage() ? Flux.empty() : Flux.never()), reply.end());
		}
		if (!reply.isMessage()) {
			return Mono.never();
		}
		reply.headers().forEach(response.header(HttpHeaderNames.CONTENT_TYPE, "application/json")::header);
		return reply.gate().then(Mono.defer(() -> send(response, reply.message(request.idNode()), reply.end())));
	}

	/**
	 * Handle a message of the SSE transport, whose response is sent on the stream.
	 */
	private Mono<Void> accept(McpTestReply reply, McpTestRequest request, HttpServerResponse response) {
		Session session = request.session();
		reply.headers().forEach(response::header);
		if (reply.kind() == McpTestReply.Kind.CUT || session == null) {
			return reply.gate().then(cut(response));
		}
		if (reply.kind() == McpTestReply.Kind.HTTP) {
			return sendBody(reply, response.status(reply.statusOr(202)));
		}
		Mono<Void> pushed = reply.messages(request.idNode())
			.doOnNext(session::push)
			.then((reply.kind() == McpTestReply.Kind.NEVER) ? Mono.never() : Mono.empty());
		return response.status(reply.statusOr(202)).send().then(pushed);
	}

	private Publisher<Void> listen(McpTestReply reply, McpTestRequest request, HttpServerResponse response) {
		String last = request.header("Last-Event-ID");
		Flux<Flux<String>> resumed = (last != null) ? this.resumptions.remove(last) : null;
		if (resumed != null) {
			return send(response.sse(), resumed.concatMap(HttpEndpoint::event), reply.end());
		}
		Session session = request.session();
		if (session == null) {
			return write(this.dispatcher.unknownSession(), request, response);
		}
		return stream(": open\n\n", session, response, () -> {
		});
	}

	private Publisher<Void> openLegacyStream(McpTestReply reply, HttpServerResponse response) {
		Session session = this.dispatcher.openSession(false);
		return stream("event: endpoint\ndata: /message?sessionId=" + session.id() + "\n\n", session, response,
				() -> this.dispatcher.endSession(session.id()));
	}

	private Publisher<Void> stream(String beginning, Session session, HttpServerResponse response, Runnable ended) {
		Flux<Flux<String>> messages = session.listen(() -> {
			ended.run();
			this.dispatcher.log().changed();
		});
		this.dispatcher.log().changed();
		return send(response.sse(), Flux.just(beginning).concatWith(messages.concatMap(HttpEndpoint::event)),
				McpTestReply.End.ORDERLY);
	}

	private Mono<Void> send(HttpServerResponse response, Flux<String> text, McpTestReply.End end) {
		Flux<String> all = switch (end) {
			case ORDERLY -> text;
			case CUT -> text.concatWith(cut(response).then(Mono.empty()));
			case HANG -> text.concatWith(Mono.never());
		};
		// Reactor Netty completes a response that the client has cancelled
		AtomicBoolean cancelled = new AtomicBoolean();
		Flux<ByteBuf> bytes = all.map((piece) -> Unpooled.wrappedBuffer(Json.bytes(piece)));
		return response.send(bytes.doOnCancel(() -> cancelled.set(true)), (piece) -> true)
			.then()
			.then(Mono.defer(() -> cancelled.get() ? Mono.error(AbortedException.beforeSend()) : Mono.empty()));
	}

	/**
	 * Close the connection after all sent data.
	 */
	private static Mono<Void> cut(HttpServerResponse response) {
		return Mono.<Void>never()
			.doOnSubscribe((subscription) -> response
				.withConnection((connection) -> connection.channel().eventLoop().execute(connection.channel()::close)));
	}

	private static Flux<String> event(Flux<String> message) {
		return Flux.concat(Flux.just("event: message\ndata: "), message.map((piece) -> piece.replace("\n", "\ndata: ")),
				Flux.just("\n\n"));
	}

}
