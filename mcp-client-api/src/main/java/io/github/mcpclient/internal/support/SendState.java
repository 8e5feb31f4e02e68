package io.github.mcpclient.internal.support;

import org.jspecify.annotations.Nullable;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

/**
 * Records whether a message has been sent to the server. While it waits for its headers
 * or for a free connection, a missing answer says nothing about the server, and the
 * server cannot have acted on it. Put, by its class, into the Reactor context in which a
 * message is sent: each message has one of its own within that of whoever waits for it,
 * who learns whether any was sent.
 */
public final class SendState {

	private final @Nullable SendState outer;

	private volatile boolean queued;

	private volatile boolean sent;

	/**
	 * Create the state of all messages of a call.
	 */
	public SendState() {
		this(null);
	}

	private SendState(@Nullable SendState outer) {
		this.outer = outer;
	}

	/**
	 * Create the state of one message, which reports to that of its context, if any.
	 */
	public static SendState within(ContextView context) {
		return new SendState(context.getOrDefault(SendState.class, null));
	}

	/**
	 * Return a context with this state.
	 */
	public Context in(Context context) {
		return context.put(SendState.class, this);
	}

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
		for (SendState state = of(context); state != null; state = state.outer) {
			state.queued = queued;
		}
	}

	/**
	 * Note that the message of a context is sent.
	 */
	public static void sent(ContextView context) {
		for (SendState state = of(context); state != null; state = state.outer) {
			state.sent = true;
		}
	}

	private static @Nullable SendState of(ContextView context) {
		return context.getOrDefault(SendState.class, null);
	}

	/**
	 * A transport that reports when each message is {@linkplain #sent sent}, and none
	 * after its own end.
	 */
	public interface Reporter {

	}

}
