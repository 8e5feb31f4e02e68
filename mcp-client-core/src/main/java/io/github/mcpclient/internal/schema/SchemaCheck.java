package io.github.mcpclient.internal.schema;

import java.lang.ref.SoftReference;
import java.time.Duration;
import java.util.Collection;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import com.networknt.schema.AbsoluteIri;
import com.networknt.schema.Error;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaException;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SchemaRegistryConfig;
import io.github.mcpclient.internal.support.DaemonThreads;
import io.github.mcpclient.internal.support.Deadline;
import io.github.mcpclient.internal.support.LogKeys;
import io.github.mcpclient.internal.support.LogLimit;
import io.github.mcpclient.internal.support.Printable;
import io.github.mcpclient.internal.support.ServerThreads;
import io.github.mcpclient.internal.support.ServerThreads.Limits;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Checks values against one schema of a tool, which is compiled on first use. A value
 * that cannot be checked is accepted, which is logged once. Thread-safe.
 */
public final class SchemaCheck {

	private static final Logger logger = LoggerFactory.getLogger(SchemaCheck.class);

	// the size of a value that is converted and checked on any thread
	private static final int MAX_SMALL = 4000;

	private static final int CONTAINER = 10;

	private static final int CHARACTERS = 16;

	private final String serverName;

	private final String name;

	private final Map<String, Object> schema;

	// soft, since a server may send schemas that exhaust the memory
	private volatile SoftReference<@Nullable Compiled> compiled = new SoftReference<>(null);

	private volatile boolean unusable;

	private final AtomicBoolean loggedPatterns = new AtomicBoolean();

	private final AtomicBoolean loggedMissing = new AtomicBoolean();

	/**
	 * Create a check.
	 * @param name the name of the schema, for the log, such as {@code inputSchema of its
	 * tool 'echo'}
	 */
	public SchemaCheck(String serverName, String name, Map<String, Object> schema) {
		this.serverName = serverName;
		this.name = name;
		this.schema = schema;
	}

	/**
	 * Return the violations, empty if the value cannot be checked, or {@code null} if it
	 * must be checked {@linkplain Threads#check on another thread}.
	 */
	public @Nullable List<String> tryCheck(@Nullable Object value) {
		if (this.unusable) {
			return List.of();
		}
		Compiled compiled = this.compiled.get();
		if (compiled == null || remaining(value, MAX_SMALL) < 0) {
			return null;
		}
		try {
			return compiled.violations(value, new CheckBudget(CheckBudget.SHORT));
		}
		catch (RuntimeException | StackOverflowError | LinkageError ex) {
			return null;
		}
	}

	String serverName() {
		return this.serverName;
	}

	/**
	 * Return the remainder of a limit after the size of a value, without traversing the
	 * whole of a large one.
	 */
	static int remaining(@Nullable Object value, int limit) {
		if (value instanceof Map<?, ?> map) {
			return remaining(map.values(), remaining(map.keySet(), limit));
		}
		if (value instanceof Collection<?> items) {
			int left = limit - CONTAINER;
			for (Iterator<?> iterator = items.iterator(); left >= 0 && iterator.hasNext();) {
				left = remaining(iterator.next(), left);
			}
			return left;
		}
		return limit - 1 - ((value instanceof CharSequence text) ? text.length() / CHARACTERS : 0);
	}

	/**
	 * Return the violations, or throw any exception if the schema cannot be used.
	 */
	static List<String> violations(Map<String, Object> schema, Object value, CheckBudget budget) {
		Compiled compiled = new Compiled(schema, budget);
		budget.refill(CheckBudget.LONG);
		return compiled.violations(value, budget);
	}

	/**
	 * Return the violations, empty if the value cannot be checked or the check was
	 * stopped. May occupy the thread for some time.
	 */
	List<String> check(@Nullable Object value, CheckBudget budget) {
		try {
			Compiled compiled = this.compiled.get();
			if (compiled == null && !this.unusable) {
				compiled = new Compiled(this.schema, budget);
				this.compiled = new SoftReference<>(compiled);
				logPatterns(compiled.uncheckedPatterns());
				budget.refill(CheckBudget.LONG);
			}
			return (compiled != null) ? compiled.violations(value, budget) : List.of();
		}
		catch (RuntimeException | StackOverflowError | LinkageError ex) {
			if (!budget.isStopped()) {
				String reason = (ex.getMessage() != null) ? ex.getMessage() : ex.getClass().getSimpleName();
				unusable((ex instanceof StackOverflowError) ? "it is nested too deeply" : reason);
			}
			return List.of();
		}
	}

