package io.github.mcpclient.transport;

import io.github.mcpclient.spi.TransportException;

/**
 * A call was refused, and an authorizer failed to give it other headers. The caller gets
 * the cause.
 */
public final class CallerAuthorizationException extends TransportException {

	/**
	 * Create an exception for what an authorizer threw.
	 */
	public CallerAuthorizationException(Throwable cause) {
		super("The authorization of a call failed", null, false, cause);
	}

}
