package io.github.mcpclient.connection;

import java.time.Duration;

import io.github.mcpclient.McpRequestTimeoutException;
import io.github.mcpclient.McpServerDefinition;
import io.github.mcpclient.McpServerState;
import io.github.mcpclient.McpServerUnavailableException;
import io.github.mcpclient.session.CallOptions;
import io.github.mcpclient.session.SessionTimeoutException;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/**
 * Brings calls to the present generation, and once more, to it or to the next one, where
 * the exchange was cut off and a repetition can do no harm. Everything but the look at
 * the state and one error handler is off the way of a call that goes well.
 */
final class ToolCalls {

	private final Supervisor supervisor;

	private final McpServerDefinition definition;

	private final SerialQueue queue;

	private final ErrorWording wording;

	private final @Nullable CallLimiter limiter;

	private final boolean tellAnswers;

	ToolCalls(Supervisor supervisor, Environment environment) {
		this.supervisor = supervisor;
		this.definition = environment.definition();
		this.queue = environment.queue();
		this.wording = environment.wording();
		Integer permits = this.definition.limits().maxConcurrentCalls();
		this.limiter = (permits != null) ? new CallLimiter(permits, this.queue) : null;
		this.tellAnswers = this.definition.timeouts().keepAliveInterval() != null;
	}

	/**
	 * Call a tool; once for each subscription.
	 * @param call the call
	 * @return the result
	 */
	Mono<CallToolResult> call(ToolCall call) {
		Duration timeout = (call.timeout() != null) ? call.timeout() : this.definition.timeouts().request();
		Call limited = new Call(call, timeout);
		return Mono.defer(() -> call(limited));
	}

	private Mono<CallToolResult> call(Call call) {
		ConnectionState state = this.supervisor.state();
		if (state.readyGeneration() == null && !state.callsWait()) {
			return unavailable();
		}
		if (this.limiter == null) {
			return call(call, call.longest());
		}
		return this.limiter.limit(call.timeout(), () -> waitedTooLong(call),
				(rest) -> call(call, call.longest().minus(call.timeout().minus(rest))));
	}

	private Mono<CallToolResult> call(Call call, Duration timeout) {
		ConnectionState state = this.supervisor.state();
		Generation generation = state.readyGeneration();
		if (generation != null) {
			return send(call, generation, timeout);
		}
		if (!state.callsWait()) {
			return unavailable();
		}
		if (state.name() == McpServerState.IDLE) {
			this.supervisor.start();
		}
		long started = this.queue.nanoTime();
		return within(state.attempt().onEnd(), shorter(call.timeout(), timeout)).then(Mono.defer(() -> {
			Generation next = this.supervisor.state().readyGeneration();
			return (next != null) ? send(call, next, rest(timeout, started)) : unavailable();
		}));
	}

	private Mono<CallToolResult> send(Call call, Generation generation, Duration timeout) {
		long started = this.queue.nanoTime();
		if (generation.isDead()) {
			// Not seen by the queue yet, which knows how to go on. Nothing was sent
			return this.supervisor.upToDate().then(Mono.defer(() -> call(call, rest(timeout, started))));
		}
		RuntimeException refusal = call.refusal();
		if (refusal != null) {
			return Mono.error(refusal);
		}
		return sendTo(generation, call, timeout)
			.onErrorResume((failure) -> failed(call, generation, rest(timeout, started), failure));
	}

	private Mono<CallToolResult> sendTo(Generation generation, Call call, Duration timeout) {
		Mono<CallToolResult> result = generation.session().callTool(call.request(), call.options(timeout));
		return (this.tellAnswers) ? result.doOnNext((answer) -> generation.answered()) : result;
	}

	private Mono<CallToolResult> failed(Call call, Generation generation, Duration rest, Throwable failure) {
		if (ErrorWording.isConnectionFailure(failure)) {
			if (!generation.isSupervised() && ErrorWording.isTransportFailure(failure)) {
				// Nothing else tells of the death of such a transport
				generation.died(failure);
			}
			Mono<Void> fate = fate(generation, failure);
			if (fate != null && (call.repeatable() || ErrorWording.isUnprocessed(failure)) && isPositive(rest)) {
				long started = this.queue.nanoTime();
				return within(fate, rest).then(this.supervisor.upToDate())
					.then(Mono.defer(() -> repeat(call, rest(rest, started), failure)));
			}
		}
		return Mono.error(exception(call, failure));
	}

	/**
	 * Return when the fate of a generation is known that met a failure.
	 * @return {@code null} where the failure concerns the call alone
	 */
	private static @Nullable Mono<Void> fate(Generation generation, Throwable failure) {
		if (generation.hasEnded()) {
			return generation.onDeath();
		}
		return ErrorWording.isCutOff(failure) ? generation.probe() : null;
	}

	/**
	 * Call again: the same generation, or the one that follows if it is lost.
	 */
	private Mono<CallToolResult> repeat(Call call, Duration timeout, Throwable failure) {
		long started = this.queue.nanoTime();
		ConnectionState state = this.supervisor.state();
		Mono<Void> connected = isUsable(state.readyGeneration()) ? Mono.empty()
				: within(state.attempt().onEnd(), timeout);
		return connected.then(Mono.defer(() -> {
			Generation next = this.supervisor.state().readyGeneration();
			Duration rest = rest(timeout, started);
			if (next == null || !isUsable(next) || !isPositive(rest)) {
				return Mono.error(exception(call, failure));
			}
			RuntimeException refusal = call.refusal();
			if (refusal != null) {
				return Mono.error(refusal);
			}
			return sendTo(next, call, rest).onErrorMap((again) -> exception(call, again));
		}));
	}

	private static boolean isUsable(@Nullable Generation generation) {
		return generation != null && !generation.hasEnded();
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

	private Mono<CallToolResult> unavailable() {
		return Mono.error(() -> new McpServerUnavailableException(this.supervisor.status()));
	}

	private Throwable exception(Call call, Throwable failure) {
		Duration timeout = (call.maxTimeout() != null && failure instanceof SessionTimeoutException expired)
				? expired.getTimeout() : call.timeout();
		return this.wording.toException(failure, call.name(), timeout);
	}

	private Throwable waitedTooLong(Call call) {
		return new McpRequestTimeoutException(this.definition.name(),
				call.name() + " (it waited for its turn, max-concurrent-calls being "
						+ this.definition.limits().maxConcurrentCalls() + ")",
				call.timeout());
	}

	/**
	 * What a caller asked for, with the timeout that applies.
	 */
	private record Call(ToolCall asked, Duration timeout) {

		CallToolRequest request() {
			return this.asked.request();
		}

		String name() {
			return "tools/call " + request().name();
		}

		boolean repeatable() {
			return this.asked.repeatable();
		}

		@Nullable Duration maxTimeout() {
			return this.asked.maxTimeout();
		}

		@Nullable RuntimeException refusal() {
			return this.asked.check().refusal();
		}

		/**
		 * Return how long the call may take in all, whatever the progress.
		 */
		Duration longest() {
			Duration max = maxTimeout();
			return (max != null) ? max : this.timeout;
		}

		CallOptions options(Duration rest) {
			return (maxTimeout() != null) ? new CallOptions(shorter(this.timeout, rest), rest, this.asked.progress())
					: new CallOptions(rest, null, this.asked.progress());
		}

	}

}
