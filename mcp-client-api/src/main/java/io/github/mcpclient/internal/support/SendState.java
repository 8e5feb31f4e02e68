package io.github.mcpclient.internal.support;

import reactor.util.context.ContextView;

/**
 * Records whether a message has been sent to the server. While it waits for its headers
 * or for a free connection, a missing answer says nothing about the server, and the
 * server cannot have acted on it. Put, by its class, into the Reactor context in which a
 * message is sent. Only transports that are a {@link Reporter} use it.
 */
public final class SendState {

	private volatile boolean queued;

	private volatile boolean sent;

	/**
	 * Return whether the message is known to be queued.
	 */
	public boolean isQueued() {
		return this.queued;
	}

	/**
	 * Return whether the message is known to have been sent, or to be sent as soon as
	 * there is a connection.
	 */
	public boolean isSent() {
		return this.sent;
	}

	/**
	 * Note whether the message of a context is queued.
	 */
	public static void queued(ContextView context, boolean queued) {
		of(context).queued = queued;
	}

	/**
	 * Note that the message of a context is sent.
	 */
	public static void sent(ContextView context) {
		of(context).sent = true;
	}

	private static SendState of(ContextView context) {
		return context.<SendState>getOrEmpty(SendState.class).orElseGet(SendState::new);
	}

	/**
	 * A transport that reports when each message is {@linkplain #sent sent}, and none
	 * after its own end.
	 */
	public interface Reporter {

	}

}
