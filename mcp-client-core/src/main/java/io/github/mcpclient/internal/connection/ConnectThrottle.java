package io.github.mcpclient.internal.connection;

import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

import io.github.mcpclient.internal.support.ClientScheduler;
import org.jspecify.annotations.Nullable;
import reactor.core.Disposable;

/**
 * Lets attempts to connect begin a few at a time: at the start of an application with
 * many servers, and when the network is back. A turn ends with its attempt, or after
 * {@value #TURN_MILLIS} ms where others wait, so that servers which do not answer hold
 * them up for a moment only. Three of four turns at least are for those that go ahead, as
 * long as there are any.
 */
final class ConnectThrottle {

	static final int TURNS = 32;

	static final int TURN_MILLIS = 100;

	// users without end must not hold up the servers
	private static final int MOST_PASSED = 3;

	private final ClientScheduler time;

	private final Queue<Consumer<Disposable>> ahead = new ArrayDeque<>();

	private final Queue<Consumer<Disposable>> others = new ArrayDeque<>();

	// in the order of their beginning
	private final Set<Turn> turns = new LinkedHashSet<>();

	private boolean timed;

	// turns of those ahead since one of the others
	private int passed;

	ConnectThrottle(ClientScheduler time) {
		this.time = time;
	}

	/**
	 * Begin an attempt, now or when it is its turn.
	 * @param ahead whether it goes before those that are not
	 * @param attempt called once with its turn, to be disposed of when it has ended; must
	 * neither fail nor take time
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
			// the application is going down
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
