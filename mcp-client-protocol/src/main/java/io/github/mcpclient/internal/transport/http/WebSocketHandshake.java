package io.github.mcpclient.internal.transport.http;

import java.io.EOFException;
import java.net.SocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import io.github.mcpclient.internal.support.Secrets;
import io.github.mcpclient.internal.transport.HeaderSources;
import io.github.mcpclient.internal.transport.HttpStatusException;
import io.github.mcpclient.internal.transport.RequestHeaders;
import io.github.mcpclient.spi.TransportException;
import io.netty.buffer.ByteBufUtil;
import io.netty.channel.Channel;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http.EmptyHttpHeaders;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.websocketx.CorruptedWebSocketFrameException;
import io.netty.handler.codec.http.websocketx.WebSocketCloseStatus;
import io.netty.handler.codec.http.websocketx.WebSocketHandshakeException;
import io.netty.util.ReferenceCountUtil;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.netty.Connection;
import reactor.netty.NettyPipeline;
import reactor.netty.http.client.HttpClient;
import reactor.netty.http.client.WebsocketClientSpec;
import reactor.util.context.Context;

/**
 * Opens the WebSocket of a transport, with all that requests over HTTP have: TLS, proxy,
 * address filter, headers, authorization, time limits, and words for failures.
 */
final class WebSocketHandshake {

	private static final String SUBPROTOCOL = "mcp";

	private static final String GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

	private final HttpSetup setup;

	private volatile HeaderSources headers;

	private volatile HttpFailures failures;

	private volatile Secrets credentials = Secrets.NONE;

	private volatile @Nullable Channel channel;

	WebSocketHandshake(HttpSetup setup) {
		this.setup = setup;
		this.headers = setup.headers();
		this.failures = setup.failures();
	}

	/**
	 * Get the headers from other sources.
	 */
	void authorizeBy(HeaderSources headers) {
		this.headers = headers;
	}

	/**
	 * Open the WebSocket, once. Pings of the server are left to the caller.
	 * @return the connection, which is one of Reactor Netty's {@code WebsocketInbound}
	 * and {@code WebsocketOutbound}
	 */
	Mono<Connection> open() {
		HttpReauthorization reauthorization = new HttpReauthorization(this.setup, this.headers, "GET");
		return this.setup.validated(this.headers.get(this.setup.definition(), "GET"))
			.flatMap((additional) -> open(additional, reauthorization));
	}

	private Mono<Connection> open(RequestHeaders additional, HttpReauthorization reauthorization) {
		this.failures = this.setup.failures().without(additional);
		this.credentials = RequestHeaders.credentials(Stream.of(additional));
		WebsocketClientSpec spec = WebsocketClientSpec.builder()
			.protocols(SUBPROTOCOL)
			.maxFramePayloadLength(this.setup.maxMessageSize())
			.handlePing(true)
			.build();
		Sinks.One<Connection> failure = Sinks.one();
		HttpClient client = this.setup.pool().client().headers((headers) -> {
			this.setup.http().headers().forEach(headers::set);
			additional.provided().forEach(headers::set);
			additional.authorization().forEach(headers::set);
		})
			.doOnChannelInit((observer, channel, address) -> channel.pipeline()
				.addBefore(NettyPipeline.ReactiveBridge, Attempt.class.getName(), new Attempt(failure)));
		Mono<Connection> connection = client.websocket(spec)
			.uri(this.setup.http().url())
			.connect()
			.cast(Connection.class);
		return connection.or(failure.asMono()).onErrorResume(RefusedException.class, (refused) -> {
			Mono<RequestHeaders> other = reauthorization.other(refused.error.status(), refused.error.headers(),
					refused.source, additional, Context.empty());
			return (other != null)
					? other.flatMap((next) -> open(next, reauthorization)).switchIfEmpty(Mono.error(refused))
					: Mono.error(refused);
		});
	}

	/**
	 * Close the connection, or the attempt to open it.
	 * @return completes within a second; never fails
	 */
	Mono<Void> dispose() {
		return Mono.defer(() -> {
			Channel channel = this.channel;
			if (channel != null) {
				channel.close();
			}
			return this.setup.pool().dispose(this.setup.timer());
		});
	}

	/**
	 * Return the credentials of the handshake, in addition to the configured ones.
	 */
	Secrets credentials() {
		return this.credentials;
	}

	/**
	 * Return a server's text as one line of limited length, without secrets.
	 */
	String line(String text) {
		return this.failures.line(text);
	}

	/**
	 * Word the failure of the handshake, or of the connection after that.
	 */
	TransportException failure(Throwable failure) {
		String nextStep = "Check that " + this.failures.property("url") + " is a WebSocket endpoint of MCP.";
		if (failure instanceof RefusedException refused) {
			HttpError error = refused.error;
			return (error.status() < 300) ? new HttpStatusException(error.status(),
					"The server responded to the WebSocket handshake with HTTP " + error.status(), nextStep, false)
					: error.failure(this.failures, error.text(), false);
		}
		if (failure instanceof CorruptedWebSocketFrameException corrupt
				&& WebSocketCloseStatus.MESSAGE_TOO_BIG.equals(corrupt.closeStatus())) {
			return this.failures.tooLarge();
		}
		if (failure instanceof CorruptedWebSocketFrameException || failure instanceof WebSocketHandshakeException) {
			return new TransportException(
					"The server violates the WebSocket protocol: " + line(String.valueOf(failure.getMessage())),
					nextStep, failure);
		}
		return this.failures.exchange(failure);
	}

