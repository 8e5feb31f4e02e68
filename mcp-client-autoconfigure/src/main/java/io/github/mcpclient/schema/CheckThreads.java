package io.github.mcpclient.schema;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.Supplier;

import io.github.mcpclient.support.DaemonThreads;
import io.github.mcpclient.support.LogLimit;
import io.github.mcpclient.support.Times;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * The few threads for checks that take long. Servers take turns, and a cancelled check
 * ends. Where too many values of a server wait, further ones pass, which is logged.
 */
public final class CheckThreads implements Disposable {

	private static final Logger logger = LoggerFactory.getLogger(CheckThreads.class);

	private static final int THREADS = 2;

	private static final int IDLE_SECONDS = 60;

	private static final int MAX_WAITING = 256;

	private final Scheduler workers;

	private final Scheduler signals;

	private final LogLimit overload;

	private final Sinks.Empty<List<String>> disposed = Sinks.empty();

	private final Map<String, Queue<Runnable>> waiting = new LinkedHashMap<>();

	/**
	 * Create threads, which start when needed. The scheduler, which must not block, keeps
	 * the time and signals the results.
	 */
	public CheckThreads(Scheduler signals) {
		this(Schedulers.newBoundedElastic(THREADS, Integer.MAX_VALUE, DaemonThreads.blocking("mcp-schema"),
				IDLE_SECONDS), signals);
	}

	/**
	 * Create an instance whose checks run on threads of that scheduler.
	 */
	public CheckThreads(Scheduler workers, Scheduler signals) {
		this.workers = workers;
		this.signals = signals;
		this.overload = new LogLimit(this::nanoTime, 1, Duration.ofMinutes(1));
	}

	/**
	 * Return a monotonic time.
	 */
	public long nanoTime() {
		return this.signals.now(TimeUnit.NANOSECONDS);
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
		return run(check.serverName(), (budget) -> check.thoroughly(value, budget), timeout, timedOut);
	}

	/**
	 * Run a check in the turn of its server, once for each subscription. Fails with a
	 * {@link CancellationException} where these threads are disposed.
	 */
	Mono<List<String>> run(String server, Function<CheckBudget, List<String>> check, Duration timeout,
			Supplier<? extends Throwable> timedOut) {
		Duration limit = Collections.max(List.of(Duration.ZERO, Times.atMostForever(timeout)));
		Mono<List<String>> violations = Mono.<List<String>>create((sink) -> {
			CheckBudget budget = new CheckBudget(CheckBudget.LONG);
			sink.onDispose(budget::stop);
			if (enqueue(server, () -> run(check, budget, sink))) {
				this.workers.schedule(() -> next().run());
			}
			else {
				logOverload();
				sink.success(List.of());
			}
		}).publishOn(this.signals).timeout(limit, Mono.error(timedOut), this.signals);
		return Mono.firstWithSignal(this.disposed.asMono(), violations);
	}

	private static void run(Function<CheckBudget, List<String>> check, CheckBudget budget,
			MonoSink<List<String>> sink) {
		try {
			sink.success(check.apply(budget));
		}
		catch (Throwable ex) {
			// an Error, too
			sink.error(ex);
		}
	}

	private boolean enqueue(String server, Runnable check) {
		synchronized (this.waiting) {
			Queue<Runnable> queue = this.waiting.computeIfAbsent(server, (absent) -> new ArrayDeque<>());
			return queue.size() < MAX_WAITING && queue.add(check);
		}
	}

	// take a check of the server whose turn it is, which then comes last
	private Runnable next() {
		synchronized (this.waiting) {
			String server = this.waiting.keySet().iterator().next();
			Queue<Runnable> queue = this.waiting.remove(server);
			Runnable check = queue.remove();
			if (!queue.isEmpty()) {
				this.waiting.put(server, queue);
			}
			return check;
		}
	}

	private void logOverload() {
		this.overload.log(
				() -> logger.warn("Too many arguments or structured results of MCP tools wait to be checked against a "
						+ "schema: some pass without a check"),
				(notice) -> logger.debug("Of calls that pass without a check: {}", notice));
	}

	@Override
	public void dispose() {
		this.disposed.tryEmitError(new CancellationException("The check against a schema was given up"));
		this.workers.dispose();
	}

}
