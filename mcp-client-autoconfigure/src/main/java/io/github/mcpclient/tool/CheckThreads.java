package io.github.mcpclient.tool;

import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;

import io.github.mcpclient.support.LogLimit;
import io.github.mcpclient.support.Times;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

import org.springframework.scheduling.concurrent.CustomizableThreadFactory;

/**
 * The few threads on which values are checked that cannot be checked at once. A check for
 * which nobody waits any more ends. Where too many wait for a thread, values pass without
 * a check, which is logged: a call neither fails for it nor waits longer than it may.
 */
public final class CheckThreads implements Disposable {

	private static final Logger logger = LoggerFactory.getLogger(CheckThreads.class);

	private static final int THREADS = 2;

	private static final int MAX_QUEUED = 256;

	private final Scheduler signals;

	private final Scheduler workers;

	private final Sinks.Empty<Void> disposed = Sinks.empty();

	private final LogLimit overload;

	/**
	 * Create threads, which are started when they are first needed.
	 * @param signals tells the time, and takes the results on; must not block
	 */
	public CheckThreads(Scheduler signals) {
		this(workers(), signals);
	}

	CheckThreads(ExecutorService workers, Scheduler signals) {
		this.workers = Schedulers.fromExecutorService(workers);
		this.signals = signals;
		this.overload = new LogLimit(this::nanoTime, 1, Duration.ofMinutes(1));
	}

	private static ExecutorService workers() {
		CustomizableThreadFactory threads = new CustomizableThreadFactory("mcp-schema-");
		threads.setDaemon(true);
		ThreadPoolExecutor workers = new ThreadPoolExecutor(THREADS, THREADS, 1, TimeUnit.MINUTES,
				new ArrayBlockingQueue<>(MAX_QUEUED), threads);
		workers.allowCoreThreadTimeOut(true);
		return workers;
	}

	/**
	 * Return a time that is good for differences only.
	 * @return nanoseconds
	 */
	long nanoTime() {
		return this.signals.now(TimeUnit.NANOSECONDS);
	}

	/**
	 * Run a check, once for each subscription.
	 * @param check the check, which ends once its budget is stopped
	 * @param timeout how long to wait for it
	 * @param timedOut the failure where it takes longer
	 * @return what does not fit. Fails with {@link CancellationException} where these
	 * threads are disposed. Signals on a thread that must not block
	 */
	Mono<List<String>> run(Function<CheckBudget, List<String>> check, Duration timeout,
			Supplier<? extends Throwable> timedOut) {
		Duration limit = Collections.max(List.of(Duration.ZERO, Times.atMostForever(timeout)));
		return Mono.defer(() -> {
			CheckBudget budget = new CheckBudget(CheckBudget.LONG);
			Mono<List<String>> violations = Mono.<List<String>>create((sink) -> {
				try {
					sink.success(check.apply(budget));
				}
				catch (Throwable ex) {
					// an Error, too
					sink.error(ex);
				}
			}).subscribeOn(this.workers).onErrorResume(RejectedExecutionException.class, (ex) -> {
				logOverload();
				return Mono.just(List.of());
			}).publishOn(this.signals).timeout(limit, Mono.error(timedOut), this.signals);
			return Mono.firstWithSignal(this.disposed.asMono().then(Mono.error(CheckThreads::ended)), violations)
				.doFinally((signal) -> budget.stop());
		});
	}

	private static CancellationException ended() {
		return new CancellationException("The check against a schema was given up");
	}

	private void logOverload() {
		this.overload.log(
				() -> logger.warn("Too many arguments or structured results of MCP tools wait to be checked against a "
						+ "schema: some pass without a check"),
				(notice) -> logger.debug("Of calls that pass without a check: {}", notice));
	}

	@Override
	public void dispose() {
		this.disposed.tryEmitEmpty();
		this.workers.dispose();
	}

}
