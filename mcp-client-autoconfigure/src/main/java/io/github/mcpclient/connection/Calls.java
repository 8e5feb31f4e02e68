package io.github.mcpclient.connection;

import java.time.Duration;
import java.util.List;

import io.github.mcpclient.McpRequestTimeoutException;
import io.github.mcpclient.McpServerDefinition;
import io.github.mcpclient.McpServerState;
import io.github.mcpclient.McpServerUnavailableException;
import io.github.mcpclient.session.Call;
import io.github.mcpclient.session.SessionTimeoutException;
import io.github.mcpclient.support.SerialQueue;
import io.github.mcpclient.transport.ProvidedHeaders;
import io.github.mcpclient.transport.TransportException;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.util.context.Context;

/**
 * Brings calls to the present generation, and once more, to it or to the next one, where
 * the exchange was cut off, or refused for now, and a repetition can do no harm.
 * Everything but the look at the state and one error handler is off the way of a call
 * that goes well.
 */
final class Calls {

	private final Supervisor supervisor;

	private final McpServerDefinition definition;

	private final SerialQueue queue;

	private final ErrorWording wording;

	private final @Nullable CallLimiter limiter;

	private final ProvidedHeaders headers;

	Calls(Supervisor supervisor, ConnectionContext context, ProvidedHeaders headers) {
		this.supervisor = supervisor;
		this.definition = context.definition();
		this.queue = context.queue();
		this.wording = context.wording();
		Integer permits = this.definition.limits().maxConcurrentCalls();
		this.limiter = (permits != null) ? new CallLimiter(permits, this.queue) : null;
		this.headers = headers;
	}

	/**
	 * Make a call; once for each subscription.
	 */
	<T> Mono<T> call(Call<T> call) {
		return Mono.defer(() -> begin(call));
	}

	private <T> Mono<T> begin(Call<T> call) {
		ConnectionState state = this.supervisor.state();
		if (state.readyGeneration() == null && !state.callsWait()) {
			return unavailable();
		}
		if (this.definition.http() == null || this.headers.isEmpty()) {
			return proceed(call, call.spent());
		}
		long started = this.queue.nanoTime();
		Mono<Context> headers = this.headers.ofCaller(this.definition);
		return headers
			.timeout(call.timeout().minus(call.spent()), Mono.error(() -> headersTooLate(call)), this.queue.scheduler())
			.flatMap((context) -> proceed(call, call.spent().plus(this.queue.since(started))).contextWrite(context));
	}

	private <T> Mono<T> proceed(Call<T> call, Duration spent) {
		if (this.limiter == null) {
			return call(call, call.longest().minus(spent));
		}
		return this.limiter.limit(call.timeout().minus(spent), () -> waitedTooLong(call),
				(rest) -> call(call, call.longest().minus(call.timeout().minus(rest))));
	}

	private <T> Mono<T> call(Call<T> call, Duration timeout) {
		Generation generation = this.supervisor.state().readyGeneration();
		if (generation != null) {
			return send(call, generation, timeout);
		}
		long started = this.queue.nanoTime();
		return connected(shorter(call.timeout(), timeout)).flatMap((next) -> send(call, next, rest(timeout, started)));
	}

	/**
	 * Wait for the connection where calls do, and connect where nothing was done yet.
	 */
	private Mono<Generation> connected(Duration timeout) {
		ConnectionState state = this.supervisor.state();
		Generation generation = state.readyGeneration();
		if (generation != null) {
			return Mono.just(generation);
		}
		if (!state.callsWait()) {
			return unavailable();
		}
		if (state.name() == McpServerState.IDLE) {
			this.supervisor.start();
		}
		return attempted(state, timeout).switchIfEmpty(unavailable());
	}

	/**
	 * Wait for the attempt that is running or comes next, and return the generation that
	 * is READY then, if any.
	 */
	private Mono<Generation> attempted(ConnectionState state, Duration timeout) {
		return within(state.attempt().asMono(), timeout)
			.then(Mono.fromSupplier(() -> this.supervisor.state().readyGeneration()));
	}

	private <T> Mono<T> send(Call<T> call, Generation generation, Duration timeout) {
		long started = this.queue.nanoTime();
		if (generation.isDead()) {
			// Not seen by the queue yet, which knows how to go on. Nothing was sent
			return this.supervisor.upToDate().then(Mono.defer(() -> call(call, rest(timeout, started))));
		}
		RuntimeException refusal = call.check().refusal();
		if (refusal != null) {
			return Mono.error(refusal);
		}
		return generation.session()
			.request(call.within(timeout))
			.doOnNext((answer) -> generation.answered())
			.onErrorResume((failure) -> failed(call, generation, rest(timeout, started), failure));
	}

