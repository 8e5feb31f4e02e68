package io.github.mcpclient.transport;

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
	 * @param error the body, if it is a JSON-RPC error
	 * @return whether the message is done with; otherwise it fails
	 */
	boolean rejected(int status, JsonNode error) {
		return false;
	}

	@Override
	final void rejected(int status, HttpHeaders headers, byte[] content) {
		HttpFailures failures = failures();
		String sessionId = requests().sessionId();
		JsonNode error = this.transport.error(content);
		String text = errorText(error, content);
		if (sessionId != null && isSessionLost(status, error, text.replace(sessionId, ""))) {
			sessionLost(status, answer(status, error), text.replace(sessionId, ""));
		}
		else if (error == null || !rejected(status, error)) {
			fail(failures.status(status, headers, text, sessionId, answer(status, error) != null));
		}
		else {
			release();
		}
	}

}
