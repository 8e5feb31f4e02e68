package io.github.mcpclient;

import java.time.Duration;

import io.github.mcpclient.internal.support.PropertyNames;
import org.jspecify.annotations.Nullable;

/**
 * Thrown if the server does not respond to a request within its timeout. A request that
 * was already sent is cancelled at the server, which may have acted on it nevertheless,
 * unless {@link #isOutcomeKnown()} returns {@code true}: then nothing was sent.
 */
public class McpRequestTimeoutException extends McpException {

	private final String request;

	private final Duration timeout;

	private final boolean cancelled;

	private final @Nullable String raise;

	/**
	 * Create an exception for a request that was sent, and cancelled at the server.
	 * @param request the request, such as {@code tools/call echo}
	 */
	public McpRequestTimeoutException(String serverName, String request, Duration timeout) {
		this(serverName, request, timeout, true, false, null);
	}

	/**
	 * Create an exception.
	 * @param request the request, optionally followed by the reason for the wait in
	 * brackets
	 * @param cancelled whether the request was cancelled at the server; {@code false} if
	 * nothing was sent, or the response had already arrived
	 * @param outcomeKnown {@code true} if nothing was sent
	 * @param raise the setting to raise if the request needs longer, such as the name of
	 * a property, or {@code null} for the {@code request-timeout} of the server or the
	 * timeout of the call
	 */
	public McpRequestTimeoutException(String serverName, String request, Duration timeout, boolean cancelled,
			boolean outcomeKnown, @Nullable String raise) {
		super(serverName, "MCP server '" + serverName + "' did not respond to " + request + " within "
				+ timeout.toMillis() + " ms." + (cancelled ? " The request was cancelled." : "") + " Raise "
				+ ((raise != null) ? raise
						: PropertyNames.ofServer(serverName, "request-timeout") + ", or the timeout of the call,")
				+ " if the request needs longer.", outcomeKnown, null);
		this.request = request;
		this.timeout = timeout;
		this.cancelled = cancelled;
		this.raise = raise;
	}

	/**
	 * Return the request, such as {@code tools/call echo}, optionally followed by the
	 * reason for the wait in brackets.
	 */
	public String getRequest() {
		return this.request;
	}

	/**
	 * Return the timeout of the request.
	 */
	public Duration getTimeout() {
		return this.timeout;
	}

	/**
	 * Return whether the request was cancelled at the server. If nothing was sent, or the
	 * response had already arrived, it was not. The server may have acted on a cancelled
	 * request.
	 */
	public boolean isCancelled() {
		return this.cancelled;
	}

	/**
	 * Return the setting to raise if the request needs longer, such as the name of a
	 * property.
	 * @return a text for the operator, or {@code null} for the {@code request-timeout} of
	 * the server or the timeout of the call
	 */
	public @Nullable String getRaise() {
		return this.raise;
	}

}
