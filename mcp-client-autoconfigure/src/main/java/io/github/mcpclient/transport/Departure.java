package io.github.mcpclient.transport;

import reactor.util.context.ContextView;

/**
 * Tells whether a message still waits on this side, for its headers or for a free
 * connection, so that no answer to it says nothing of the server. Put, by its class, into
 * the Reactor context of {@link SupervisedTransport#sendMessage sendMessage}. Transports
 * that have nothing of the kind leave it alone.
 */
public final class Departure {

	private volatile boolean held;

	/**
	 * Return whether the message waits.
	 * @return {@code false} where it was sent, and where that is not known
	 */
	public boolean isHeld() {
		return this.held;
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

}