	/**
	 * Reads the response to a handshake before Reactor Netty, which would log each
	 * failure with a stack trace.
	 */
	private final class Attempt extends ChannelDuplexHandler {

		private final Sinks.One<Connection> failure;

		private @Nullable String key;

		// null before the connection is made, with TLS and through a proxy
		private @Nullable Future<?> deadline;

		private Attempt(Sinks.One<Connection> failure) {
			this.failure = failure;
		}

		@Override
		public void handlerAdded(ChannelHandlerContext context) {
			WebSocketHandshake.this.channel = context.channel();
		}

		@Override
		public void channelActive(ChannelHandlerContext context) {
			long timeout = WebSocketHandshake.this.setup.definition().timeouts().connect().toMillis();
			this.deadline = context.executor()
				.schedule(() -> fail(context, new TransportException("No WebSocket handshake within " + timeout + " ms",
						"Check that " + WebSocketHandshake.this.failures.property("url") + " is right.", false, null)),
						timeout, TimeUnit.MILLISECONDS);
			context.fireChannelActive();
		}

		@Override
		public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
			if (message instanceof HttpRequest request) {
				this.key = request.headers().get(HttpHeaderNames.SEC_WEBSOCKET_KEY);
			}
			context.write(message, promise);
		}

		@Override
		public void channelRead(ChannelHandlerContext context, Object message) {
			FullHttpResponse response = (FullHttpResponse) message;
			if (InterimResponses.isInterim(response)) {
				ReferenceCountUtil.release(message);
				context.read();
				return;
			}
			Throwable refusal = refusal(response);
			if (refusal == null) {
				context.pipeline().remove(this);
				context.fireChannelRead(message);
			}
			else {
				ReferenceCountUtil.release(message);
				fail(context, refusal);
			}
		}

		private @Nullable Throwable refusal(FullHttpResponse response) {
			if (response.decoderResult().isFailure()) {
				return response.decoderResult().cause();
			}
			if (!response.status().equals(HttpResponseStatus.SWITCHING_PROTOCOLS)) {
				return refused(response.status().code(), response.headers(), ByteBufUtil.getBytes(response.content()));
			}
			HttpHeaders headers = response.headers();
			String wrong = !headers.containsValue(HttpHeaderNames.UPGRADE, HttpHeaderValues.WEBSOCKET, true)
					? "it does not upgrade the connection"
					: !accept(this.key).equals(headers.get(HttpHeaderNames.SEC_WEBSOCKET_ACCEPT))
							? "its Sec-WebSocket-Accept is wrong"
							: !SUBPROTOCOL.equals(headers.get(HttpHeaderNames.SEC_WEBSOCKET_PROTOCOL))
									? "it does not support the subprotocol " + SUBPROTOCOL : null;
			return (wrong != null) ? new WebSocketHandshakeException(wrong) : null;
		}

		// RFC 6455, 4.2.2
		private static String accept(@Nullable String key) {
			try {
				byte[] hash = MessageDigest.getInstance("SHA-1")
					.digest((key + GUID).getBytes(StandardCharsets.US_ASCII));
				return Base64.getEncoder().encodeToString(hash);
			}
			catch (NoSuchAlgorithmException ex) {
				throw new IllegalStateException(ex);
			}
		}

		private RefusedException refused(int status, HttpHeaders headers, byte[] content) {
			Channel channel = WebSocketHandshake.this.channel;
			HttpError error = HttpError.of(status, headers, content, WebSocketHandshake.this.credentials);
			return new RefusedException(error, (channel != null) ? channel.remoteAddress() : null);
		}

		@Override
		public void channelInactive(ChannelHandlerContext context) {
			if (this.deadline != null) {
				fail(context, new EOFException("No response"));
			}
			else {
				context.fireChannelInactive();
			}
		}

		@Override
		public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
			if (this.deadline == null) {
				context.fireExceptionCaught(cause);
				return;
			}
			Integer status = NettyFailures.statusOfTooLong(cause);
			fail(context, (status != null) ? refused(status, EmptyHttpHeaders.INSTANCE, new byte[0]) : cause);
		}

		private void fail(ChannelHandlerContext context, Throwable cause) {
			this.failure.tryEmitError(cause);
			context.close();
		}

		@Override
		public void handlerRemoved(ChannelHandlerContext context) {
			if (this.deadline != null) {
				this.deadline.cancel(false);
			}
		}

	}

	/**
	 * The server responded to the handshake as to any other request.
	 */
	private static final class RefusedException extends RuntimeException {

		private final transient HttpError error;

		private final transient @Nullable SocketAddress source;

		private RefusedException(HttpError error, @Nullable SocketAddress source) {
			super("HTTP " + error.status(), null, false, false);
			this.error = error;
			this.source = source;
		}

	}

}
