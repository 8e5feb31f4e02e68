package io.github.mcpclient.internal.transport;

import java.util.Collections;
import java.util.List;
import java.util.Map;

import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.internal.support.RecentItems;
import io.github.mcpclient.spi.SupervisedTransport;
import io.github.mcpclient.spi.TransportException;
import io.modelcontextprotocol.spec.McpSchema;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCMessage;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCRequest;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCResponse;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCResponse.JSONRPCError;
import org.jspecify.annotations.Nullable;

/**
 * The requests in flight on a transport that has one stream for all messages. Limits the
 * size of each response, and ends the requests of a client that does not observe the
 * transport's {@linkplain SupervisedTransport#termination() termination} when the
 * transport ends. Safe for use by many threads.
 */
final class RequestsInFlight {

	private static final int MAX_REQUESTS = 10_000;

	private static final int CONNECTION_LOST = -32000;

	private final ResultLimit limit;

	// By ID, as text. Calls of a supervised client need no entry. Requests without a
	// response
	// are forgotten, the eldest first.
	private final Map<String, JSONRPCRequest> requests = Collections.synchronizedMap(RecentItems.map(MAX_REQUESTS));

	private volatile @Nullable Object handshake;

	private volatile boolean begun;

	private volatile boolean supervised;

	/**
	 * Create the requests to a server.
	 */
	RequestsInFlight(McpServerDefinition definition) {
		this.limit = new ResultLimit(definition);
	}

	/**
	 * Note that the client observes the end of the transport and needs no response at
	 * that time.
	 */
	void supervised() {
		this.supervised = true;
	}

	/**
	 * Note a request that is about to be sent.
	 */
	void sending(JSONRPCRequest request) {
		if (!this.begun && this.handshake == null) {
			this.handshake = request.id();
		}
		if (!this.supervised || !ResultLimit.appliesTo(request)) {
			this.requests.put(String.valueOf(request.id()),
					new JSONRPCRequest(McpSchema.JSONRPC_VERSION, request.method(), request.id(), null));
		}
	}

	/**
	 * Return the ID of the request with which the session may begin, until the first
	 * response, since no other request is in flight before that; {@code null} once it has
	 * begun.
	 */
	@Nullable Object handshake() {
		return this.handshake;
	}

	/**
	 * Return a message of the server, or an error that replaces a response that is too
	 * large.
	 * @param size its size in bytes
	 */
	JSONRPCMessage received(JSONRPCMessage message, int size) {
		if (!(message instanceof JSONRPCResponse response)) {
			return message;
		}
		if (!this.begun) {
			this.handshake = null;
			this.begun = response.error() == null;
		}
		return (size > maxSize(response.id())) ? error(response.id(), this.limit.exceeded()) : message;
	}

	/**
	 * Return an error that replaces a response larger than any message may be, or
	 * {@code null} if it is not a response to a call.
	 * @param json the start and the end of the response
	 */
	@Nullable JSONRPCResponse skipped(byte[] json, int offset, int length) {
		Object id = AnswerEnvelope.id(json, offset, length);
		return (id != null && maxSize(id) != Integer.MAX_VALUE) ? error(id, this.limit.exceeded()) : null;
	}

	/**
	 * Return an error that replaces a response that is not read; empty if it is not a
	 * response.
	 */
	List<JSONRPCMessage> failed(byte[] json, int offset, int length, TransportException failure) {
		Object id = AnswerEnvelope.id(json, offset, length);
		if (id == null) {
			return List.of();
		}
		this.requests.remove(String.valueOf(id));
		return List.of(error(id, failure));
	}

	private int maxSize(@Nullable Object id) {
		JSONRPCRequest request = this.requests.isEmpty() ? null : this.requests.remove(String.valueOf(id));
		return (request != null) ? this.limit.size(request) : this.limit.size();
	}

	private static JSONRPCResponse error(@Nullable Object id, TransportException failure) {
		return JSONRPCResponse.error(id,
				new JSONRPCError(McpSchema.ErrorCodes.INTERNAL_ERROR, String.valueOf(failure.getMessage()), failure));
	}

	/**
	 * Return errors for all requests of a client that is not supervised.
	 */
	List<JSONRPCResponse> lost(TransportException reason) {
		if (this.supervised) {
			return List.of();
		}
		JSONRPCError error = new JSONRPCError(CONNECTION_LOST, String.valueOf(reason.getMessage()));
		return List.copyOf(this.requests.values())
			.stream()
			.map((request) -> JSONRPCResponse.error(request.id(), error))
			.toList();
	}

}
