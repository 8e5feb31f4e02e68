package io.github.mcpclient.audit;

import java.time.Duration;
import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * Record of a call of a tool, or of an administrative action, that has ended. Immutable.
 * Texts are limited in length and on one line; texts of servers and callers are
 * untrusted.
 *
 * @param time the time when it began
 * @param action {@code call}, or the action on a server: {@code add}, {@code replace},
 * {@code remove}, {@code enable}, {@code disable}, {@code reconnect}, {@code refresh} or
 * {@code approve}; {@code reload} for a request to reload the configuration, or
 * {@code reloaded} for the result of a reload
 * @param server the name of the server, or {@code null} if it is unknown or for all
 * servers
 * @param tool the prefixed name of the tool, or {@code null} if this is not a call. For a
 * call that reached no tool, the name that the caller used
 * @param caller the name of the user, or {@code null} if it is unknown
 * @param outcome the outcome
 * @param duration the duration, including interceptors and waiting
 * @param cause the reason of a failure; {@code null} for a success, and for an error that
 * the tool reported
 * @param argumentsSha256 the SHA-256 of the caller's arguments, written as JSON without
 * blanks and with sorted members, as 64 hexadecimal digits; {@code null} if arguments are
 * masked or cannot be written as JSON
 * @param arguments the arguments as JSON with masked values, truncated after 2,000
 * characters, or {@code null} if they are hashed. For {@code approve}, the hashes of the
 * tools; for {@code reloaded}, the names of the servers that have changed
 */
public record McpAuditRecord(Instant time, String action, @Nullable String server, @Nullable String tool,
		@Nullable String caller, Outcome outcome, Duration duration, @Nullable String cause,
		@Nullable String argumentsSha256, @Nullable String arguments) {

	/**
	 * The {@linkplain #action() action} of a record of a call.
	 */
	public static final String CALL = "call";

	/**
	 * The outcome of a call or administrative action.
	 */
	public enum Outcome {

		/**
		 * It ended with a result, or it is an administrative action whose end the caller
		 * did not wait for.
		 */
		SUCCESS,

		/**
		 * The tool reported an error.
		 */
		TOOL_ERROR,

		/**
		 * A rule, an approval or an interceptor refused it, or the tool does not exist or
		 * is excluded by a filter, an access or a pin.
		 */
		REFUSED,

		/**
		 * The timeout of the call expired.
		 */
		TIMEOUT,

		/**
		 * The caller cancelled it.
		 */
		CANCELLED,

		/**
		 * It failed for another reason.
		 */
		FAILED

	}

}
