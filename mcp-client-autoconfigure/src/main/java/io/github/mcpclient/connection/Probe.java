package io.github.mcpclient.connection;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;

import io.github.mcpclient.support.Departure;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.util.context.Context;

/**
 * Finds out with a ping whether a server is still there, after an exchange with it was
 * cut off. A ping that meets the same fate is the end of the generation; silence proves
 * nothing.
 */
final class Probe {

	private final Generation generation;

	private final Duration timeout;

	private final AtomicReference<Sinks.@Nullable Empty<Void>> underWay = new AtomicReference<>();

	Probe(Generation generation, Duration timeout) {
		this.generation = generation;
		this.timeout = timeout;
	}

	/**
	 * Send a ping, unless one is under way.
	 * @return completes when it is answered, or not, on any thread
	 */
	Mono<Void> send() {
		Sinks.Empty<Void> end = Sinks.empty();
		Sinks.Empty<Void> other = this.underWay.compareAndExchange(null, end);
		if (other != null) {
			return other.asMono();
		}
		Departure departure = new Departure();
		Mono.defer(() -> this.generation.session().ping(this.timeout))
			.contextWrite(Context.of(Departure.class, departure))
			.subscribe(null, (failure) -> {
				if (!departure.isHeld() && ErrorWording.isCutOff(failure)) {
					this.generation.died(failure);
				}
				end(end);
			}, () -> end(end));
		return end.asMono();
	}

	private void end(Sinks.Empty<Void> end) {
		this.underWay.set(null);
		end.tryEmitEmpty();
	}

}
