package io.github.mcpclient.transport.http;

import io.modelcontextprotocol.spec.McpSchema.JSONRPCRequest;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCResponse;
import reactor.core.publisher.MonoSink;
import reactor.netty.http.client.HttpClientResponse;

/**
 * A request to a server of the older protocol. Its answer comes on the stream, before the
 * server accepts the request where it does that only when it has dealt with it.
 */
final class SseCall extends HttpCall {

	private final SseProtocol protocol;

	private volatile boolean sent;

	SseCall(HttpTransport transport, SseProtocol protocol, HttpRequests requests, JSONRPCRequest request, byte[] body,
			MonoSink<Void> sink) {
		super(transport, requests, request, body, sink);
		this.protocol = protocol;
	}

	@Override
	HttpBody accepted(HttpClientResponse response, HttpExchange exchange) {
		this.protocol.messageAccepted();
		after(DRAIN_TIMEOUT, () -> {
			exchange.dispose();
			sent();
		});
		return HttpBody.ignoredUntilEnd(this::sent);
	}

	@Override
	boolean receive(JSONRPCResponse response) {
		this.protocol.messageAccepted();
		return super.receive(response);
	}

	private void sent() {
		this.sent = true;
		if (isDone()) {
			release();
		}
	}

	@Override
	void leaveResponse() {
		if (this.sent) {
			release();
		}
		else {
			super.leaveResponse();
		}
	}

}
