package io.github.mcpclient.transport;

import io.github.mcpclient.McpServerDefinition;
import io.modelcontextprotocol.spec.McpSchema;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCRequest;

/**
 * How large the answer to a call may be. Listings and what else the connection itself
 * needs may have the size of any message.
 */
final class ResultLimit {

	/**
	 * What an answer has beside its result: {@code jsonrpc}, an id, the names of all.
	 */
	static final int ENVELOPE = 64;

	private final McpServerDefinition definition;

	private final int size;

	ResultLimit(McpServerDefinition definition) {
		this.definition = definition;
		long size = definition.limits().maxResultSize().toBytes() + ENVELOPE;
		this.size = (size < definition.limits().maxMessageSize().toBytes()) ? (int) size : Integer.MAX_VALUE;
	}

	/**
	 * Return the largest size of an answer to a request.
	 * @param request the request
	 * @return the size in bytes, or {@link Integer#MAX_VALUE} where just the limit of all
	 * messages holds
	 */
	int size(JSONRPCRequest request) {
		return appliesTo(request) ? this.size : Integer.MAX_VALUE;
	}

	/**
	 * Return the largest size of an answer to a call.
	 * @return the size in bytes, or {@link Integer#MAX_VALUE} where just the limit of all
	 * messages holds
	 */
	int size() {
		return this.size;
	}

	static boolean appliesTo(JSONRPCRequest request) {
		return switch (request.method()) {
			case McpSchema.METHOD_TOOLS_CALL, McpSchema.METHOD_PROMPT_GET, McpSchema.METHOD_RESOURCES_READ,
					McpSchema.METHOD_COMPLETION_COMPLETE ->
				true;
			default -> false;
		};
	}

	ResultTooLargeException exceeded() {
		return new ResultTooLargeException(this.definition.name(), this.definition.limits().maxResultSize());
	}

}
