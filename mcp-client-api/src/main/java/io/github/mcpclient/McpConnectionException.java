package io.github.mcpclient;

import org.jspecify.annotations.Nullable;

/**
 * The connection to a server failed while a request was pending. The server may have
 * acted on the request, unless {@link #isOutcomeKnown()} returns {@code true}.
 */
public class McpConnectionException extends McpException {

	private final boolean outcomeKnown;

	/**
	 * Create an exception.
	 * @param message what happened, with the server's name and the next step
	 * @param outcomeKnown whether it is certain that the server did not act on the
	 * request
	 */
	public McpConnectionException(String serverName, String message, boolean outcomeKnown, @Nullable Throwable cause) {
		super(serverName, message, cause);
		this.outcomeKnown = outcomeKnown;
	}

	/**
	 * Return whether it is certain that the server did not act on the request, so that it
	 * is safe to repeat it.
	 */
	public boolean isOutcomeKnown() {
		return this.outcomeKnown;
	}

}
