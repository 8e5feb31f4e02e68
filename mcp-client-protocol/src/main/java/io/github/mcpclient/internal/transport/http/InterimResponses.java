package io.github.mcpclient.internal.transport.http;

import java.util.Arrays;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.util.ReferenceCountUtil;
import reactor.netty.NettyPipeline;
import reactor.netty.http.HttpProtocol;
import reactor.netty.http.client.HttpClient;

/**
 * Skips interim responses, such as early hints (RFC 9110, 15.2): Reactor Netty does so
 * only with {@code 100 Continue}, and takes any other for the response.
 */
@Sharable
final class InterimResponses extends ChannelInboundHandlerAdapter {

	private static final HttpProtocol[] HTTP_1_1 = { HttpProtocol.HTTP11 };

	private static final InterimResponses INSTANCE = new InterimResponses();

	private InterimResponses() {
	}

	/**
	 * Return a client that does so: on each of its connections, or, where the server may
	 * choose HTTP/2, on the channel of each request.
	 */
	static HttpClient passOver(HttpClient client) {
		return Arrays.equals(client.configuration().protocols(), HTTP_1_1)
				? client.doOnChannelInit((observer, channel, address) -> passOver(channel))
				: client.doOnRequest((request, connection) -> passOver(connection.channel()));
	}

	private static void passOver(Channel channel) {
		ChannelPipeline pipeline = channel.pipeline();
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
			// its end is still to come, and Reactor Netty knows which response it ends
			response.setStatus(HttpResponseStatus.CONTINUE);
		}
		context.fireChannelRead(message);
	}

}
