package io.github.mcpclient.console;

import java.util.HashMap;
import java.util.Map;

import org.springframework.http.HttpStatus;

/**
 * How much of something everybody may have at a time, so that nobody has all of it. Safe
 * for use by many threads.
 */
final class Shares {

	private final String things;

	private final int ofOne;

	private final int ofAll;

	private final Map<Visitor, Integer> taken = new HashMap<>();

	private int sum;

	Shares(String things, int ofOne, int ofAll) {
		this.things = things;
		this.ofOne = ofOne;
		this.ofAll = ofAll;
	}

	/**
	 * Take one, which has to be {@link #release released}.
	 * @throws ConsoleException if the visitor, or all together, have as many as they may
	 */
	Visitor take(Visitor visitor) {
		synchronized (this.taken) {
			int own = this.taken.getOrDefault(visitor, 0);
			if (own == this.ofOne) {
				throw new ConsoleException(HttpStatus.TOO_MANY_REQUESTS,
						"You have " + own + " " + this.things + " already. Close one first.");
			}
			if (this.sum == this.ofAll) {
				throw new ConsoleException(HttpStatus.SERVICE_UNAVAILABLE,
						"All users together have " + this.sum + " " + this.things + " already. Try again later.");
			}
			this.taken.put(visitor, own + 1);
			this.sum++;
			return visitor;
		}
	}

	void release(Visitor visitor) {
		synchronized (this.taken) {
			this.taken.computeIfPresent(visitor, (known, own) -> (own > 1) ? own - 1 : null);
			this.sum--;
		}
	}

}
