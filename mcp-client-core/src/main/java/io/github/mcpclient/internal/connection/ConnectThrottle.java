package io.github.mcpclient.internal.connection;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

import io.github.mcpclient.internal.support.ClientScheduler;
import org.jspecify.annotations.Nullable;
import reactor.core.Disposable;

/**
 * Limits how many attempts to connect begin at a time: at the start of an application
 * with many servers, and when the network recovers. A turn ends with its attempt, or
 * after {@value #TURN_MILLIS} ms if others wait, so that servers that do not respond
 * delay them only briefly. At least three of four turns are for attempts with precedence,
 * as long as there are any.
 *
 * <p>
 * Servers that have been unavailable for a long time also share a rate, so that their
 * cost is limited, regardless of their number. If there are few of them, each has its own
 * delay, as required servers always do.
 */
final class ConnectThrottle {

	static final int TURNS = 32;

	static final int TURN_MILLIS = 100;

	// an endless series of users must not delay the servers
	private static final int MOST_PASSED = 3;

	private static final long PACE = TimeUnit.MILLISECONDS.toNanos(55);

	private static final long LONGEST_PACED = TimeUnit.SECONDS.toNanos(55);

	private final ClientScheduler time;

	private final Queue<Consumer<Disposable>> ahead = new ArrayDeque<>();

	private final Queue<Consumer<Disposable>> others = new ArrayDeque<>();

	// in the order in which they began
	private final Set<Turn> turns = new LinkedHashSet<>();

	private boolean timed;

	// turns with precedence since the last one without
	private int passed;

	// when the next attempt of the servers that share the rate may begin
	private final AtomicLong next;

	ConnectThrottle(ClientScheduler time) {
		this.time = time;
		this.next = new AtomicLong(time.now(TimeUnit.NANOSECONDS));
	}

	/**
	 * Return the delay before the next attempt of a server that has been unavailable for
	 * a long time: its own delay, or a longer one if there are many such servers, 55
	 * seconds at most.
	 */
	Duration paced(Duration delay) {
		long now = this.time.now(TimeUnit.NANOSECONDS);
		long next = this.next.getAndUpdate((time) -> begin(time, now) + PACE);
		return Collections.max(List.of(delay, Duration.ofNanos(begin(next, now) - now)));
	}

	// by difference, as the clock may start at any value
	private static long begin(long next, long now) {
		return now + Math.min(Math.max(next - now, 0), LONGEST_PACED);
	}

	/**
	 * Begin an attempt immediately, or when it is its turn.
	 * @param ahead whether it has precedence over other attempts
	 * @param attempt called once with its turn, which it must dispose of when it has
	 * ended; must neither fail nor take time
	 */
	void begin(boolean ahead, Consumer<Disposable> attempt) {
		synchronized (this.turns) {
			(ahead ? this.ahead : this.others).add(attempt);
		}
		proceed();
	}

	private void proceed() {
		for (Turn turn = next(); turn != null; turn = next()) {
			turn.attempt.accept(turn);
		}
	}

	private @Nullable Turn next() {
		synchronized (this.turns) {
			boolean ahead = this.others.isEmpty() || (!this.ahead.isEmpty() && this.passed < MOST_PASSED);
			Queue<Consumer<Disposable>> waiting = ahead ? this.ahead : this.others;
			Consumer<Disposable> attempt = waiting.peek();
			if (attempt == null || !hasRoom()) {
				return null;
			}
			waiting.remove();
			this.passed = ahead ? this.passed + 1 : 0;
			Turn turn = new Turn(attempt, now());
			this.turns.add(turn);
			return turn;
		}
	}

	private boolean hasRoom() {
		if (this.turns.size() < TURNS) {
			return true;
		}
		Iterator<Turn> turns = this.turns.iterator();
		long rest = turns.next().began + TURN_MILLIS - now();
		if (rest <= 0) {
			turns.remove();
			return true;
		}
		if (!this.timed) {
			this.timed = proceedAfter(rest);
		}
		return false;
	}

	private boolean proceedAfter(long millis) {
		try {
			this.time.schedule(() -> {
				synchronized (this.turns) {
					this.timed = false;
				}
				proceed();
			}, millis, TimeUnit.MILLISECONDS);
			return true;
		}
		catch (RejectedExecutionException ex) {
			// the application is shutting down
			return false;
		}
	}

	private long now() {
		return this.time.now(TimeUnit.MILLISECONDS);
	}

	private final class Turn implements Disposable {

		private final Consumer<Disposable> attempt;

		private final long began;

		Turn(Consumer<Disposable> attempt, long began) {
			this.attempt = attempt;
			this.began = began;
		}

		@Override
		public void dispose() {
			boolean ended;
			synchronized (ConnectThrottle.this.turns) {
				ended = ConnectThrottle.this.turns.remove(this);
			}
			if (ended) {
				proceed();
			}
		}

	}

}
