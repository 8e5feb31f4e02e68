package io.github.mcpclient;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

import org.jspecify.annotations.Nullable;

/**
 * Thrown if the server is not connected, so that a call was not attempted. Also thrown
 * for a pending call when the server is removed, replaced or disabled, or when the
 * application stops: the server may have acted on such a call, unless
 * {@link #isOutcomeKnown()} returns {@code true}.
 */
public class McpServerUnavailableException extends McpException {

	private final transient McpServerStatus status;

	private final McpServerState state;

	private final @Nullable String lastError;

	private final @Nullable Instant nextRetry;

	/**
	 * Create an exception for a call that was not attempted.
	 * @param status the status of the server
	 */
	public McpServerUnavailableException(McpServerStatus status) {
		this(status, true);
	}

	/**
	 * Create an exception.
	 * @param status the status of the server
	 * @param outcomeKnown {@code true} if the call was not sent, so that the server
	 * cannot have acted on it
	 */
	public McpServerUnavailableException(McpServerStatus status, boolean outcomeKnown) {
		super(status.name(), message(status), outcomeKnown, null);
		this.status = status;
		this.state = status.state();
		this.lastError = status.lastError();
		this.nextRetry = status.nextRetry();
	}

	/**
	 * Return the status of the server when the call failed.
	 */
	public McpServerStatus getStatus() {
		return this.status;
	}

	/**
	 * Return the state of the server when the call failed.
	 */
	public McpServerState getState() {
		return this.state;
	}

	/**
	 * Return why the server is not connected, or {@code null} if no attempt has failed.
	 */
	public @Nullable String getLastError() {
		return this.lastError;
	}

	/**
	 * Return the time of the next connection attempt, or {@code null} if none is planned.
	 */
	public @Nullable Instant getNextRetry() {
		return this.nextRetry;
	}

	static String message(McpServerStatus status) {
		StringBuilder message = new StringBuilder("MCP server '").append(status.name())
			.append("' (")
			.append(status.target())
			.append(") is ")
			.append(status.state());
		if (status.state() == McpServerState.DISABLED) {
			message.append(": enabled is false.");
		}
		if (status.lastError() != null) {
			message.append(": ").append(status.lastError());
		}
		if (status.nextRetry() != null) {
			message.append(" Next attempt at ").append(status.nextRetry().truncatedTo(ChronoUnit.SECONDS)).append('.');
		}
		return message.toString();
	}

}
