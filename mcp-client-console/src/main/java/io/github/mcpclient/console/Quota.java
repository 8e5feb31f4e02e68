package io.github.mcpclient.console;

import java.util.HashMap;
import java.util.Map;

import org.springframework.http.HttpStatus;

/**
 * Limits the number of concurrent requests of a kind, per visitor and in total. Safe for
 * use by multiple threads.
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
	 * Take a share, which has to be {@link #release released}.
	 * @throws ConsoleException if the visitor, or all visitors, have reached the limit
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
	 * The kind of requests, and advice for a visitor who has reached the limit.
	 */
	enum Kind {

		VIEWS("open views", "Close one first."),

		READS("pending requests", "Try again when one has completed."),

		CALLS("running calls and actions", "Cancel a call, or try again when one has ended.");

		private final String things;

		private final String advice;

		Kind(String things, String advice) {
			this.things = things;
			this.advice = advice;
		}

	}

}
