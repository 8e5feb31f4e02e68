package io.github.mcpclient.test.server;

/**
 * Decides how a request is answered. Runs on a thread of the server, where it may block,
 * and must be safe for use by many threads.
 */
@FunctionalInterface
public interface McpTestHandler {

	/**
	 * Answer a request.
	 * @param request the request
	 * @return the reply
	 * @throws Exception where the test goes wrong: the client receives a JSON-RPC error
	 * with code -32603 and the exception's message
	 */
	McpTestReply reply(McpTestRequest request) throws Exception;

}
