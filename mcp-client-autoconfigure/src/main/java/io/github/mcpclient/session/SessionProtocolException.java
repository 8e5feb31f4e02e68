package io.github.mcpclient.session;

import org.jspecify.annotations.Nullable;

/**
 * A server said something that the protocol does not allow, or that goes beyond a limit.
 * The message is a sentence without a full stop, safe to print; it does not name the
 * server.
 */
public class SessionProtocolException extends RuntimeException {

	/**
	 * Create an exception.
	 * @param message what the server did
	 */
	public SessionProtocolException(String message) {
		this(message, null);
	}

	/**
	 * Create an exception.
	 * @param message what the server did
	 * @param cause the cause, or {@code null}
	 */
	public SessionProtocolException(String message, @Nullable Throwable cause) {
		super(message, cause);
	}

}
