package io.github.mcpclient.internal.transport;

import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.internal.support.PropertyNames;
import io.github.mcpclient.spi.TransportException;
import io.modelcontextprotocol.spec.McpSchema;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCRequest;

import org.springframework.util.unit.DataSize;

/**
 * The size limit of the response to a call. Listings and other requests of the connection
 * itself may have the size of any message.
 */
public final class ResultLimit {

	/**
	 * The size of a response in addition to its result: {@code jsonrpc}, an ID, the
	 * member names.
	 */
	public static final int ENVELOPE = 64;

	private final McpServerDefinition definition;

	private final int size;

	/**
	 * Create the limit of a server.
	 */
	public ResultLimit(McpServerDefinition definition) {
		this.definition = definition;
		long size = definition.limits().maxResultSize().toBytes() + ENVELOPE;
		this.size = (size < definition.limits().maxMessageSize().toBytes()) ? (int) size : Integer.MAX_VALUE;
	}

	/**
	 * Return the largest size in bytes of the response to a call, or
	 * {@link Integer#MAX_VALUE} if only the limit of all messages applies.
	 */
	public int size() {
		return this.size;
	}

	/**
	 * Return the same for the response to any request.
	 */
	public int size(JSONRPCRequest request) {
		return appliesTo(request) ? this.size : Integer.MAX_VALUE;
	}

	/**
	 * Return whether the limit applies to the response to a request.
	 */
	public static boolean appliesTo(JSONRPCRequest request) {
		return switch (request.method()) {
			case McpSchema.METHOD_TOOLS_CALL, McpSchema.METHOD_PROMPT_GET, McpSchema.METHOD_RESOURCES_READ,
					McpSchema.METHOD_COMPLETION_COMPLETE, "tasks/get", "tasks/result" ->
				true;
			default -> false;
		};
	}

	/**
	 * Return the failure of a call whose response is larger.
	 */
	public ExceededException exceeded() {
		return new ExceededException(this.definition.name(), this.definition.limits().maxResultSize());
	}

	/**
	 * A server responded to a call with a result that is larger than allowed, and was not
	 * read.
	 */
	public static class ExceededException extends TransportException {

		private final DataSize limit;

		/**
		 * Create an exception.
		 * @param serverName the name of the server
		 * @param limit the size that is allowed
		 */
		public ExceededException(String serverName, DataSize limit) {
			super("The server's result is larger than " + limit,
					"Request less data, or raise " + PropertyNames.ofServer(serverName, "max-result-size") + ".", null);
			this.limit = limit;
		}

		/**
		 * Return the size that is allowed.
		 */
		public DataSize getLimit() {
			return this.limit;
		}

	}

}
