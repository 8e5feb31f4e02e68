package io.github.mcpclient.spi;

/**
 * Only a user can authorize what was requested without one: it is of no use to try again.
 */
public final class LoginRequiredException extends TransportException {

	/**
	 * Create an exception, as its parent.
	 */
	public LoginRequiredException(String message, String nextStep) {
		super(message, nextStep, false, null);
	}

	/**
	 * Create an exception for the one with which a login begins.
	 */
	public LoginRequiredException(Throwable cause) {
		super("The user has to log in", null, false, cause);
	}

}
