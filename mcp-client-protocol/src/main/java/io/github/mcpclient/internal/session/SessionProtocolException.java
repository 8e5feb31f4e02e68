package io.github.mcpclient.internal.session;

import org.jspecify.annotations.Nullable;

/**
 * A server violated the protocol or exceeded a limit. The message is a sentence without a
 * full stop, safe to print; it does not name the server.
 */
public class SessionProtocolException extends RuntimeException {

	private final @Nullable String nextStep;

	/**
	 * Create an exception without a next step.
	 */
	public SessionProtocolException(String message) {
		this(message, null, null);
	}

	/**
	 * Create an exception.
	 * @param nextStep advice for the operator, a sentence with a full stop
	 */
	public SessionProtocolException(String message, @Nullable String nextStep, @Nullable Throwable cause) {
		super(message, cause);
		this.nextStep = nextStep;
	}

	/**
	 * Return the advice for the operator, if there is any.
	 */
	public @Nullable String getNextStep() {
		return this.nextStep;
	}

}