	/**
	 * Log, once, that a result has no structured content to check.
	 */
	public void logMissing() {
		if (!this.loggedMissing.getAndSet(true)) {
			warning().log("MCP server '{}': a result has no structuredContent, which the {} requires."
					+ " Such results are returned unchanged", this.serverName, this.name);
		}
	}

	private LoggingEventBuilder warning() {
		return logger.atWarn().addKeyValue(LogKeys.SERVER, this.serverName);
	}

	private void logPatterns(List<String> unchecked) {
		if (!unchecked.isEmpty() && !this.loggedPatterns.getAndSet(true)) {
			warning().log(
					"MCP server '{}': {} of the patterns in the {} cannot be checked, since they are too large, or"
							+ " not in the syntax of RE2 (which has no look-around and no back references). Every"
							+ " value passes them. The first is {}",
					this.serverName, unchecked.size(), this.name, Printable.text(unchecked.get(0)));
		}
	}

	private void unusable(String reason) {
		if (!this.unusable) {
			this.unusable = true;
			this.compiled.clear();
			warning().log("MCP server '{}': nothing is checked against the {}, which cannot be used: {}",
					this.serverName, this.name, Printable.text(reason));
		}
	}

	/**
	 * A schema, by default of dialect 2020-12. It has a separate registry, so that an
	 * {@code $id} does not affect other schemas, and loads no remote schemas.
	 */
	private static final class Compiled {

		private static final int MAX_VIOLATIONS = 5;

		private static final int NODE = 1000;

		private static final Pattern META_SCHEMAS = Pattern
			.compile("https?://json-schema\\.org/(draft/20(19-09|20-12)/(schema|meta/[a-z-]+)|draft-0[467]/schema)#?");

		private static final JsonMapper mapper = JsonMapper.builder().build();

		private final Map<String, SchemaPattern> patterns = new ConcurrentHashMap<>();

		private final Schema schema;

		private Compiled(Map<String, Object> schema, CheckBudget budget) {
			if (schema.get("$schema") instanceof String dialect && !META_SCHEMAS.matcher(dialect).matches()) {
				throw new SchemaException("its dialect is not supported, $schema being " + dialect);
			}
			JsonNode tree = mapper.valueToTree(schema);
			budget.spend(NODE * MeteredKeyword.spendOnAll(budget, tree));
			SchemaRegistryConfig config = SchemaRegistryConfig.builder()
				.locale(Locale.ENGLISH)
				.preloadSchema(false)
				.regularExpressionFactory((regex) -> this.patterns.computeIfAbsent(regex, SchemaPattern::new))
				.build();
			SchemaRegistry registry = SchemaRegistry.withDialects(MeteredKeyword.DIALECTS,
					(builder) -> builder.schemaRegistryConfig(config)
						.schemaLoader((loader) -> loader.allow(Compiled::isMetaSchema)));
			this.schema = budget.run(() -> resolved(registry.getSchema(tree)));
		}

		// resolve references now, so that checks need not do this
		private static Schema resolved(Schema schema) {
			try {
				schema.initializeValidators();
			}
			catch (CheckBudget.ExceededException ex) {
				throw ex;
			}
			catch (RuntimeException ex) {
				// reported when a value needs that reference
			}
			return schema;
		}

		private static boolean isMetaSchema(AbsoluteIri iri) {
			return META_SCHEMAS.matcher(iri.toString()).matches();
		}

		private List<String> uncheckedPatterns() {
			return this.patterns.entrySet()
				.stream()
				.filter((pattern) -> !pattern.getValue().isChecked())
				.map(Map.Entry::getKey)
				.sorted()
				.toList();
		}

