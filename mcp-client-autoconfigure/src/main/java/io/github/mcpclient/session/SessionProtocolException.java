package io.github.mcpclient.session;

import org.jspecify.annotations.Nullable;

/**
 * A server said something that the protocol does not allow, or that goes beyond a limit.
 * The message is a sentence without a full stop, safe to print; it does not name the
 * server.
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
	 * @param nextStep what the operator can do, a sentence with a full stop, or
	 * {@code null}
	 */
	public SessionProtocolException(String message, @Nullable String nextStep, @Nullable Throwable cause) {
		super(message, cause);
		this.nextStep = nextStep;
	}

	/**
	 * Return what the operator can do, a sentence, or {@code null} where nothing is
	 * known.
	 */
	public @Nullable String getNextStep() {
		return this.nextStep;
	}

}