	private <T> Mono<T> failed(Call<T> call, Generation generation, Duration rest, Throwable failure) {
		Duration delay = ErrorWording.retryAfter(failure);
		if (delay != null && delay.compareTo(rest) < 0 && mayRepeat(call, failure)) {
			return Mono.delay(delay, this.queue.scheduler())
				.then(Mono.defer(() -> repeat(call, rest.minus(delay), failure)));
		}
		if (failure instanceof SessionTimeoutException) {
			generation.liveness().callTimedOut();
		}
		else if (ErrorWording.isConnectionFailure(failure)) {
			if (!generation.isSupervised() && ErrorWording.isTransportFailure(failure)) {
				// Nothing else tells of the death of such a transport
				generation.died(failure);
			}
			Mono<Void> fate = fate(generation, failure);
			if (fate != null && mayRepeat(call, failure) && isPositive(rest)) {
				long started = this.queue.nanoTime();
				return within(fate, rest).then(this.supervisor.upToDate())
					.then(Mono.defer(() -> repeat(call, rest(rest, started), failure)));
			}
		}
		return Mono.error(exception(call, failure));
	}

	private static boolean mayRepeat(Call<?> call, Throwable failure) {
		return call.repeatable() || ErrorWording.isUnprocessed(failure);
	}

	/**
	 * Completes when the fate of a generation that met a failure is known; {@code null}
	 * where the failure concerns the call alone.
	 */
	private static @Nullable Mono<Void> fate(Generation generation, Throwable failure) {
		if (generation.hasEnded()) {
			return generation.onDeath();
		}
		return ErrorWording.isCutOff(failure) ? generation.liveness().probe() : null;
	}

	/**
	 * Call again: the same generation, or the one that follows if it is lost.
	 */
	private <T> Mono<T> repeat(Call<T> call, Duration timeout, Throwable failure) {
		long started = this.queue.nanoTime();
		ConnectionState state = this.supervisor.state();
		Generation generation = state.readyGeneration();
		Mono<Generation> next = (generation != null && !generation.hasEnded()) ? Mono.just(generation)
				: attempted(state, timeout);
		return next.filter((usable) -> !usable.hasEnded() && isPositive(rest(timeout, started)))
			.switchIfEmpty(Mono.error(() -> exception(call, failure)))
			.flatMap((usable) -> {
				RuntimeException refusal = call.check().refusal();
				if (refusal != null) {
					return Mono.error(refusal);
				}
				return usable.session()
					.request(call.within(rest(timeout, started)))
					.doOnNext((answer) -> usable.answered())
					.onErrorMap((again) -> exception(call, again));
			});
	}

	/**
	 * Return what is known of a list, or wait for it to be known; once more where the
	 * connection is lost meanwhile.
	 */
	<T> Mono<List<T>> list(ServerList<T> list) {
		return Mono.defer(() -> {
			List<T> known = list.known();
			if (known != null) {
				return Mono.just(known);
			}
			Duration timeout = this.definition.timeouts().request();
			long started = this.queue.nanoTime();
			return connected(timeout).flatMap((generation) -> list.get(rest(timeout, started)))
				.onErrorResume(TransportException.class,
						(failure) -> this.supervisor.upToDate()
							.then(Mono.defer(() -> attempted(this.supervisor.state(), rest(timeout, started))))
							.switchIfEmpty(Mono.error(failure))
							.flatMap((generation) -> list.get(rest(timeout, started))))
				.onErrorMap((failure) -> this.wording.toException(failure, list.kind().method(), timeout));
		});
	}

	/**
	 * Wait for something, or for as long as there is time. Giving up does not cancel what
	 * is waited for.
	 */
	private Mono<Void> within(Mono<Void> event, Duration timeout) {
		Scheduler scheduler = this.queue.scheduler();
		return event.publishOn(scheduler).timeout(timeout, Mono.empty(), scheduler);
	}

	private Duration rest(Duration timeout, long started) {
		return timeout.minus(this.queue.since(started));
	}

	private static Duration shorter(Duration first, Duration second) {
		return (first.compareTo(second) < 0) ? first : second;
	}

	private static boolean isPositive(Duration duration) {
		return !duration.isZero() && !duration.isNegative();
	}

	private <T> Mono<T> unavailable() {
		return Mono.error(() -> new McpServerUnavailableException(this.supervisor.status()));
	}

	private Throwable exception(Call<?> call, Throwable failure) {
		Duration timeout = (call.maxTimeout() != null && failure instanceof SessionTimeoutException expired)
				? expired.getTimeout() : call.timeout();
		return this.wording.toException(failure, call.name(), timeout);
	}

	private Throwable headersTooLate(Call<?> call) {
		return new McpRequestTimeoutException(this.definition.name(),
				call.name() + " (it waited for the headers of a McpHeadersProvider)", call.timeout());
	}

	private Throwable waitedTooLong(Call<?> call) {
		return new McpRequestTimeoutException(this.definition.name(),
				call.name() + " (it waited for its turn, max-concurrent-calls being "
						+ this.definition.limits().maxConcurrentCalls() + ")",
				call.timeout());
	}

}
