package io.github.mcpclient.connection;

import java.time.Duration;
import java.util.function.Consumer;

import io.github.mcpclient.support.SerialQueue;
import org.jspecify.annotations.Nullable;

/**
 * Judges whether a server that is silent is gone, or only busy: one that does one thing
 * at a time answers no ping while it is at work on a call. Safe for use by many threads.
 *
 * <p>
 * A ping without an answer is the end where nothing else is under way. Otherwise it takes
 * a call that met its timeout, too, whichever comes first; and all that since the server
 * was last heard of.
 */
final class Liveness {

	private final SerialQueue queue;

	private final Consumer<Throwable> gone;

	private volatile long lastSign;

	private volatile @Nullable Throwable missedPing;

	private volatile boolean missedCall;

	/**
	 * Create a judge.
	 * @param queue tells the time
	 * @param gone told, on any thread and maybe more than once, that the server is gone,
	 * and how the ping failed
	 */
	Liveness(SerialQueue queue, Consumer<Throwable> gone) {
		this.queue = queue;
		this.gone = gone;
	}

	/**
	 * The server sent something.
	 */
	void sign() {
		this.lastSign = this.queue.nanoTime();
		this.missedPing = null;
		this.missedCall = false;
	}

	/**
	 * Return how long the server has been silent.
	 * @return the time since the last sign of life
	 */
	Duration silence() {
		return this.queue.since(this.lastSign);
	}

	/**
	 * The server did not answer a call in time.
	 */
	void callTimedOut() {
		this.missedCall = true;
		Throwable missedPing = this.missedPing;
		if (missedPing != null) {
			this.gone.accept(missedPing);
		}
	}

	/**
	 * The server did not answer a ping in time, nor send anything else meanwhile.
	 * @param failure how the ping failed
	 * @param busy whether the server has something else to answer
	 */
	void pingTimedOut(Throwable failure, boolean busy) {
		this.missedPing = failure;
		// Set first: of a ping and a call that time out at once, either sees the other
		if (!busy || this.missedCall) {
			this.gone.accept(failure);
		}
	}

}
