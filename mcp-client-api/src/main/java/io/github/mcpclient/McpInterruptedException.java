package io.github.mcpclient;

/**
 * The calling thread was interrupted while it waited for a server. If the request was
 * already sent, it was cancelled at the server, which may have acted on it nevertheless.
 * The interrupt status of the thread is set.
 */
public class McpInterruptedException extends McpException {

	/**
	 * Create an exception.
	 * @param request what the thread waited for, such as {@code tools/call echo}
	 */
	public McpInterruptedException(String serverName, String request, InterruptedException cause) {
		super(serverName, "The thread that called MCP server '" + serverName + "' was interrupted while it waited for "
				+ request + ". The request was cancelled, if it was sent.", cause);
	}

}
