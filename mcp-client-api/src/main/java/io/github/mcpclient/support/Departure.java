package io.github.mcpclient.support;

import reactor.util.context.ContextView;

/**
 * Records whether a message has been sent on its way to the server. While it waits for
 * its headers or for a free connection, a missing answer says nothing about the server,
 * and the server cannot have acted on it. Put, by its class, into the Reactor context in
 * which a message is sent. Only transports that are a {@link Teller} use it.
 */
public final class Departure {

	private volatile boolean held;

	private volatile boolean left;

	/**
	 * Returns whether the message is known to be held.
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
	 * Notes whether the message of a context is held.
	 */
	public static void hold(ContextView context, boolean held) {
		of(context).held = held;
	}

	/**
	 * Notes that the message of a context is sent.
	 */
	public static void leave(ContextView context) {
		of(context).left = true;
	}

	private static Departure of(ContextView context) {
		return context.<Departure>getOrEmpty(Departure.class).orElseGet(Departure::new);
	}

	/**
	 * A transport that notes when each message {@linkplain #leave leaves}, and none after
	 * its own end.
	 */
	public interface Teller {

	}

}
