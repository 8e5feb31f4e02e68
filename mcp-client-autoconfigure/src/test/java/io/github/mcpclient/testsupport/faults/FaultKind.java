package io.github.mcpclient.testsupport.faults;

import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;

/**
 * The rows of the matrix: what a connection to an MCP server can meet, and for which of
 * the two current transports a test must prove that it is survived.
 */
public enum FaultKind {

	DOWN_AT_START("The server is down when the application starts", Where.BOTH),

	ONE_OF_MANY_DOWN("One of many servers is down", Where.BOTH),

	ALL_DOWN("All servers are down", Where.BOTH),

	NO_EXECUTABLE("The executable is missing", Where.CHILD),

	EXIT_AT_START("The child exits before it answers `initialize`", Where.CHILD),

	EXIT_IN_CALL("The child dies within a call", Where.CHILD),

	CRASH_LOOP("The server fails again and again", Where.BOTH),

	STUBBORN_CHILD("The child ignores the end of its input and `SIGTERM`", Where.CHILD),

	GRANDCHILDREN("The child starts processes of its own", Where.CHILD),

	START_RACES_STOP("The application stops while it connects", Where.BOTH),

	STDERR("A flood on stderr, or a stderr that is closed", Where.CHILD),

	NOISE("Output that is no message", Where.BOTH),

	OVERSIZE("A message over the limit", Where.BOTH),

	ENDLESS("A message without end", Where.BOTH),

	REFUSED("The connection is refused", Where.NETWORK),

	RESET("The connection breaks within a call", Where.NETWORK),

	NO_ANSWER("No answer, or one that drips", Where.BOTH),

	HALF_OPEN("A connection that is half open, paused or slow", Where.NETWORK),

	SESSION_LOST("The server forgets the session", Where.NETWORK),

	SESSION_LOST_IN_200("The server forgets the session, and says so with HTTP 200", Where.NETWORK),

	STREAM_ENDS("A stream of events ends early", Where.NETWORK),

	STREAM_IN_PIECES("A stream of events in odd pieces", Where.NETWORK),

	REFUSAL("HTTP 401, 403, 429, 503", Where.NETWORK),

	TLS("TLS fails, or the certificate changes", Where.NETWORK),

	ENDLESS_LISTING("Tools without end", Where.BOTH),

	CHANGES("Other tools, or a storm of `list_changed`", Where.BOTH),

	STRANGE_IDS("Answers that are unknown, late, or come twice", Where.BOTH),

	MANY_CALLS_MEET_A_LOSS("Many calls meet the loss of a connection", Where.BOTH),

	ALL_RESTART("All servers restart at once", Where.BOTH),

	HUNG_SERVER("A server hangs with many calls", Where.BOTH);

	private final String title;

	private final Set<Transport> concerns;

	FaultKind(String title, Set<Transport> concerns) {
		this.title = title;
		this.concerns = concerns;
	}

	String title() {
		return this.title;
	}

	/**
	 * The name by which the reasons for empty cells know it.
	 */
	String id() {
		return name().toLowerCase(Locale.ROOT).replace('_', '-');
	}

	/**
	 * Whether a test must prove that the fault is survived, and no reason excuses its
	 * absence.
	 */
	boolean concerns(Transport transport) {
		return this.concerns.contains(transport);
	}

	private static final class Where {

		static final Set<Transport> CHILD = EnumSet.of(Transport.STDIO);

		static final Set<Transport> NETWORK = EnumSet.of(Transport.STREAMABLE_HTTP);

		static final Set<Transport> BOTH = EnumSet.of(Transport.STDIO, Transport.STREAMABLE_HTTP);

	}

}