		private List<String> violations(@Nullable Object value, CheckBudget budget) {
			try {
				budget.run(() -> {
					this.schema.validate(budget, mapper.valueToTree(value));
					return true;
				});
			}
			catch (CheckBudget.ExceededException ex) {
				if (!budget.hasEnoughErrors()) {
					throw ex;
				}
			}
			List<Error> errors = budget.certainErrors();
			List<String> violations = errors.stream()
				.limit(MAX_VIOLATIONS)
				.map(Compiled::text)
				.collect(Collectors.toList());
			if (errors.size() > MAX_VIOLATIONS) {
				violations.add("and " + (errors.size() - MAX_VIOLATIONS) + " more");
			}
			return violations;
		}

		private static String text(Error error) {
			String location = error.getInstanceLocation().toString();
			return Printable.text((location.isEmpty() ? "" : location + ": ") + error.getMessage());
		}

	}

	/**
	 * The few threads for checks that take long. Servers take turns, and a cancelled
	 * check ends. If too many values of a server wait, further values are accepted
	 * without a check, which is logged.
	 */
	public static final class Threads implements Disposable {

		private static final Logger logger = LoggerFactory.getLogger(Threads.class);

		private static final Limits LIMITS = new Limits(2, 256, 2, 2);

		private final ServerThreads threads;

		private final Scheduler signals;

		private final LogLimit overload;

		/**
		 * Create threads, which are started on demand. The scheduler, which must not
		 * block, provides the time and signals the results.
		 */
		public Threads(Scheduler signals) {
			this(Executors.newCachedThreadPool(DaemonThreads.blocking("mcp-schema")), signals);
		}

		/**
		 * Create an instance whose checks run on threads of the given executor.
		 */
		public Threads(Executor workers, Scheduler signals) {
			this.threads = new ServerThreads("mcp-schema", LIMITS, workers, signals);
			this.signals = signals;
			this.overload = new LogLimit(() -> signals.now(TimeUnit.NANOSECONDS), 1, Duration.ofMinutes(1));
		}

		/**
		 * Check a value against a schema that is used once.
		 * @return the violations; fails if the schema cannot be used, or the check takes
		 * too long
		 */
		public Mono<List<String>> check(String server, Map<String, Object> schema, Object value, Duration timeout) {
			return run(server, (budget) -> SchemaCheck.violations(schema, value, budget), timeout,
					TimeoutException::new);
		}

		/**
		 * Check a value that takes long.
		 * @return the violations, empty if the value cannot be checked. Fails with a
		 * {@link CancellationException} if these threads are disposed
		 */
		public Mono<List<String>> check(SchemaCheck check, Object value, Duration timeout,
				Supplier<? extends Throwable> timedOut) {
			return run(check.serverName(), (budget) -> check.check(value, budget), timeout, timedOut);
		}

		/**
		 * Run a check when it is the turn of its server, once for each subscription.
		 * Fails with a {@link CancellationException} if these threads are disposed.
		 */
		Mono<List<String>> run(String server, Function<CheckBudget, List<String>> check, Duration timeout,
				Supplier<? extends Throwable> timedOut) {
			Duration limit = Collections.max(List.of(Duration.ZERO, Deadline.atMostForever(timeout)));
			return Mono.defer(() -> {
				CheckBudget budget = new CheckBudget(CheckBudget.LONG);
				return this.threads.call(server, () -> check.apply(budget))
					.timeout(limit, Mono.error(timedOut), this.signals)
					.doFinally((signal) -> budget.stop());
			}).onErrorResume(ServerThreads.FullException.class, (full) -> {
				logOverload();
				return Mono.just(List.of());
			})
				.onErrorMap(RejectedExecutionException.class,
						(ex) -> new CancellationException("The threads are disposed"));
		}

		private void logOverload() {
			this.overload.log(
					() -> logger
						.warn("Too many arguments or structured results of MCP tools wait to be checked against a "
								+ "schema: some are accepted without a check"),
					(notice) -> logger.debug("Calls that are accepted without a check: {}", notice));
		}

		@Override
		public void dispose() {
			this.threads.dispose();
		}

	}

}
