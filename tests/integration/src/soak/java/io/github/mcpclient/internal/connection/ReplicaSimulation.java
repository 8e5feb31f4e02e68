package io.github.mcpclient.internal.connection;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Random;

import io.github.mcpclient.definition.McpServerDefinition.Reconnect;
import org.jspecify.annotations.Nullable;

/**
 * How the replicas of an application return to a peer that was away, on virtual time,
 * with the {@link Backoff} of each. The worst case: all of them notice at once that it is
 * gone. What comes back serves some in each second, and sends the others away.
 *
 * @param replicas how many there are
 * @param away how long the peer is away
 * @param capacity how many it serves in a second then
 */
record ReplicaSimulation(int replicas, Duration away, int capacity) {

	Outcome run(Failure failure, double jitter, long seed) {
		Random random = new Random(seed);
		Reconnect defaults = Reconnect.DEFAULTS;
		Reconnect settings = new Reconnect(true, defaults.initialDelay(), defaults.multiplier(), defaults.maxDelay(),
				jitter);
		PriorityQueue<Attempt> attempts = new PriorityQueue<>(Comparator.comparing(Attempt::time));
		for (int i = 0; i < this.replicas; i++) {
			Backoff backoff = new Backoff(settings, random);
			attempts.add(new Attempt(backoff.next(null), backoff));
		}
		List<Integer> perSecond = new ArrayList<>();
		List<Duration> connected = new ArrayList<>();
		int served = 0;
		while (!attempts.isEmpty()) {
			Attempt attempt = attempts.remove();
			int second = (int) attempt.time().toSeconds();
			while (perSecond.size() <= second) {
				perSecond.add(0);
				served = 0;
			}
			perSecond.set(second, perSecond.get(second) + 1);
			boolean back = attempt.time().compareTo(this.away) >= 0;
			if (back && served < this.capacity) {
				served++;
				connected.add(attempt.time().minus(this.away));
			}
			else {
				Duration failed = back ? attempt.time() : attempt.time().plus(failure.after());
				attempts.add(new Attempt(failed.plus(attempt.backoff().next(failure.retryAfter())), attempt.backoff()));
			}
		}
		return new Outcome(failure, jitter, (int) this.away.toSeconds(), perSecond, connected);
	}

	private record Attempt(Duration time, Backoff backoff) {
	}

	/**
	 * How an attempt fails.
	 *
	 * @param after how long it takes while the peer is away
	 * @param retryAfter what the peer, or a proxy before it, asks for
	 */
	record Failure(String name, Duration after, @Nullable Duration retryAfter) {
	}

	/**
	 * What came of it.
	 *
	 * @param perSecond the attempts in each second
	 * @param connected when the replicas were connected, after the peer was back
	 */
	record Outcome(Failure failure, double jitter, int away, List<Integer> perSecond, List<Duration> connected) {

		int mostWhileAway() {
			return Collections.max(this.perSecond.subList(0, this.away));
		}

		int mostAfterwards() {
			return Collections.max(this.perSecond.subList(this.away, this.perSecond.size()));
		}

		Duration connected(double part) {
			return this.connected.get((int) Math.ceil(part * this.connected.size()) - 1);
		}

		int total() {
			return this.perSecond.stream().mapToInt(Integer::intValue).sum();
		}

	}

}
