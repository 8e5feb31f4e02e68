package io.github.mcpclient.internal.connection;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.Supplier;

import io.github.mcpclient.McpRequestTimeoutException;
import io.github.mcpclient.McpServerState;
import io.github.mcpclient.McpServerUnavailableException;
import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.internal.session.Call;
import io.github.mcpclient.internal.session.ServerRequests;
import io.github.mcpclient.internal.session.SessionTimeoutException;
import io.github.mcpclient.internal.support.CallOrigin;
import io.github.mcpclient.internal.support.Deadline;
import io.github.mcpclient.internal.support.SerialQueue;
import io.github.mcpclient.internal.transport.HeaderSources;
import io.github.mcpclient.internal.transport.HeaderSources.CallerAuthorizationException;
import io.github.mcpclient.internal.transport.McpServerSecrets;
import io.github.mcpclient.spi.TransportException;
import io.modelcontextprotocol.spec.McpSchema;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

/**
 * Sends calls to the current generation. If the exchange was interrupted or temporarily
 * rejected, and a repetition is harmless, sends them again to it or to the next
 * generation.
 *
 * <p>
 * No other class decides about repetitions, since executing a tool twice may do harm:
 * only a request that the server cannot have acted on, or a call of a repeatable tool, is
 * sent again. Repetitions are part of the timeout of the call, so that a caller waits no
 * longer than for one attempt:
 *
 * <pre class="code">
 * READY: sent to generation 1, which dies
 *     the server cannot have seen it, or the tool may be repeated:
 *         sent to generation 2 as soon as that is READY, within the time left
 *     otherwise: the failure, at once
 * </pre>
 */
final class Calls {

	private static final Duration TASK_DELAY = Duration.ofSeconds(1);

	private final Supervisor supervisor;

	private final McpServerDefinition definition;

	private final boolean http;

	private final SerialQueue queue;

	private final ErrorWording wording;

	private final Deviations deviations;

	private final @Nullable CallLimiter limiter;

	private final HeaderSources headers;

	private final List<ConnectionObserver> observers;

	private final ServerRequests requests;

	// the connection for calls that arrive too late for this one
	private volatile @Nullable McpConnection next;

	// for a connection of a user, including waiting calls
	private final AtomicInteger pending = new AtomicInteger();

	Calls(Supervisor supervisor, ConnectionContext context, HeaderSources headers) {
		this.supervisor = supervisor;
		this.definition = context.definition();
		this.http = context.isHttp();
		this.queue = context.queue();
		this.wording = context.wording();
		this.deviations = context.deviations();
		Integer permits = this.definition.limits().maxConcurrentCalls();
		this.limiter = (permits != null) ? new CallLimiter(permits, this.queue.scheduler()) : null;
		this.headers = headers;
		this.observers = context.observers();
		this.requests = context.options().requests();
	}

	<T> Mono<T> call(Call<T> call) {
		Mono<T> result = Mono.deferContextual((caller) -> {
			Context given = Context.of(caller);
			Context observed = observed(given);
			Context context = this.requests.isEmpty() ? observed
					: observed.put(CallOrigin.class, CallOrigin.capture(observed));
			Mono<T> begun = begin(call, observed);
			// in most cases, there is nothing to add
			return (context == given) ? begun : begun.contextWrite((same) -> context);
		});
		return (this.headers.user() != null) ? result.doOnSubscribe((begun) -> this.pending.incrementAndGet())
			.doFinally((signal) -> this.pending.decrementAndGet()) : result;
	}

	/**
	 * Let the connection that replaces this one execute the calls that this one no longer
	 * sends.
	 */
	void goOn(@Nullable McpConnection next) {
		this.next = next;
	}

	boolean hasPendingCalls() {
		return this.pending.get() > 0;
	}

	Context withThread(Context caller) {
		return this.headers.withThread(this.definition, observed(caller));
	}

