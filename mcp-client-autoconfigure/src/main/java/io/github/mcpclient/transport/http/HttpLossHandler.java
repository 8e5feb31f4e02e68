package io.github.mcpclient.transport.http;

import java.io.IOException;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.util.ReferenceCountUtil;
import org.jspecify.annotations.Nullable;
import reactor.netty.NettyPipeline;
import reactor.netty.channel.ChannelOperations;
import reactor.netty.http.HttpOperations;
import reactor.netty.http.client.HttpClientInfos;

/**
 * Tells an {@link HttpExchange} that its connection was lost, or is of no use, after the
 * request was sent and before the response began. Reactor Netty would do that as well,
 * but not without a warning and a stack trace in the log for each time: a server that
 * drops connections again and again would flood it.
 */
@Sharable
final class HttpLossHandler extends ChannelInboundHandlerAdapter {

	private static final HttpLossHandler INSTANCE = new HttpLossHandler();

	private HttpLossHandler() {
	}

	static void addTo(Channel channel) {
		channel.pipeline().addBefore(NettyPipeline.ReactiveBridge, HttpLossHandler.class.getName(), INSTANCE);
	}

	@Override
	public void channelInactive(ChannelHandlerContext context) {
		HttpExchange exchange = exchange(context.channel());
		if (exchange != null) {
			exchange.lost(new ConnectionClosedException());
		}
		context.fireChannelInactive();
	}

	/**
	 * A response whose head is not one of HTTP: Reactor Netty's
	 * {@code HttpClientConnect.HttpObserver} would log a warning with a stack trace. What
	 * follows on that connection cannot be read either.
	 */
	@Override
	public void channelRead(ChannelHandlerContext context, Object message) {
		HttpExchange exchange = null;
		if (message instanceof HttpResponse response && response.decoderResult().isFailure()) {
			exchange = exchange(context.channel());
		}
		if (exchange == null) {
			context.fireChannelRead(message);
			return;
		}
		Throwable cause = ((HttpResponse) message).decoderResult().cause();
		ReferenceCountUtil.release(message);
		exchange.lost(cause);
		context.close();
	}

	@Override
	public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
		HttpExchange exchange = exchange(context.channel());
		if (exchange != null) {
			exchange.lost(cause);
		}
		context.fireExceptionCaught(cause);
	}

	/**
	 * Return the exchange that waits for its response.
	 * @param channel the connection
	 * @return the exchange, or {@code null} where Reactor Netty knows better what to do
	 */
	private static @Nullable HttpExchange exchange(Channel channel) {
		ChannelOperations<?, ?> operations = ChannelOperations.get(channel);
		if (operations instanceof HttpOperations<?, ?> http && http.hasSentHeaders()
				&& operations instanceof HttpClientInfos request) {
			return request.currentContextView().getOrDefault(HttpExchange.class, null);
		}
		return null;
	}

	/**
	 * The server closed the connection in good order.
	 */
	static final class ConnectionClosedException extends IOException {

		private static final long serialVersionUID = 1L;

		ConnectionClosedException() {
			super("The server closed the connection without an answer");
		}

	}

}
