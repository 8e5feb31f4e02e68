package io.github.mcpclient.transport.http;

import io.modelcontextprotocol.spec.McpSchema;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCRequest;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCResponse;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCResponse.JSONRPCError;
import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpHeaders;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.MonoSink;
import reactor.netty.http.client.HttpClient.ResponseReceiver;
import reactor.netty.http.client.HttpClientResponse;
import tools.jackson.databind.JsonNode;

/**
 * A message to a server of the older transport. One that is not a request is done once
 * the server accepts it; a request is done with its answer, which comes on the stream,
 * and before the server accepts the request where it does that only when it has dealt
 * with it.
 */
final class SsePost extends HttpPost {

	private final SseTransport transport;

	private final @Nullable JSONRPCRequest request;

	private volatile boolean sent;

	SsePost(SseTransport transport, HttpRequests requests, @Nullable JSONRPCRequest request, byte[] body,
			MonoSink<Void> sink) {
		super(transport, requests, body, sink);
		this.transport = transport;
		this.request = request;
	}

	@Override
	@Nullable Object id() {
		return (this.request != null) ? this.request.id() : null;
	}

	@Override
	Object key() {
		return (this.request != null) ? key(this.request.id()) : this;
	}

	@Override
	ResponseReceiver<?> request(HttpRequests requests, byte[] body) {
		return (this.request != null) ? requests.call(body) : requests.notification(body);
	}

	@Override
	HttpBody accepted(HttpClientResponse response, HttpExchange exchange) {
		this.transport.accepted();
		inAMoment(() -> {
			exchange.dispose();
			sent();
		});
		return new Rest();
	}

	private void sent() {
		this.sent = true;
		if (this.request == null && complete()) {
			succeed();
		}
		if (isDone()) {
			release();
		}
	}

	/**
	 * The answer arrived.
	 * @param response the answer
	 * @param size its size in bytes
	 */
	void answer(JSONRPCResponse response, int size) {
		if (this.request != null && size > this.transport.resultLimit().size(this.request)) {
			fail(this.transport.resultLimit().exceeded());
			return;
		}
		if (!complete()) {
			return;
		}
		if (this.request != null && McpSchema.METHOD_INITIALIZE.equals(this.request.method())
				&& response.result() instanceof JsonNode result) {
			this.transport.negotiated(result.path("protocolVersion").asString(""));
		}
		this.transport.deliver(response);
		if (this.sent) {
			release();
		}
		else {
			releaseAnsweredElsewhere();
		}
		succeed();
	}

	@Override
	void rejected(int status, HttpHeaders headers, byte[] content) {
		HttpFailures failures = failures();
		JsonNode error = this.transport.error(content);
		JSONRPCError answer = answer(status, error, content);
		String text = this.transport.mask(errorText(error, content));
		if (!this.transport.hasAccepted()) {
			fail(failures.endpointRefused(failures.status(status, headers, text, null, false), status));
		}
		else if (isSessionLost(status, error, text)) {
			sessionLost(status, answer, text);
		}
		else {
			fail(failures.status(status, headers, text, null, answer != null));
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
			sent();
		}

	}

}
