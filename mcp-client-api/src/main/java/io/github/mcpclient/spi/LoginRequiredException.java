package io.github.mcpclient.spi;

import io.github.mcpclient.McpServerStatus;

/**
 * Thrown if a request needs the authorization of a user, and was made without a user, or
 * the user is not logged in. Repeating it has no effect until a user has logged in.
 */
public final class LoginRequiredException extends TransportException {

	/**
	 * Create an exception.
	 * @param message the failure, a sentence without a full stop at its end
	 * @param nextStep the recommended action for operators, a sentence with a full stop
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
