package io.github.mcpclient.audit;

import java.time.Duration;
import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * A call of a tool, or an act of administration, that has ended. Immutable. Texts are
 * bounded and on one line; those of servers and callers are not to be trusted.
 *
 * @param time when it began
 * @param action {@code call}, or what was done with a server: {@code add},
 * {@code replace}, {@code remove}, {@code enable}, {@code disable}, {@code reconnect},
 * {@code refresh} or {@code approve}; or {@code reload}, that somebody has the
 * configuration reloaded, and {@code reloaded}, what came of a reload
 * @param server the name of the server, or {@code null} where none is known, or for all
 * @param tool the prefixed name of the tool, or {@code null} for what is no call. Of a
 * call that reached no tool, it is any name that a caller gave
 * @param caller who called: the name of the user, or {@code null} where it is unknown
 * @param outcome how it ended
 * @param duration how long it took, interceptors and waiting included
 * @param cause what went wrong; {@code null} for a success, and for what a tool reports
 * @param argumentsSha256 the SHA-256 of the arguments as the caller gave them, written as
 * JSON without blanks and with sorted members, as 64 hexadecimal digits; {@code null}
 * where arguments are masked, or are no JSON
 * @param arguments the arguments as JSON with masks in place of some values, and cut
 * after 2,000 characters, or {@code null} where they are hashed. For {@code approve}, the
 * hashes of the tools; for {@code reloaded}, the names of the servers that have changed
 */
public record McpAuditRecord(Instant time, String action, @Nullable String server, @Nullable String tool,
		@Nullable String caller, Outcome outcome, Duration duration, @Nullable String cause,
		@Nullable String argumentsSha256, @Nullable String arguments) {

	/**
	 * The {@linkplain #action() action} of a record of a call.
	 */
	public static final String CALL = "call";

	/**
	 * How a call, or an act of administration, ended.
	 */
	public enum Outcome {

		/**
		 * With a result. An act of administration that nobody waited for to its end is
		 * one, too.
		 */
		SUCCESS,

		/**
		 * The tool reported an error.
		 */
		TOOL_ERROR,

		/**
		 * A rule, an approval or an interceptor refused it, or the application does not
		 * get the tool: there is none, or a filter, an access or a pin withholds it.
		 */
		REFUSED,

		/**
		 * The time of the call was over.
		 */
		TIMEOUT,

		/**
		 * Whoever called cancelled it.
		 */
		CANCELLED,

		/**
		 * Anything else went wrong.
		 */
		FAILED

	}

}
