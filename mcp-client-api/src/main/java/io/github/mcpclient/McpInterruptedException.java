package io.github.mcpclient;

/**
 * Thrown if the calling thread is interrupted while it waits for a server. A request that
 * was already sent is cancelled at the server, which may have acted on it nevertheless,
 * unless {@link #isOutcomeKnown()} returns {@code true}. The interrupt status of the
 * thread is set.
 */
public class McpInterruptedException extends McpException {

	private final String request;

	/**
	 * Create an exception.
	 * @param request the request that the thread waited for, such as {@code tools/call
	 * echo}
	 * @param outcomeKnown whether it is certain that the request was not sent
	 * @param cause what interrupted the thread
	 */
	public McpInterruptedException(String serverName, String request, boolean outcomeKnown,
			InterruptedException cause) {
		super(serverName,
				"The thread that called MCP server '" + serverName + "' was interrupted while it waited for " + request
						+ (outcomeKnown ? ". Nothing was sent." : ". The request was cancelled, if it was sent."),
				outcomeKnown, cause);
		this.request = request;
	}

	/**
	 * Return the request that the thread waited for, such as {@code tools/call echo}.
	 */
	public String getRequest() {
		return this.request;
	}

}
