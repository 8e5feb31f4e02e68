package io.github.mcpclient.connection;

import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/**
 * The attempt to connect that is under way or comes next, as those see it who wait for
 * its end.
 */
final class Attempt {

	private final Sinks.Empty<Void> sink = Sinks.empty();

	private volatile boolean ended;

	/**
	 * Tell that the attempt ended, well or not, or that there will be none.
	 */
	void end() {
		this.ended = true;
		this.sink.tryEmitEmpty();
	}

	boolean hasEnded() {
		return this.ended;
	}

	/**
	 * Return the end of the attempt.
	 * @return completes, on the serial queue, when the attempt ended
	 */
	Mono<Void> onEnd() {
		return this.sink.asMono();
	}

}
