package io.github.mcpclient.spi;

import io.github.mcpclient.McpServerStatus;
import org.jspecify.annotations.Nullable;

/**
 * A server cannot be connected until one of its settings, or something on the machine, is
 * changed, so that startup does not wait for it. Nothing was sent.
 */
public final class UnusableSettingsException extends TransportException {

	/**
	 * Create an exception.
	 * @param message what happened, a sentence without a full stop at its end
	 * @param nextStep what the operator can do, a sentence with a full stop
	 * @param cause the cause, or {@code null}
	 */
	public UnusableSettingsException(String message, String nextStep, @Nullable Throwable cause) {
		super(message, nextStep, false, cause);
		at(McpServerStatus.StepKind.CONFIGURATION);
	}

}
