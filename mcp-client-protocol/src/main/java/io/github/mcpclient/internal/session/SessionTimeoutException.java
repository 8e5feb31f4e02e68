package io.github.mcpclient.internal.session;

import java.time.Duration;
import java.util.List;

import io.github.mcpclient.internal.support.Printable;

/**
 * A server did not respond to a request of a session in time.
 */
public class SessionTimeoutException extends RuntimeException {

	private static final int MAX_QUOTE = 1000;

	private final String request;

	private final Duration timeout;

	private final boolean cancelled;

	private final boolean unsent;

	/**
	 * Create an exception for a request such as {@code tools/call echo}.
	 */
	public SessionTimeoutException(String request, Duration timeout) {
		this(request, timeout, false);
	}

	/**
	 * Create an exception for a request that may have been cancelled at the server.
	 */
	public SessionTimeoutException(String request, Duration timeout, boolean cancelled) {
		this(request, timeout, cancelled, false, "");
	}

	private SessionTimeoutException(String request, Duration timeout, boolean cancelled, boolean unsent,
			String details) {
		super("No response to " + request + " within " + text(timeout) + details);
		this.request = request;
		this.timeout = timeout;
		this.cancelled = cancelled;
		this.unsent = unsent;
	}

	/**
	 * Create an exception for a request that was not sent.
	 */
	static SessionTimeoutException unsent(String request, Duration timeout) {
		return new SessionTimeoutException(request, timeout, false, true, "");
	}

	private static String text(Duration timeout) {
		// the largest durations have no number of milliseconds
		return (timeout.getSeconds() < Integer.MAX_VALUE) ? timeout.toMillis() + " ms" : timeout.toString();
	}

	/**
	 * Return this exception with the last lines that the process of the server has
	 * written to its standard error.
	 * @param events the other events of the server in that time, in brackets, or an empty
	 * text
	 */
	public SessionTimeoutException quoting(List<String> stderr, String events) {
		return new SessionTimeoutException(this.request, this.timeout, this.cancelled, this.unsent,
				events + (stderr.isEmpty() ? "" : ": last lines of stderr: " + Printable.last(stderr, MAX_QUOTE)));
	}

	/**
	 * Return the request, such as {@code tools/call echo}.
	 */
	public String getRequest() {
		return this.request;
	}

	/**
	 * Return the time that was allowed.
	 */
	public Duration getTimeout() {
		return this.timeout;
	}

	/**
	 * Return whether the request was cancelled at the server.
	 */
	public boolean isCancelled() {
		return this.cancelled;
	}

	/**
	 * Return whether the request was not sent.
	 */
	public boolean isUnsent() {
		return this.unsent;
	}

}
