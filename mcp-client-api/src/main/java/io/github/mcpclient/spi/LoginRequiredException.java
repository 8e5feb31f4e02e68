package io.github.mcpclient.spi;

import io.github.mcpclient.McpServerStatus;

/**
 * A request needs the authorization of a user, but was made without one, or its user is
 * not logged in. It is of no use to repeat it before a user has logged in.
 */
public final class LoginRequiredException extends TransportException {

	/**
	 * Create an exception.
	 * @param message what happened, a sentence without a full stop at its end
	 * @param nextStep what the operator can do, a sentence with a full stop
	 */
	public LoginRequiredException(String message, String nextStep) {
		super(message, nextStep, false, null);
		at(McpServerStatus.StepKind.TOKEN);
	}

	/**
	 * Create an exception for a call whose user has to log in.
	 * @param cause the exception that starts the login, such as Spring Security's
	 * {@code ClientAuthorizationRequiredException}
	 */
	public LoginRequiredException(Throwable cause) {
		super("The user has to log in", "Call again after the login.", false, cause);
		at(McpServerStatus.StepKind.TOKEN);
	}

}
