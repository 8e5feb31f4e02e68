package io.github.mcpclient.internal.transport.http;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.internal.transport.MessageReader;
import io.github.mcpclient.internal.transport.OutboundQueue.Message;
import io.github.mcpclient.spi.TransportException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.websocketx.ContinuationWebSocketFrame;
import io.netty.handler.codec.http.websocketx.CorruptedWebSocketFrameException;
import io.netty.handler.codec.http.websocketx.PingWebSocketFrame;
import io.netty.handler.codec.http.websocketx.PongWebSocketFrame;
import io.netty.handler.codec.http.websocketx.TextWebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketCloseStatus;
import io.netty.handler.codec.http.websocketx.WebSocketFrame;
import io.netty.handler.timeout.IdleStateEvent;
import io.netty.handler.timeout.IdleStateHandler;
import org.reactivestreams.Subscription;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Mono;
import reactor.netty.Connection;
import reactor.netty.http.websocket.WebsocketInbound;
import reactor.netty.http.websocket.WebsocketOutbound;

/**
 * An open WebSocket. Frames are read while there is room for messages, and written while
 * the channel accepts them; the event loop only copies bytes.
 */
final class WebSocketConnection extends BaseSubscriber<WebSocketFrame> {

	// how long a connection may be silent before it is tested with a ping, where the
	// server has no other interval
	private static final Duration PING_INTERVAL = Duration.ofSeconds(30);

	private final WebSocketTransport transport;

	private final McpServerDefinition definition;

	private final Connection connection;

	private final Channel channel;

	// the beginning of a message that comes in several frames; a copy, as frames of a few
	// bytes would otherwise take far more memory than they have bytes
	private MessageReader.Bytes fragments = new MessageReader.Bytes();

	// whether the message is text; continuation frames do not declare it
	private boolean text;

	private volatile boolean paused;

	private final AtomicBoolean flushing = new AtomicBoolean();

	WebSocketConnection(Connection connection, McpServerDefinition definition, WebSocketTransport transport) {
		this.connection = connection;
		this.definition = definition;
		this.transport = transport;
		this.channel = connection.channel();
	}

	void start() {
		Duration interval = this.definition.timeouts().keepAliveInterval();
		// the first one sees bytes: a frame that is large takes time to arrive
		this.channel.pipeline().addFirst(new Watch((interval != null) ? interval : PING_INTERVAL));
		((WebsocketInbound) this.connection).receiveFrames().subscribe(this);
	}

	@Override
	protected void hookOnSubscribe(Subscription subscription) {
		request(1);
	}

	@Override
	protected void hookOnNext(WebSocketFrame frame) {
		if (frame.rsv() != 0) {
			// reserved bits belong to extensions, and none was requested
			cancel();
			this.transport.lost(new CorruptedWebSocketFrameException(WebSocketCloseStatus.PROTOCOL_ERROR,
					"a frame has reserved bits"));
		}
		else if (frame instanceof PingWebSocketFrame) {
			// a ping without a pong gets one with the next ping
			if (this.channel.isWritable()) {
				this.channel.writeAndFlush(new PongWebSocketFrame(frame.content().retain()));
			}
			request(1);
		}
		else if (frame instanceof PongWebSocketFrame) {
			request(1);
		}
		else {
			fragment(frame);
		}
	}

	private void fragment(WebSocketFrame frame) {
		ByteBuf content = frame.content();
		if (content.readableBytes() > this.definition.limits().maxMessageSize().toBytes() - this.fragments.length()) {
			cancel();
			WebSocketCloseStatus tooBig = WebSocketCloseStatus.MESSAGE_TOO_BIG;
			this.transport.lost(new CorruptedWebSocketFrameException(tooBig, tooBig.reasonText()));
			return;
		}
		if (!(frame instanceof ContinuationWebSocketFrame)) {
			this.text = frame instanceof TextWebSocketFrame;
		}
		this.fragments.append(content.readableBytes(), content::readBytes);
		if (frame.isFinalFragment()) {
			byte[] json = this.fragments.toByteArray();
			this.fragments = new MessageReader.Bytes();
			this.paused = true;
			this.transport.received(json, this.text);
		}
		else {
			request(1);
		}
	}

	/**
	 * Read on, on any thread.
	 */
	void readOn() {
		this.paused = false;
		request(1);
	}

	@Override
	protected void hookOnComplete() {
		((WebsocketInbound) this.connection).receiveCloseStatus()
			.subscribe(this.transport::closed, this.transport::lost, () -> this.transport.closed(null));
	}

	@Override
	protected void hookOnError(Throwable failure) {
		this.transport.lost(failure);
	}

	/**
	 * Write the waiting messages, on the event loop.
	 */
	void flush() {
		if (!this.flushing.compareAndSet(false, true)) {
			return;
		}
		try {
			this.channel.eventLoop().execute(() -> {
				// before the queue is checked: a message that arrives later needs another
				// flush
				this.flushing.set(false);
				drain();
			});
		}
		catch (RejectedExecutionException ex) {
			// the event loop has ended, perhaps without a notification of its channels
			this.transport.lost(ex);
		}
	}

	private void drain() {
		boolean written = false;
		while (this.channel.isWritable()) {
			List<Message> messages = this.transport.outbound().take(1);
			if (messages.isEmpty()) {
				break;
			}
			written = true;
			this.channel.write(new TextWebSocketFrame(Unpooled.wrappedBuffer(messages.get(0).json())))
				.addListener((result) -> {
					// else the connection is about to end
					if (result.isSuccess()) {
						this.transport.outbound().written(messages);
					}
				});
		}
		if (written) {
			this.channel.flush();
		}
	}

	/**
	 * Send a close frame, and close the connection.
	 */
	Mono<Void> goodbye() {
		return ((WebsocketOutbound) this.connection).sendClose(WebSocketCloseStatus.NORMAL_CLOSURE.code(),
				WebSocketCloseStatus.NORMAL_CLOSURE.reasonText());
	}

	/**
	 * Sends a ping when the server is silent, and gives up when no response arrives. The
	 * server may be processing a request, for as long as that may take.
	 */
	private final class Watch extends IdleStateHandler {

		private final long interval;

		private long silence;

		private Watch(Duration interval) {
			super(interval.toMillis(), 0, 0, TimeUnit.MILLISECONDS);
			this.interval = interval.toMillis();
		}

		@Override
		public void channelRead(ChannelHandlerContext context, Object message) throws Exception {
			this.silence = 0;
			super.channelRead(context, message);
		}

		@Override
		protected void channelIdle(ChannelHandlerContext context, IdleStateEvent event) {
			// messages of the server are not read while the application does not keep up
			this.silence = WebSocketConnection.this.paused ? 0 : this.silence + this.interval;
			long request = WebSocketConnection.this.definition.timeouts().request().toMillis();
			if (this.silence >= Math.max(request, 2 * this.interval)) {
				WebSocketConnection.this.transport.lost(new TransportException(
						"The server has not responded to a ping, or sent any message, for " + this.silence + " ms",
						"Check that the server is alive, and that the network does not drop packets.", null));
			}
			else if (this.silence > 0 && context.channel().isWritable()) {
				WebSocketConnection.this.channel.writeAndFlush(new PingWebSocketFrame());
			}
		}

		@Override
		public void channelWritabilityChanged(ChannelHandlerContext context) {
			drain();
			context.fireChannelWritabilityChanged();
		}

	}

}
