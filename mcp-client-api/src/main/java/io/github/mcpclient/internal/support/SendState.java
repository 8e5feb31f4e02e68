package io.github.mcpclient.internal.support;

import org.jspecify.annotations.Nullable;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

/**
 * Records whether a message has been sent to the server. While it waits for its headers
 * or for a free connection, a missing response does not indicate a problem of the server,
 * and the server cannot have acted on it. Stored, with this class as the key, in the
 * Reactor context in which a message is sent: each message has a separate state within
 * the state of the operation that waits for it, which can determine whether any message
 * was sent.
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
	 * Create the state of one message, which reports to the state in its context, if any.
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
	 * Return whether the message is known to have been sent, or will be sent as soon as
	 * there is a connection.
	 */
	public boolean isSent() {
		return this.sent;
	}

	/**
	 * Record whether the message of a context is queued.
	 */
	public static void queued(ContextView context, boolean queued) {
		for (SendState state = of(context); state != null; state = state.outer) {
			state.queued = queued;
		}
	}

	/**
	 * Record that the message of a context is sent.
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
	 * A transport that reports when each message is {@linkplain #sent sent}, and stops
	 * reporting after its own end.
	 */
	public interface Reporter {

	}

}
