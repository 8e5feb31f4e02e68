package io.github.mcpclient;

import io.github.mcpclient.internal.support.Printable;
import org.jspecify.annotations.Nullable;

/**
 * Root of the exceptions of this library: what a call of a tool, or any other request to
 * an MCP server, fails with. {@link #isOutcomeKnown()} is the first thing to ask before
 * the same is requested once more.
 *
 * <p>
 * A message names the server, if there is one, and contains no secrets. It is one line of
 * about 8,000 characters at most, without control characters, even if it quotes text of
 * the server, which is still not to be trusted.
 */
public abstract class McpException extends RuntimeException {

	private static final int LONGEST_MESSAGE = 8000;

	private final @Nullable String serverName;

	private final boolean outcomeKnown;

	/**
	 * Create an exception.
	 * @param serverName the name of the server concerned, or {@code null} if none is
	 * known
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
	 * Return the name of the server concerned.
	 * @return the name, or {@code null} where none is known: no server has the tool, or
	 * several servers are concerned
	 */
	public @Nullable String getServerName() {
		return this.serverName;
	}

	/**
	 * Return whether it is known what became of the request.
	 * @return {@code true} if the request was not made, the server cannot have acted on
	 * it, or the server answered it; {@code false} if the server may have acted on it,
	 * and did not say so
	 */
	public boolean isOutcomeKnown() {
		return this.outcomeKnown;
	}

}
