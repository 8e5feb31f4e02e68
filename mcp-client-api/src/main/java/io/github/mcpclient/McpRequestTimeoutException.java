package io.github.mcpclient;

import java.time.Duration;

import io.github.mcpclient.internal.support.PropertyNames;
import org.jspecify.annotations.Nullable;

/**
 * A request was not answered within its timeout. If it was already sent, it was cancelled
 * at the server, which may have acted on it nevertheless.
 */
public class McpRequestTimeoutException extends McpException {

	private final Duration timeout;

	/**
	 * Create an exception for a request that was cancelled.
	 * @param request the request, such as {@code tools/call echo}
	 */
	public McpRequestTimeoutException(String serverName, String request, Duration timeout) {
		this(serverName, request, timeout, true);
	}

	/**
	 * Create an exception.
	 * @param request the request, and perhaps what it waited for in brackets
	 * @param cancelled whether the request was cancelled at the server, which it was not
	 * where nothing was sent or the answer had come
	 */
	public McpRequestTimeoutException(String serverName, String request, Duration timeout, boolean cancelled) {
		this(serverName, request, timeout, cancelled, null);
	}

	/**
	 * Create an exception that names the setting that the timeout comes from.
	 * @param request the request, and perhaps what it waited for in brackets
	 * @param cancelled whether the request was cancelled at the server
	 * @param raise what to raise if the request needs longer, such as the name of a
	 * property, or {@code null} for the {@code request-timeout} of the server or the
	 * timeout of the call
	 */
	public McpRequestTimeoutException(String serverName, String request, Duration timeout, boolean cancelled,
			@Nullable String raise) {
		super(serverName, "MCP server '" + serverName + "' did not answer " + request + " within " + timeout.toMillis()
				+ " ms." + (cancelled ? " The request was cancelled." : "") + " Raise "
				+ ((raise != null) ? raise
						: PropertyNames.ofServer(serverName, "request-timeout") + ", or the timeout of the call,")
				+ " if the request needs longer.", null);
		this.timeout = timeout;
	}

	/**
	 * Return the timeout of the request.
	 */
	public Duration getTimeout() {
		return this.timeout;
	}

}