	private Context observed(Context caller) {
		Context observed = caller;
		for (ConnectionObserver observer : this.observers) {
			observed = observer.capture(observed);
		}
		return observed;
	}

	Mono<Context> authorization() {
		return authorizesCallers() ? this.headers.ofCaller(this.definition) : Mono.just(Context.empty());
	}

	@Nullable Object authorization(ContextView context) {
		return this.headers.ofCaller(this.definition, context);
	}

	// even without separate headers, a call over a connection of a user is a call of that
	// user
	private boolean authorizesCallers() {
		return (this.http || this.headers.user() != null) && !this.headers.isEmpty(this.definition);
	}

	private <T> Mono<T> begin(Call<T> given, ContextView caller) {
		ConnectionState state = this.supervisor.state();
		if (state.readyGeneration() == null && !state.callsWait()) {
			return unavailable(given);
		}
		Call<T> call = given.begin(this.queue.clock());
		if (!authorizesCallers() || this.headers.isOfCaller(this.definition, caller)) {
			return proceed(call);
		}
		Mono<Context> headers = this.headers.ofCaller(this.definition);
		return headers
			.onErrorMap(TransportException.class,
					(failure) -> this.wording.toException(failure, call.name(), call.options().timeout(),
							call.options().raise(), true))
			.timeout(call.options().untilSent(),
					Mono.error(() -> timedOut(call,
							HeaderSources.isAuthorized(this.definition) ? "its authorization"
									: "the headers of an McpHeadersProvider")),
					this.queue.scheduler())
			.flatMap((context) -> proceed(call).contextWrite(context));
	}

	private <T> Mono<T> proceed(Call<T> call) {
		return (this.limiter == null) ? send(call)
				: this.limiter.limit(call.options().untilSent(), () -> timedOut(call,
						"its turn, since max-concurrent-calls is " + this.definition.limits().maxConcurrentCalls()),
						() -> send(call));
	}

	private <T> Mono<T> send(Call<T> call) {
		Generation generation = this.supervisor.state().readyGeneration();
		return (generation != null) ? send(call, generation)
				: connected(call.options().patience()).map((next) -> send(call, next))
					.defaultIfEmpty(unavailable(call))
					.flatMap(Function.identity());
	}

	// waits for the connection if calls do, and connects if no attempt was begun; empty
	// if there is no connection
	private Mono<Generation> connected(Duration timeout) {
		ConnectionState state = this.supervisor.state();
		Generation generation = state.readyGeneration();
		if (generation != null) {
			return Mono.just(generation);
		}
		if (!state.callsWait()) {
			return Mono.empty();
		}
		if (state.name() == McpServerState.IDLE) {
			this.supervisor.start();
		}
		return attempted(state, timeout);
	}

	// waits for the current or the next attempt, and returns the READY generation if any
	private Mono<Generation> attempted(ConnectionState state, Duration timeout) {
		return within(state.attempt().asMono(), timeout)
			.then(Mono.fromSupplier(() -> this.supervisor.state().readyGeneration()));
	}

	private <T> Mono<T> send(Call<T> call, Generation generation) {
		if (generation.isDead()) {
			// not processed by the queue yet, which determines how to proceed
			return this.supervisor.upToDate().then(Mono.defer(() -> send(call)));
		}
		return request(call, generation, null, (failure) -> failed(call, generation, failure));
	}

	private <T> Mono<T> request(Call<T> call, Generation generation, @Nullable Throwable repeated,
			Function<Throwable, Mono<T>> failed) {
		RuntimeException refusal = call.options().check().beforeSend();
		if (refusal != null) {
			// a tool may have executed before its connection was lost; reading changes
			// nothing
			boolean tool = McpSchema.METHOD_TOOLS_CALL.equals(call.method());
			return Mono.error(
					(tool && repeated != null && !isUnprocessed(call, repeated)) ? exception(call, repeated) : refusal);
		}
		return generation.call(generation.session().request(call), this::unavailable).onErrorResume(failed);
	}

