package io.github.mcpclient.transport;

import io.github.mcpclient.McpServerDefinition;
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
	 * Create the limit of a server.
	 * @param definition the server
	 */
	public ResultLimit(McpServerDefinition definition) {
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
	public int size(JSONRPCRequest request) {
		return appliesTo(request) ? this.size : Integer.MAX_VALUE;
	}

	/**
	 * Return the largest size of an answer to a call.
	 * @return the size in bytes, or {@link Integer#MAX_VALUE} where just the limit of all
	 * messages holds
	 */
	public int size() {
		return this.size;
	}

	/**
	 * Return whether the limit applies to the answer to a request.
	 * @param request the request
	 * @return whether it is a call of the application
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
	 * Return the failure of a call whose answer is larger.
	 * @return the exception
	 */
	public ResultTooLargeException exceeded() {
		return new ResultTooLargeException(this.definition.name(), this.definition.limits().maxResultSize());
	}

}
