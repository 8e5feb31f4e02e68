package io.github.mcpclient.spi;

import org.jspecify.annotations.Nullable;

/**
 * A server cannot be connected before a setting of it, or the machine, is changed: it is
 * of no use to wait. Nothing was sent.
 */
public final class UnusableSettingsException extends TransportException {

	/**
	 * Create an exception, as its parent.
	 */
	public UnusableSettingsException(String message, String nextStep, @Nullable Throwable cause) {
		super(message, nextStep, false, cause);
	}

}
