package io.github.mcpclient.connection;

import java.time.Duration;

import io.github.mcpclient.session.McpSession;
import io.github.mcpclient.support.Times;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * Something that a caller asks of the server, within a time.
 *
 * @param <T> the type of the result
 */
abstract class Call<T> {

	private final Duration timeout;

	/**
	 * Create a call.
	 * @param timeout the time for it, all waiting included
	 */
	Call(Duration timeout) {
		this.timeout = Times.atMostForever(timeout);
	}

	/**
	 * Return what is asked for, as messages name it.
	 * @return such as {@code tools/call echo}
	 */
	abstract String name();

	/**
	 * Ask the server.
	 * @param session the session to ask in
	 * @param rest what is left of {@link #longest()}
	 * @return the result
	 */
	abstract Mono<T> send(McpSession session, Duration rest);

	/**
	 * Return why the call must not be sent; asked right before it is, each time. Must not
	 * block.
	 * @return the failure of the call, or {@code null} to send it
	 */
	@Nullable RuntimeException refusal() {
		return null;
	}

	/**
	 * Return whether the call can be repeated though the server may have acted on it.
	 * @return whether to do it twice is the same as to do it once
	 */
	boolean repeatable() {
		return true;
	}

	/**
	 * Return whether the call counts among those of which only some are made at once.
	 * @return whether it waits for its turn
	 */
	boolean limited() {
		return true;
	}

	final Duration timeout() {
		return this.timeout;
	}

	/**
	 * Return the longest time for the call, where progress extends the timeout.
	 * @return the time, or {@code null} where it does not
	 */
	@Nullable Duration maxTimeout() {
		return null;
	}

	/**
	 * Return how much of the time had passed before the connection was asked.
	 * @return the time
	 */
	Duration spent() {
		return Duration.ZERO;
	}

	/**
	 * Return how long the call may take in all, whatever the progress.
	 */
	final Duration longest() {
		Duration max = maxTimeout();
		return (max != null) ? Times.atMostForever(max) : this.timeout;
	}

}
