package io.github.mcpclient.internal.transport.http;

import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.util.ReferenceCountUtil;
import reactor.netty.Connection;
import reactor.netty.NettyPipeline;
import reactor.netty.http.client.HttpClientRequest;

/**
 * Passes over what comes before a response, such as early hints (RFC 9110, 15.2): Reactor
 * Netty does so with {@code 100 Continue} alone, and takes any other for the response.
 */
@Sharable
final class InterimResponses extends ChannelInboundHandlerAdapter {

	private static final InterimResponses INSTANCE = new InterimResponses();

	private InterimResponses() {
	}

	/**
	 * Prepare the channel of a request, which over HTTP/2 is of that request alone.
	 */
	static void passOver(HttpClientRequest request, Connection connection) {
		ChannelPipeline pipeline = connection.channel().pipeline();
		// there is no bridge where the channel has just been closed
		if (pipeline.get(InterimResponses.class) == null && pipeline.get(NettyPipeline.ReactiveBridge) != null) {
			pipeline.addBefore(NettyPipeline.ReactiveBridge, InterimResponses.class.getName(), INSTANCE);
		}
	}

	static boolean isInterim(HttpResponse response) {
		return response.status().codeClass() == HttpStatusClass.INFORMATIONAL
				&& !response.status().equals(HttpResponseStatus.SWITCHING_PROTOCOLS);
	}

	@Override
	public void channelRead(ChannelHandlerContext context, Object message) {
		if (message instanceof HttpResponse response && isInterim(response)) {
			if (message instanceof FullHttpResponse) {
				ReferenceCountUtil.release(message);
				context.read();
				return;
			}
			// its end is still to come, and Reactor Netty knows of what
			response.setStatus(HttpResponseStatus.CONTINUE);
		}
		context.fireChannelRead(message);
	}

}
