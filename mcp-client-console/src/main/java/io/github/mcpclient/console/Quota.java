package io.github.mcpclient.console;

import java.util.HashMap;
import java.util.Map;

import org.springframework.http.HttpStatus;

/**
 * Limits how much of something each visitor, and all together, may have at a time. Safe
 * for use by many threads.
 */
final class Quota {

	private final Kind kind;

	private final int ofOne;

	private final int ofAll;

	private final Map<Visitor, Integer> taken = new HashMap<>();

	private int sum;

	Quota(Kind kind, int ofOne, int ofAll) {
		this.kind = kind;
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
						"You have " + own + " " + this.kind.things + " already. " + this.kind.advice);
			}
			if (this.sum == this.ofAll) {
				throw new ConsoleException(HttpStatus.SERVICE_UNAVAILABLE,
						"All users together have " + this.sum + " " + this.kind.things + " already. Try again later.");
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

	/**
	 * What is shared, and what a visitor who has as many as one may have can do.
	 */
	enum Kind {

		VIEWS("open views", "Close one first."),

		READS("pending requests", "Try again when one has been answered."),

		CALLS("running calls and actions", "Cancel a call, or try again when one has ended.");

		private final String things;

		private final String advice;

		Kind(String things, String advice) {
			this.things = things;
			this.advice = advice;
		}

	}

}
