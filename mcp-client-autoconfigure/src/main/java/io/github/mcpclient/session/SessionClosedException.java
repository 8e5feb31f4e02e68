package io.github.mcpclient.session;

/**
 * The session was closed by this side.
 */
public class SessionClosedException extends RuntimeException {

	/**
	 * Create an exception.
	 */
	public SessionClosedException() {
		super("The session was closed");
	}

}
