package io.github.mcpclient.transport.http;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpHeaderNames;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.MonoSink;
import reactor.netty.http.client.HttpClient.ResponseReceiver;
import reactor.netty.http.client.HttpClientResponse;

/**
 * A notification, or the answer to a request of the server: done once the server accepts
 * it.
 */
final class StreamableHttpNotification extends StreamableHttpPost {

	StreamableHttpNotification(StreamableHttpTransport transport, HttpRequests requests, byte[] body,
			MonoSink<Void> sink) {
		super(transport, requests, body, sink);
	}

	@Override
	ResponseReceiver<?> request(HttpRequests requests, byte[] body) {
		return requests.notification(body);
	}

	@Override
	HttpBody accepted(HttpClientResponse response, HttpExchange exchange) {
		inAMoment(this::finish);
		if (!response.responseHeaders().contains(HttpHeaderNames.CONTENT_LENGTH) && complete()) {
			succeed();
		}
		// else the end is near, and with it a connection for the next message
		return new Rest();
	}

	private void finish() {
		boolean first = complete();
		release();
		if (first) {
			succeed();
		}
	}

	/**
	 * What servers send though there is nothing to say.
	 */
	private final class Rest implements HttpBody {

		@Override
		public void data(ByteBuf chunk) {
		}

		@Override
		public void end(@Nullable Throwable failure) {
			finish();
		}

	}

}
