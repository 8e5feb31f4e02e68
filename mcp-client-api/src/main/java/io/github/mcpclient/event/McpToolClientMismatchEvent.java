package io.github.mcpclient.event;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * Published when the mismatches between a declared client, an interface whose methods are
 * tools of a server, and the tools that the server lists change: when the server is READY
 * for the first time, and each time that its tools have changed. Not published for a
 * client that matches from the beginning.
 *
 * @param serverName the name of the server
 * @param client the name of the interface
 * @param mismatches all current mismatches, at most 100; empty if the client matches
 * again. Names of tools and arguments in it come from the server and are untrusted
 */
public record McpToolClientMismatchEvent(String serverName, String client,
		List<Mismatch> mismatches) implements McpServerEvent {

	/**
	 * Create an event.
	 */
	public McpToolClientMismatchEvent {
		mismatches = List.copyOf(mismatches);
	}

	/**
	 * A definite mismatch; properties that a schema does not specify match.
	 *
	 * @param kind the kind of mismatch
	 * @param method the name of the method, or {@code null} for the whole interface
	 * @param detail the mismatch: a printable sentence without its full stop
	 */
	public record Mismatch(Kind kind, @Nullable String method, String detail) {

		@Override
		public String toString() {
			return (this.method != null) ? this.method + ": " + this.detail : this.detail;
		}

	}

	/**
	 * A kind of mismatch. Later versions may add kinds.
	 */
	public enum Kind {

		/**
		 * There is no server of that name.
		 */
		NO_SERVER,

		/**
		 * The server of a required client did not list its tools while the application
		 * started.
		 */
		NOT_LISTED,

		/**
		 * The application gets no such tool from the server, or several tools whose names
		 * differ only in spelling.
		 */
		NO_TOOL,

		/**
		 * The tool requires an argument that the method does not pass.
		 */
		MISSING_ARGUMENT,

		/**
		 * The tool takes no argument of that name.
		 */
		UNKNOWN_ARGUMENT,

		/**
		 * The type of an argument does not match the schema.
		 */
		ARGUMENT_TYPE,

		/**
		 * The result of the tool cannot be read as the return type of the method.
		 */
		RESULT_TYPE

	}

}
