package io.github.mcpclient.session;

import java.time.Duration;

/**
 * A request of a session was not answered in time and has been cancelled.
 */
public class SessionTimeoutException extends RuntimeException {

	private final String request;

	private final Duration timeout;

	/**
	 * Create an exception.
	 * @param request what was asked for, such as {@code tools/call echo}
	 * @param timeout the time allowed
	 */
	public SessionTimeoutException(String request, Duration timeout) {
		super("No answer to " + request + " within " + timeout.toMillis() + " ms");
		this.request = request;
		this.timeout = timeout;
	}

	/**
	 * Return what was asked for.
	 * @return such as {@code tools/call echo}
	 */
	public String getRequest() {
		return this.request;
	}

	/**
	 * Return the time allowed.
	 * @return the timeout
	 */
	public Duration getTimeout() {
		return this.timeout;
	}

}
