package io.github.mcpclient.internal.session;

import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.function.Consumer;

import io.github.mcpclient.internal.session.Call.Check;
import io.github.mcpclient.internal.support.Deadline;
import io.github.mcpclient.internal.support.Times;
import io.modelcontextprotocol.spec.McpSchema.ProgressNotification;
import org.jspecify.annotations.Nullable;
import reactor.core.scheduler.Scheduler;

/**
 * How a request is made, whatever it asks for.
 *
 * @param timeout how long to wait for the result in all or, with a {@code maxTimeout},
 * for the result or the next progress
 * @param maxTimeout how long to wait in all, whatever the progress, or {@code null} if
 * progress does not extend the timeout
 * @param deadline when the {@link #longest()} time is over, or {@code null} if it begins
 * when the connection is asked
 * @param raise what to raise if the call needs longer, or {@code null} for what is raised
 * most often
 * @param progress receives progress, or {@code null}. Runs on the scheduler for user
 * code, one notification at a time; the oldest ones are dropped when it is too slow.
 * Progress that came before the result is delivered before it, unless that takes longer
 * than a second or the timeout
 * @param repeatable whether the request may be repeated though the server may have acted
 * on it
 * @param check decides whether the request may be sent
 */
public record CallOptions(Duration timeout, @Nullable Duration maxTimeout, @Nullable Deadline deadline,
		@Nullable String raise, @Nullable Consumer<ProgressNotification> progress, boolean repeatable, Check check) {

	/**
	 * Create options whose times leave room for arithmetic.
	 */
	public CallOptions {
		timeout = Times.atMostForever(timeout);
		maxTimeout = (maxTimeout != null) ? Times.atMostForever(maxTimeout) : null;
	}

	/**
	 * Return options with a timeout that nothing extends.
	 */
	public static CallOptions of(Duration timeout, boolean repeatable) {
		return new CallOptions(timeout, null, null, null, null, repeatable, Call.UNCHECKED);
	}

	/**
	 * Return options with which the time of the call has begun.
	 */
	CallOptions begin(Scheduler clock) {
		return (this.deadline != null) ? this : new CallOptions(this.timeout, this.maxTimeout,
				Deadline.after(longest(), clock), this.raise, this.progress, this.repeatable, this.check);
	}

	CallOptions checkedBy(Check check) {
		return new CallOptions(this.timeout, this.maxTimeout, this.deadline, this.raise, this.progress, this.repeatable,
				check);
	}

	/**
	 * Return the longest time that the call may take, whatever the progress.
	 */
	public Duration longest() {
		return (this.maxTimeout != null) ? this.maxTimeout : this.timeout;
	}

	/**
	 * Return what remains of the {@link #longest()} time, all of it if it has not begun.
	 */
	public Duration remaining() {
		return (this.deadline != null) ? this.deadline.remaining() : longest();
	}

	/**
	 * Return whether nothing remains of the time.
	 */
	public boolean isExpired() {
		return this.deadline != null && this.deadline.isExpired();
	}

	/**
	 * Return how long something that is no progress may take from now on.
	 */
	public Duration patience() {
		return Collections.min(List.of(this.timeout, remaining()));
	}

	/**
	 * Return how long the call may still wait before anything is sent.
	 */
	public Duration untilSent() {
		return remaining().minus(longest().minus(this.timeout));
	}

}
