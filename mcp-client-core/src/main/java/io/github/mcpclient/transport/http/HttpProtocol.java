package io.github.mcpclient.transport.http;

import io.github.mcpclient.spi.TransportException;
import io.github.mcpclient.transport.HttpStatusException;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCMessage;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCResponse;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCResponse.JSONRPCError;
import org.jspecify.annotations.Nullable;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import reactor.netty.http.client.HttpClientResponse;
import tools.jackson.databind.JsonNode;

/**
 * One of the ways in which MCP uses HTTP, for one transport: what there is beside the
 * messages, and how the response to one is read.
 */
interface HttpProtocol {

	String SESSION_LOST = "The server no longer knows the session";

	String REPLACED = "The server no longer speaks the protocol revision of the session";

	/**
	 * Do what must be done before messages can be sent.
	 */
	Mono<Void> open();

	/**
	 * Have a message sent.
	 * @param sent sends it, and completes when it is {@linkplain PostedMessage done}
	 */
	Mono<Void> send(JSONRPCMessage message, Mono<Void> sent);

	/**
	 * The server answered a request with success.
	 * @param attempt what to dispose of where the body is not to be read to its end
	 * @return what to do with the body
	 */
	HttpBody accepted(PostedMessage request, HttpClientResponse response, Disposable attempt);

	/**
	 * Return whether an error status answers a request.
	 * @param json the body
	 * @param ours whether it has the id of the request
	 */
	default boolean isAnswer(PostedMessage request, HttpError error, JsonNode json, boolean ours) {
		return false;
	}

	/**
	 * Return whether an answer may say that the session is lost, which is found out then.
	 */
	default boolean doubts(PostedMessage request, JSONRPCResponse answer, JSONRPCError error) {
		SessionCheck check = check();
		return check != null
				&& check.doubts(request, 200, String.valueOf(error.message()), error, () -> request.trust(answer));
	}

	/**
	 * Return whether an error status may say that the transport is of no use any more,
	 * which is found out then: the request is {@linkplain PostedMessage#refused refused}
	 * if not.
	 */
	default boolean doubts(PostedMessage request, HttpError error, String text) {
		SessionCheck check = check();
		return check != null && check.doubts(request, error, request.answer(error), () -> request.refused(error));
	}

	/**
	 * Return whether a request is one of the transport, which the session does not know.
	 */
	default boolean isOwn(PostedMessage request) {
		SessionCheck check = check();
		return check != null && check.isOwn(request.request());
	}

	/**
	 * Return what finds out whether the server has lost the session, where there may be
	 * one.
	 */
	default @Nullable SessionCheck check() {
		return null;
	}

	/**
	 * Return why an error status ends the session, or {@code null} if it does not.
	 */
	default @Nullable String lost(PostedMessage request, HttpError error, String text) {
		return (hasSession() && error.status() == 404) ? SESSION_LOST : null;
	}

	/**
	 * Return whether a stream that ends before the answer can be continued.
	 */
	default boolean resumes() {
		return true;
	}

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
