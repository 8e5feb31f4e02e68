package io.github.mcpclient.transport.http;

import io.github.mcpclient.transport.HttpStatusException;
import io.github.mcpclient.transport.TransportException;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCMessage;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCRequest;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;

/**
 * One of the two ways in which MCP uses HTTP, for one transport.
 */
interface HttpProtocol {

	/**
	 * Do what must be done before messages can be sent.
	 */
	Mono<Void> open();

	Mono<Void> send(JSONRPCMessage message);

	HttpPost call(HttpRequests requests, JSONRPCRequest request, byte[] body, MonoSink<Void> sink);

	/**
	 * Close the stream of what the server says unasked, and do not open it again.
	 */
	void closeStream(TransportException cause);

	/**
	 * Tell the server that the session is over, within a bounded time. Never fails.
	 */
	default Mono<Void> endSession() {
		return Mono.empty();
	}

	/**
	 * Return whether there is a session that the server could lose.
	 */
	boolean hasSession();

	/**
	 * Hide the id of the session in a text of the server.
	 */
	String mask(String text);

	default HttpStatusException refusal(HttpStatusException failure) {
		return failure;
	}

	/**
	 * Word the end of the transport.
	 */
	default Throwable word(Throwable failure) {
		return failure;
	}

	/**
	 * Return the type, where it is not that of the definition.
	 */
	default @Nullable String type() {
		return null;
	}

}