	private <T> Mono<T> failed(Call<T> call, Generation generation, Throwable failure) {
		if (failure instanceof CallerAuthorizationException) {
			return Mono.error(exception(call, failure));
		}
		if (failure instanceof McpServerUnavailableException && mayRepeat(call, failure)) {
			return goOn(call, () -> exception(call, failure));
		}
		Duration asked = FailureKind.retryAfter(failure);
		boolean later = asked == null && call.isTask() && FailureKind.isGatewayFailure(failure);
		Duration delay = later ? TASK_DELAY : asked;
		Duration patience = call.options().patience();
		if (delay != null && delay.compareTo(patience) < 0 && mayRepeat(call, failure)) {
			// half of the remaining time is then for the call
			Duration wait = Backoff.later(delay, patience.minus(delay).dividedBy(2),
					this.definition.reconnect().jitter(), ThreadLocalRandom.current());
			return Mono.delay(wait, this.queue.scheduler()).then(Mono.defer(() -> repeat(call, failure)));
		}
		if (failure instanceof SessionTimeoutException) {
			generation.liveness().callTimedOut();
		}
		else if (!this.http && !call.isTask() && FailureKind.isSessionUnknown(failure) && !call.options().isExpired()) {
			return within(generation.liveness().doubt(), call.options().remaining()).then(this.supervisor.upToDate())
				.then(Mono
					.defer(() -> generation.hasEnded() ? repeat(call, failure) : Mono.error(exception(call, failure))));
		}
		else if (FailureKind.isConnectionFailure(failure)) {
			if (!generation.isSupervised() && FailureKind.isTransportFailure(failure)) {
				// no other signal reports the failure of such a transport
				generation.died(failure);
			}
			Mono<Void> fate = fate(generation, failure);
			if (fate != null && mayRepeat(call, failure) && !call.options().isExpired()) {
				return within(fate, call.options().remaining()).then(this.supervisor.upToDate())
					.then(Mono.defer(() -> repeat(call, failure)));
			}
		}
		return Mono.error(exception(call, failure));
	}

	private static boolean mayRepeat(Call<?> call, Throwable failure) {
		return call.isTask() ? call.mayResume() : call.options().repeatable() || FailureKind.isUnprocessed(failure);
	}

	// completes when it is known whether the generation survives; null if the failure
	// affects the call alone
	private static @Nullable Mono<Void> fate(Generation generation, Throwable failure) {
		if (generation.hasEnded()) {
			return generation.onDeath();
		}
		return FailureKind.isCutOff(failure) ? generation.liveness().probe() : null;
	}

	// calls again: the same generation, or the next one if it is lost
	private <T> Mono<T> repeat(Call<T> call, Throwable failure) {
		Call.Options options = call.options();
		Mono<Generation> next = Mono.defer(() -> following(options.patience()))
			.repeat(() -> call.isTask() && !options.isExpired() && this.supervisor.state().isConnectingAgain())
			.next();
		return next.filter((usable) -> !usable.hasEnded() && !options.isExpired())
			.map((usable) -> request(call, usable, failure,
					(again) -> call.isTask() ? failed(call, usable, again)
							: Mono.error(exception(call, again, isUnprocessed(call, failure)))))
			.defaultIfEmpty(goOn(call, () -> exception(call, failure)))
			.flatMap(Function.identity());
	}

	// the usable generation, or the generation of the next attempt: both of one state,
	// since a later one may take a
	// long time
	private Mono<Generation> following(Duration timeout) {
		ConnectionState state = this.supervisor.state();
		Generation generation = state.readyGeneration();
		return (generation != null && !generation.hasEnded()) ? Mono.just(generation) : attempted(state, timeout);
	}

