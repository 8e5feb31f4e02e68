package io.github.mcpclient.transport.http;

import io.modelcontextprotocol.spec.McpSchema.JSONRPCResponse.JSONRPCError;
import io.netty.handler.codec.http.HttpHeaders;
import reactor.core.publisher.MonoSink;
import tools.jackson.databind.JsonNode;

/**
 * A message of a session that may have an id.
 */
abstract class StreamableHttpPost extends HttpPost {

	private final StreamableHttpTransport transport;

	StreamableHttpPost(StreamableHttpTransport transport, HttpRequests requests, byte[] body, MonoSink<Void> sink) {
		super(transport, requests, body, sink);
		this.transport = transport;
	}

	final StreamableHttpTransport transport() {
		return this.transport;
	}

	/**
	 * The server answered with an error status.
	 * @param status the status
	 * @param error the body, a JSON-RPC error
	 * @param ours whether it has the id of this request
	 * @return whether the message is done with; otherwise it fails
	 */
	boolean rejected(int status, JsonNode error, boolean ours) {
		return false;
	}

	@Override
	final void rejected(int status, HttpHeaders headers, byte[] content) {
		HttpFailures failures = failures();
		String sessionId = requests().sessionId();
		JsonNode error = this.transport.error(content);
		JSONRPCError answer = answer(status, error, content);
		String text = errorText(error, content);
		if (sessionId != null && isSessionLost(status, error, text.replace(sessionId, ""))) {
			sessionLost(status, answer, text.replace(sessionId, ""));
		}
		else if (error == null || !rejected(status, error, answer != null)) {
			fail(failures.status(status, headers, text, sessionId, answer != null));
		}
		else {
			release();
		}
	}

}
