package io.github.mcpclient.transport.http;

import java.time.Duration;

import io.modelcontextprotocol.spec.McpSchema;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCRequest;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCResponse;
import reactor.core.publisher.MonoSink;
import reactor.netty.http.client.HttpClient.ResponseReceiver;
import tools.jackson.databind.JsonNode;

/**
 * A request, which is done when it was answered.
 */
abstract class HttpCall extends HttpPost {

	// short, since each such request takes a connection meanwhile
	private static final Duration ANSWERED_ELSEWHERE_TIMEOUT = Duration.ofMillis(100);

	private final JSONRPCRequest request;

	private final String key;

	private final int maxAnswerSize;

	HttpCall(HttpTransport transport, HttpRequests requests, JSONRPCRequest request, byte[] body, MonoSink<Void> sink) {
		super(transport, requests, body, sink);
		this.request = request;
		this.key = key(request.id());
		this.maxAnswerSize = transport.setup().resultLimit().size(request);
	}

	final boolean is(String method) {
		return method.equals(this.request.method());
	}

	@Override
	final Object id() {
		return this.request.id();
	}

	@Override
	final String key() {
		return this.key;
	}

	@Override
	final ResponseReceiver<?> request(HttpRequests requests, byte[] body) {
		return requests.call(body);
	}

	final int maxAnswerSize() {
		return this.maxAnswerSize;
	}

	final void failAsTooLarge() {
		fail(setup().resultLimit().exceeded());
	}

	/**
	 * The answer arrived.
	 * @return whether it is the first one: the caller must {@link #succeed}
	 */
	boolean receive(JSONRPCResponse response) {
		if (!complete()) {
			return false;
		}
		if (is(McpSchema.METHOD_INITIALIZE) && response.result() instanceof JsonNode result) {
			transport().negotiated(result.path("protocolVersion").asString(""));
		}
		transport().deliver(response);
		return true;
	}

	/**
	 * The answer arrived on a stream that is not the response.
	 * @param size its size in bytes
	 */
	final void answeredElsewhere(JSONRPCResponse response, int size) {
		if (size > this.maxAnswerSize) {
			failAsTooLarge();
		}
		else if (receive(response)) {
			leaveResponse();
			succeed();
		}
	}

	/**
	 * {@link #release Release}, soon: the server may leave the response open.
	 */
	void leaveResponse() {
		after(ANSWERED_ELSEWHERE_TIMEOUT, this::release);
	}

}
