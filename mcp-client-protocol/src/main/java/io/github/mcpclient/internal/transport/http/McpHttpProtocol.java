package io.github.mcpclient.internal.transport.http;

import io.github.mcpclient.internal.transport.HttpStatusException;
import io.github.mcpclient.spi.TransportException;
import org.jspecify.annotations.Nullable;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import reactor.netty.http.client.HttpClientResponse;
import tools.jackson.databind.JsonNode;

/**
 * One of the ways in which MCP uses HTTP, for one transport: the exchanges in addition to
 * the messages, and how the response to a message is read.
 */
interface McpHttpProtocol {

	String SESSION_LOST = "The server no longer knows the session";

	/**
	 * Prepare the transport before messages can be sent.
	 */
	default Mono<Void> open() {
		return Mono.empty();
	}

	/**
	 * Have {@code initialize} sent.
	 * @param sent sends it, and completes when it is {@linkplain PostedMessage done}
	 */
	default Mono<Void> initialize(Mono<Void> sent) {
		return sent;
	}

	/**
	 * Send the notification that follows the response to {@code initialize}.
	 */
	default Mono<Void> initialized(Mono<Void> sent) {
		return sent;
	}

	/**
	 * The server responded to a request with success.
	 * @param attempt the exchange to dispose of if the body is not read to its end
	 * @return the reader of the body
	 */
	HttpBody accepted(PostedMessage request, HttpClientResponse response, Disposable attempt);

	/**
	 * Return whether an error status ends a request.
	 * @param json the body
	 * @param ours whether it has the ID of the request
	 */
	default boolean isAnswer(PostedMessage request, HttpError error, JsonNode json, boolean ours) {
		return false;
	}

	/**
	 * Return the check that detects whether the transport is still usable.
	 */
	SessionCheck check();

	/**
	 * Return whether a stream that ends before the response can be continued.
	 */
	default boolean resumes() {
		return true;
	}

	/**
	 * Close the event stream, and do not open it again.
	 */
	default void closeStream(TransportException cause) {
	}

	/**
	 * Tell the server that the session is over, within a bounded time. Never fails.
	 */
	default Mono<Void> endSession() {
		return Mono.empty();
	}

	/**
	 * Return whether there is a session that the server could lose.
	 */
	default boolean hasSession() {
		return false;
	}

	/**
	 * Mask the ID of the session in a text of the server.
	 */
	default String mask(String text) {
		return text;
	}

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
