package io.github.mcpclient.support;

import reactor.util.context.ContextView;

/**
 * Tells where a message is: it may wait on this side, for its headers or for a free
 * connection, so that no answer to it says nothing of the server; and as long as it has
 * not left, the server cannot have acted on it. Put, by its class, into the Reactor
 * context in which a message is sent. Transports that are no {@link Teller} leave it
 * alone.
 */
public final class Departure {

	private volatile boolean held;

	private volatile boolean left;

	/**
	 * Return whether the message waits.
	 * @return {@code false} where it was sent, and where that is not known
	 */
	public boolean isHeld() {
		return this.held;
	}

	/**
	 * Return whether the message was let go, to be sent as soon as there is a connection.
	 * @return {@code false} where it was not, and where the transport is no
	 * {@link Teller}
	 */
	public boolean hasLeft() {
		return this.left;
	}

	/**
	 * Tell whoever wants to know whether a message waits.
	 * @param context the context of the message
	 * @param held whether it waits
	 */
	public static void hold(ContextView context, boolean held) {
		Departure departure = context.getOrDefault(Departure.class, null);
		if (departure != null) {
			departure.held = held;
		}
	}

	/**
	 * Tell whoever wants to know that a message is let go.
	 * @param context the context of the message
	 */
	public static void leave(ContextView context) {
		Departure departure = context.getOrDefault(Departure.class, null);
		if (departure != null) {
			departure.left = true;
		}
	}

	/**
	 * A transport that tells of each message when it {@linkplain #leave leaves}, and of
	 * none after its end.
	 */
	public interface Teller {

	}

}