	/**
	 * Return a list once it is known; wait again if the connection is lost before.
	 */
	<T> Mono<List<T>> list(Function<ServerLists, ServerList<T>> which) {
		ServerList<T> list = which.apply(this.supervisor.lists());
		return Mono.defer(() -> {
			List<T> known = list.known();
			if (known != null) {
				return Mono.just(known);
			}
			Duration timeout = this.definition.timeouts().request();
			Deadline deadline = Deadline.after(timeout, this.queue.clock());
			return connected(timeout)
				.map((generation) -> generation.call(list.get(deadline.remaining()), this::unavailable))
				.defaultIfEmpty(Mono.error(this::unavailable))
				.flatMap(Function.identity())
				.onErrorResume(McpServerUnavailableException.class, (closed) -> {
					McpConnection next = this.next;
					return (next != null) ? next.list(which) : Mono.error(closed);
				})
				.onErrorResume(TransportException.class,
						(failure) -> this.supervisor.upToDate()
							.then(Mono.defer(() -> attempted(this.supervisor.state(), deadline.remaining())))
							.switchIfEmpty(Mono.error(failure))
							.flatMap((generation) -> list.get(deadline.remaining())))
				.onErrorMap((failure) -> this.wording.toException(failure, list.kind().method(), timeout, null,
						FailureKind.isUnprocessed(failure)));
		});
	}

	// waits for an event for a limited time
	private Mono<Void> within(Mono<Void> event, Duration timeout) {
		Scheduler scheduler = this.queue.scheduler();
		return event.publishOn(scheduler).timeout(timeout, Mono.empty(), scheduler);
	}

	private McpServerUnavailableException unavailable() {
		return new McpServerUnavailableException(this.supervisor.status());
	}

	private <T> Mono<T> unavailable(Call<T> call) {
		return goOn(call, this::unavailable);
	}

	// makes a call over the connection that replaces this one, or fails if there is no
	// such connection. The
	// authorization of a caller, and arguments that rules have set, may not be intended
	// for another server
	private <T> Mono<T> goOn(Call<T> call, Supplier<? extends Throwable> failure) {
		return Mono.defer(() -> {
			McpConnection next = this.next;
			return (next == null || call.options().isExpired() || !mayHave(next.definition(), call))
					? Mono.error(failure) : next.callInstead(call)
						.contextWrite((context) -> this.headers.withoutCaller(this.definition, context));
		});
	}

	private boolean mayHave(McpServerDefinition other, Call<?> call) {
		return !McpSchema.METHOD_TOOLS_CALL.equals(call.method()) || this.definition.target().equals(other.target())
				|| McpServerSecrets.areFixedArgumentsKnown(this.definition, other);
	}

	// a task continues at the server, even if a request about it fails
	private static boolean isUnprocessed(Call<?> call, Throwable failure) {
		return !call.isTask() && FailureKind.isUnprocessed(failure);
	}

	private Throwable exception(Call<?> call, Throwable failure) {
		return exception(call, failure, true);
	}

	// the server may also have acted on the request that the failed request repeats
	private Throwable exception(Call<?> call, Throwable failure, boolean unprocessedBefore) {
		if (failure instanceof CallerAuthorizationException && failure.getCause() != null) {
			Throwable cause = failure.getCause();
			return (cause instanceof TransportException) ? exception(call, cause, unprocessedBefore) : cause;
		}
		Call.Options options = call.options();
		Duration timeout = (options.maxTimeout() != null && failure instanceof SessionTimeoutException expired)
				? expired.getTimeout() : options.timeout();
		String meanwhile = (failure instanceof SessionTimeoutException) ? this.deviations.meanwhile(timeout) : "";
		return this.wording.toException(failure, call.name() + meanwhile, timeout, options.raise(),
				unprocessedBefore && isUnprocessed(call, failure));
	}

	private Throwable timedOut(Call<?> call, String event) {
		return new McpRequestTimeoutException(this.definition.name(),
				call.name() + " (it waited for " + event + "; nothing was sent)", call.options().timeout(), false, true,
				call.options().raise());
	}

}
