package io.github.mcpclient.session;

import java.time.Duration;

/**
 * A request of a session was not answered in time.
 */
public class SessionTimeoutException extends RuntimeException {

	private final String request;

	private final Duration timeout;

	private final boolean cancelled;

	/**
	 * Creates an exception for a request such as {@code tools/call echo}.
	 */
	public SessionTimeoutException(String request, Duration timeout) {
		this(request, timeout, false);
	}

	/**
	 * Creates an exception for a request that may have been cancelled at the server.
	 */
	public SessionTimeoutException(String request, Duration timeout, boolean cancelled) {
		super("No answer to " + request + " within " + text(timeout));
		this.request = request;
		this.timeout = timeout;
		this.cancelled = cancelled;
	}

	private static String text(Duration timeout) {
		// the largest durations have no number of milliseconds
		return (timeout.getSeconds() < Integer.MAX_VALUE) ? timeout.toMillis() + " ms" : timeout.toString();
	}

	/**
	 * Returns the request, such as {@code tools/call echo}.
	 */
	public String getRequest() {
		return this.request;
	}

	/**
	 * Returns the time that was allowed.
	 */
	public Duration getTimeout() {
		return this.timeout;
	}

	/**
	 * Returns whether the request was cancelled at the server.
	 */
	public boolean isCancelled() {
		return this.cancelled;
	}

}
