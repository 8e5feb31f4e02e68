package io.github.mcpclient;

import io.github.mcpclient.internal.support.Printable;
import org.jspecify.annotations.Nullable;

/**
 * Base class of the exceptions that calls of tools, and other requests to an MCP server,
 * throw. Check {@link #isOutcomeKnown()} before you repeat a request: if it returns
 * {@code false}, the server may already have acted on it.
 *
 * <p>
 * The message names the server, if there is one, and contains no secrets. It is a single
 * line of about 8,000 characters at most, without control characters. It may quote text
 * of the server, which is untrusted.
 */
public abstract class McpException extends RuntimeException {

	private static final int LONGEST_MESSAGE = 8000;

	private final @Nullable String serverName;

	private final boolean outcomeKnown;

	/**
	 * Create an exception.
	 * @param serverName the name of the affected server, or {@code null} if none is known
	 * @param message what happened, without secrets
	 * @param outcomeKnown see {@link #isOutcomeKnown()}
	 * @param cause the cause, or {@code null}
	 */
	protected McpException(@Nullable String serverName, String message, boolean outcomeKnown,
			@Nullable Throwable cause) {
		super(Printable.line(message, LONGEST_MESSAGE), cause);
		this.serverName = serverName;
		this.outcomeKnown = outcomeKnown;
	}

	/**
	 * Return the name of the affected server.
	 * @return the name, or {@code null} if no server is known, for example because no
	 * server has the tool or several servers are affected
	 */
	public @Nullable String getServerName() {
		return this.serverName;
	}

	/**
	 * Return whether the outcome of the request is known.
	 * @return {@code true} if the request was not sent, the server cannot have acted on
	 * it, or the server responded to it; {@code false} if the server may have acted on it
	 * without responding
	 */
	public boolean isOutcomeKnown() {
		return this.outcomeKnown;
	}

}
