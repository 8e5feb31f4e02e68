package io.github.mcpclient.transport;

import io.github.mcpclient.definition.McpServerDefinition;
import io.modelcontextprotocol.spec.McpSchema;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCRequest;

/**
 * How large the answer to a call may be. Listings and what else the connection itself
 * needs may have the size of any message.
 */
public final class ResultLimit {

	/**
	 * What an answer has beside its result: {@code jsonrpc}, an id, the names of all.
	 */
	public static final int ENVELOPE = 64;

	private final McpServerDefinition definition;

	private final int size;

	/**
	 * Creates the limit of a server.
	 */
	public ResultLimit(McpServerDefinition definition) {
		this.definition = definition;
		long size = definition.limits().maxResultSize().toBytes() + ENVELOPE;
		this.size = (size < definition.limits().maxMessageSize().toBytes()) ? (int) size : Integer.MAX_VALUE;
	}

	/**
	 * Returns the largest size in bytes of the answer to a call, or
	 * {@link Integer#MAX_VALUE} where just the limit of all messages holds.
	 */
	public int size() {
		return this.size;
	}

	/**
	 * Returns the same for the answer to any request.
	 */
	public int size(JSONRPCRequest request) {
		return appliesTo(request) ? this.size : Integer.MAX_VALUE;
	}

	/**
	 * Returns whether the limit holds for the answer to a request.
	 */
	public static boolean appliesTo(JSONRPCRequest request) {
		return switch (request.method()) {
			case McpSchema.METHOD_TOOLS_CALL, McpSchema.METHOD_PROMPT_GET, McpSchema.METHOD_RESOURCES_READ,
					McpSchema.METHOD_COMPLETION_COMPLETE ->
				true;
			default -> false;
		};
	}

	/**
	 * Returns the failure of a call whose answer is larger.
	 */
	public ResultTooLargeException exceeded() {
		return new ResultTooLargeException(this.definition.name(), this.definition.limits().maxResultSize());
	}

}
