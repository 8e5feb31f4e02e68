package io.github.mcpclient;

import org.jspecify.annotations.Nullable;

/**
 * The connection to a server failed while a request was pending. The server may have
 * acted on the request, unless {@link #isOutcomeKnown()} returns {@code true}.
 */
public class McpConnectionException extends McpException {

	/**
	 * Create an exception.
	 * @param message what happened, with the server's name and the next step
	 * @param outcomeKnown {@code true} if the server cannot have acted on the request, so
	 * that it is safe to repeat it
	 * @param cause the cause, or {@code null}
	 */
	public McpConnectionException(String serverName, String message, boolean outcomeKnown, @Nullable Throwable cause) {
		super(serverName, message, outcomeKnown, cause);
	}

}
