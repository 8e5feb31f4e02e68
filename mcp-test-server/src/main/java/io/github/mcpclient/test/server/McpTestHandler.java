package io.github.mcpclient.test.server;

/**
 * Determines the reply to a request. It runs on a thread of the server, may block, and
 * must be thread-safe.
 */
@FunctionalInterface
public interface McpTestHandler {

	/**
	 * Handle a request.
	 * @param request the request
	 * @return the reply
	 * @throws Exception if the handler fails: the client receives a JSON-RPC error with
	 * code -32603 and the exception's message
	 */
	McpTestReply reply(McpTestRequest request) throws Exception;

}
