package io.github.mcpclient.testsupport.faults;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * What can happen to a connection to an MCP server, and the transports over which it can.
 */
public enum FaultKind {

	DOWN_AT_START("The server is down when the application starts"),

	ONE_OF_MANY_DOWN("One of many servers is down"),

	ALL_DOWN("All servers are down"),

	NO_EXECUTABLE("The executable is missing", Transport.STDIO),

	EXIT_AT_START("The process exits before it answers `initialize`", Transport.STDIO),

	EXIT_IN_CALL("The process dies during a call", Transport.STDIO),

	CRASH_LOOP("The server fails again and again"),

	STUBBORN_CHILD("The process ignores the end of its input and `SIGTERM`", Transport.STDIO),

	GRANDCHILDREN("The process starts processes of its own", Transport.STDIO),

	START_RACES_STOP("The application stops while it connects"),

	STDERR("A flood on standard error, or standard error is closed", Transport.STDIO),

	NOISE("Output that is not a message"),

	OVERSIZE("A message over the limit"),

	ENDLESS("A message without end"),

	REFUSED("The connection is refused", Transport.STREAMABLE_HTTP, Transport.SSE, Transport.WEBSOCKET),

	RESET("The connection breaks during a call", Transport.STREAMABLE_HTTP, Transport.SSE, Transport.WEBSOCKET),

	NO_ANSWER("No answer, or one that drips"),

	HALF_OPEN("The connection is half-open, paused or slow", Transport.STREAMABLE_HTTP, Transport.SSE,
			Transport.WEBSOCKET),

	SESSION_LOST("The server forgets the session", Transport.STREAMABLE_HTTP, Transport.SSE),

	SESSION_LOST_IN_200("The server forgets the session, and says so with HTTP 200", Transport.STREAMABLE_HTTP),

	STREAM_ENDS("An event stream ends early", Transport.STREAMABLE_HTTP, Transport.SSE),

	STREAM_IN_PIECES("An event stream arrives in odd pieces", Transport.STREAMABLE_HTTP, Transport.SSE),

	REFUSAL("HTTP 401, 403, 404, 429, 503", Transport.STREAMABLE_HTTP, Transport.SSE, Transport.WEBSOCKET),

	TLS("TLS fails, or the certificate changes", Transport.STREAMABLE_HTTP, Transport.SSE, Transport.WEBSOCKET),

	CLOSED("The server closes the connection, with a reason or without", Transport.WEBSOCKET),

	HANDSHAKE("The handshake is refused, or does not end", Transport.WEBSOCKET),

	FRAMES("Frames that are odd, fragmented, binary or invalid", Transport.WEBSOCKET),

	ENDLESS_LISTING("A tool list without end"),

	CHANGES("The tools change, or a storm of `list_changed`"),

	STRANGE_IDS("Responses with unknown ids, late or duplicate responses"),

	MANY_CALLS_MEET_A_LOSS("Many calls are pending when the connection is lost"),

	ALL_RESTART("All servers restart at once"),

	HUNG_SERVER("A server hangs with many calls pending"),

	REPLACED("The server is replaced by one of newer or older revisions", Transport.STREAMABLE_HTTP),

	HEADERS_LOST("A proxy loses the headers of revision 2026-07-28", Transport.STREAMABLE_HTTP),

	SUBSCRIPTION("A subscription is cut, or not acknowledged", Transport.STREAMABLE_HTTP),

	RESULT_TYPE("A result of an unknown type, or questions without end", Transport.STDIO, Transport.STREAMABLE_HTTP,
			Transport.WEBSOCKET);

	private final String title;

	private final Set<Transport> transports;

	FaultKind(String title, Transport... only) {
		this.title = title;
		this.transports = EnumSet.copyOf(List.of((only.length > 0) ? only : Transport.values()));
	}

	/**
	 * The transports over which a test proves that a fault is survived.
	 */
	static Set<Transport> transports(Fault fault) {
		return (fault.over().length > 0) ? EnumSet.copyOf(List.of(fault.over())) : fault.value().transports;
	}

	String title() {
		return this.title;
	}

	/**
	 * Whether the fault can occur over a transport: a test must prove then that it is
	 * survived.
	 */
	boolean concerns(Transport transport) {
		return this.transports.contains(transport);
	}

}
