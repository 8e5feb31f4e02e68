package io.github.mcpclient.support;

import reactor.util.context.ContextView;

/**
 * Where a message is: as long as it is held on this side, for its headers or for a free
 * connection, no answer to it says nothing of the server; and as long as it has not left,
 * the server cannot have acted on it. Put, by its class, into the Reactor context in
 * which a message is sent. Transports that are no {@link Teller} leave it alone.
 */
public final class Departure {

	private volatile boolean held;

	private volatile boolean left;

	/**
	 * Returns whether the message is known to wait on this side.
	 */
	public boolean isHeld() {
		return this.held;
	}

	/**
	 * Returns whether the message is known to have been sent, or to be sent as soon as
	 * there is a connection.
	 */
	public boolean hasLeft() {
		return this.left;
	}

	/**
	 * Notes whether the message of a context waits.
	 */
	public static void hold(ContextView context, boolean held) {
		Departure departure = context.getOrDefault(Departure.class, null);
		if (departure != null) {
			departure.held = held;
		}
	}

	/**
	 * Notes that the message of a context is sent.
	 */
	public static void leave(ContextView context) {
		Departure departure = context.getOrDefault(Departure.class, null);
		if (departure != null) {
			departure.left = true;
		}
	}

	/**
	 * A transport that notes of each message when it {@linkplain #leave leaves}, and of
	 * none after its end.
	 */
	public interface Teller {

	}

}
