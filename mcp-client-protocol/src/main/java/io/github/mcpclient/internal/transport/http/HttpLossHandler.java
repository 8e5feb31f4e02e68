package io.github.mcpclient.internal.transport.http;

import java.io.EOFException;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.util.ReferenceCountUtil;
import reactor.netty.NettyPipeline;
import reactor.netty.channel.ChannelOperations;
import reactor.netty.http.HttpOperations;
import reactor.netty.http.client.HttpClientInfos;

/**
 * Notifies a {@link Listener} that its connection was lost, or is unusable, after the
 * request was sent and before the response began. Reactor Netty would do that as well,
 * but with a warning and a stack trace in the log each time: a server that keeps dropping
 * connections would flood the log.
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
		lost(context, new EOFException("No response"));
		context.fireChannelInactive();
	}

	/**
	 * A response whose head is not HTTP: Reactor Netty's
	 * {@code HttpClientConnect.HttpObserver} would log a warning with a stack trace.
	 * Later data on that connection cannot be read either.
	 */
	@Override
	public void channelRead(ChannelHandlerContext context, Object message) {
		Throwable failure = (message instanceof HttpResponse response) ? response.decoderResult().cause() : null;
		if (failure != null && lost(context, failure)) {
			ReferenceCountUtil.release(message);
			context.close();
		}
		else {
			context.fireChannelRead(message);
		}
	}

	@Override
	public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
		lost(context, cause);
		context.fireExceptionCaught(cause);
	}

	/**
	 * Notify the listener that waits for the response.
	 * @return whether there is one; otherwise Reactor Netty handles the loss
	 */
	private static boolean lost(ChannelHandlerContext context, Throwable failure) {
		ChannelOperations<?, ?> operations = ChannelOperations.get(context.channel());
		if (operations instanceof HttpOperations<?, ?> http && http.hasSentHeaders()
				&& operations instanceof HttpClientInfos request) {
			Listener listener = request.currentContextView().getOrDefault(Listener.class, null);
			if (listener != null) {
				listener.lost(failure);
			}
			return listener != null;
		}
		return false;
	}

	/**
	 * Who waits for a response; put, by its class, into the context of the request.
	 */
	interface Listener {

		/**
		 * The connection was lost.
		 */
		void lost(Throwable failure);

	}

}
