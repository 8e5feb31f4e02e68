package io.github.mcpclient.spi;

import io.github.mcpclient.McpServerStatus;
import org.jspecify.annotations.Nullable;

/**
 * Thrown if a server cannot be connected until one of its settings, or something on the
 * machine, is changed. Startup does not wait for such a server. Nothing was sent.
 */
public final class UnusableSettingsException extends TransportException {

	/**
	 * Create an exception.
	 * @param message the failure, a sentence without a full stop at its end
	 * @param nextStep the recommended action for operators, a sentence with a full stop
	 * @param cause the cause, or {@code null}
	 */
	public UnusableSettingsException(String message, String nextStep, @Nullable Throwable cause) {
		super(message, nextStep, false, cause);
		atStep(McpServerStatus.StepKind.CONFIGURATION);
	}

}
