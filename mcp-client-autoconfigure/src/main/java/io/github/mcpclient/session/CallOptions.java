package io.github.mcpclient.session;

import java.time.Duration;
import java.util.function.Consumer;

import io.modelcontextprotocol.spec.McpSchema.ProgressNotification;
import org.jspecify.annotations.Nullable;

/**
 * How a request is made.
 *
 * @param timeout how long to wait for the result; where there is a {@code maxTimeout},
 * how long to wait for the result or the next sign of progress
 * @param maxTimeout how long to wait for the result in all, however much progress there
 * is, or {@code null} if progress does not extend the timeout
 * @param progress told of progress, or {@code null}. Runs on the scheduler for user code,
 * one notification after the other; the oldest ones are dropped when it is too slow. What
 * came before the result is handed on before it, unless that takes longer than a second,
 * or than the time for the result
 */
public record CallOptions(Duration timeout, @Nullable Duration maxTimeout,
		@Nullable Consumer<ProgressNotification> progress) {

	/**
	 * Options with a timeout that nothing extends, and without progress.
	 * @param timeout how long to wait for the result
	 * @return the options
	 */
	public static CallOptions of(Duration timeout) {
		return new CallOptions(timeout, null, null);
	}

	/**
	 * Return whether the server is to be asked for progress notifications.
	 * @return whether they are of use
	 */
	boolean wantsProgress() {
		return this.maxTimeout != null || this.progress != null;
	}

}
