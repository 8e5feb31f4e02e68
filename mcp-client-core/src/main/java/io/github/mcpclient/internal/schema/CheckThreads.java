package io.github.mcpclient.internal.schema;

import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.Supplier;

import io.github.mcpclient.internal.support.DaemonThreads;
import io.github.mcpclient.internal.support.LogLimit;
import io.github.mcpclient.internal.support.ServerThreads;
import io.github.mcpclient.internal.support.ServerThreads.Limits;
import io.github.mcpclient.internal.support.Times;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/**
 * The few threads for checks that take long. Servers take turns, and a cancelled check
 * ends. If too many values of a server wait, further ones pass without a check, which is
 * logged.
 */
public final class CheckThreads implements Disposable {

	private static final Logger logger = LoggerFactory.getLogger(CheckThreads.class);

	private static final Limits LIMITS = new Limits(2, 256, 2, 2);

	private final ServerThreads threads;

	private final Scheduler signals;

	private final LogLimit overload;

	/**
	 * Create threads, which start when needed. The scheduler, which must not block, keeps
	 * the time and signals the results.
	 */
	public CheckThreads(Scheduler signals) {
		this(Executors.newCachedThreadPool(DaemonThreads.blocking("mcp-schema")), signals);
	}

	/**
	 * Create an instance whose checks run on threads of that executor.
	 */
	public CheckThreads(Executor workers, Scheduler signals) {
		this.threads = new ServerThreads("mcp-schema", LIMITS, workers, signals);
		this.signals = signals;
		this.overload = new LogLimit(() -> signals.now(TimeUnit.NANOSECONDS), 1, Duration.ofMinutes(1));
	}

	/**
	 * Check a value against a schema that is used once.
	 * @return the violations; fails where the schema cannot be used, or it takes too long
	 */
	public Mono<List<String>> check(String server, Map<String, Object> schema, Object value, Duration timeout) {
		return run(server, (budget) -> SchemaCheck.violations(schema, value, budget), timeout, TimeoutException::new);
	}

	/**
	 * Check a value {@linkplain SchemaCheck#quickly that takes long}.
	 * @return the violations, none where the value cannot be checked. Fails with a
	 * {@link CancellationException} where these threads are disposed
	 */
	public Mono<List<String>> check(SchemaCheck check, Object value, Duration timeout,
			Supplier<? extends Throwable> timedOut) {
		return run(check.serverName(), (budget) -> check.check(value, budget), timeout, timedOut);
	}

	/**
	 * Run a check in the turn of its server, once for each subscription. Fails with a
	 * {@link CancellationException} where these threads are disposed.
	 */
	Mono<List<String>> run(String server, Function<CheckBudget, List<String>> check, Duration timeout,
			Supplier<? extends Throwable> timedOut) {
		Duration limit = Collections.max(List.of(Duration.ZERO, Times.atMostForever(timeout)));
		return Mono.defer(() -> {
			CheckBudget budget = new CheckBudget(CheckBudget.LONG);
			return this.threads.call(server, () -> check.apply(budget))
				.timeout(limit, Mono.error(timedOut), this.signals)
				.doFinally((signal) -> budget.stop());
		}).onErrorResume(ServerThreads.FullException.class, (full) -> {
			logOverload();
			return Mono.just(List.of());
		}).onErrorMap(RejectedExecutionException.class, (ex) -> new CancellationException("The threads are disposed"));
	}

	private void logOverload() {
		this.overload.log(
				() -> logger.warn("Too many arguments or structured results of MCP tools wait to be checked against a "
						+ "schema: some pass without a check"),
				(notice) -> logger.debug("Of calls that pass without a check: {}", notice));
	}

	@Override
	public void dispose() {
		this.threads.dispose();
	}

}
