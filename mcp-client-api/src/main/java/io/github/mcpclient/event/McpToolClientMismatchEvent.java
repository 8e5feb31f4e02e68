package io.github.mcpclient.event;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * Published when it changes in what a declared client, an interface whose methods are
 * tools of a server, does not match what the server lists: when the server is READY for
 * the first time, and each time that its tools have changed. Not published for a client
 * that matches from the beginning.
 *
 * @param serverName the name of the server
 * @param client the name of the interface
 * @param mismatches all that does not match now, at most 100; empty where the client
 * matches again. Names of tools and arguments in it come from the server and are not to
 * be trusted
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
	 * Something that does not match, for certain: what a schema leaves open matches.
	 *
	 * @param kind what does not match
	 * @param method the name of the method, or {@code null} if it is the whole interface
	 * @param detail what was found: a printable sentence without its full stop
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
		 * The application does not get such a tool from the server, or gets several whose
		 * names are spelled alike.
		 */
		NO_TOOL,

		/**
		 * The tool requires an argument that the method does not give.
		 */
		MISSING_ARGUMENT,

		/**
		 * The tool takes no argument of that name.
		 */
		UNKNOWN_ARGUMENT,

		/**
		 * The type of an argument cannot be what the schema requires.
		 */
		ARGUMENT_TYPE,

		/**
		 * The type that the method returns cannot be read from what the tool returns.
		 */
		RESULT_TYPE

	}

}
