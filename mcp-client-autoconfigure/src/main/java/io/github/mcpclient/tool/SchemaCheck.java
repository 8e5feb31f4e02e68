package io.github.mcpclient.tool;

import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * Checks values against one schema of a tool, as long as that makes sense: what cannot be
 * checked passes as it is, which is logged once. Safe for use by many threads.
 */
final class SchemaCheck {

	private static final Logger logger = LoggerFactory.getLogger(SchemaCheck.class);

	/**
	 * What may be done on any thread: less than a millisecond.
	 */
	private static final long SHORT = 20_000;

	/**
	 * What a check may take at most, on a thread that may be kept busy: less than a
	 * second.
	 */
	private static final long LONG = 10_000_000;

	private final String serverName;

	private final String name;

	private final Map<String, Object> schema;

	private volatile @Nullable CompiledSchema compiled;

	private volatile boolean unusable;

	/**
	 * Create a check.
	 * @param serverName the name of the server
	 * @param name what schema it is, such as {@code inputSchema of tool 'echo'}
	 * @param schema the schema, which is compiled when it is first needed
	 */
	SchemaCheck(String serverName, String name, Map<String, Object> schema) {
		this.serverName = serverName;
		this.name = name;
		this.schema = schema;
	}

	/**
	 * Check a value, once for each subscription: at once where that is quickly done.
	 * @param value the value
	 * @return what does not fit, empty where the value fits or cannot be checked; never
	 * an error. Signals on the subscriber's thread, or on another one that must not block
	 */
	Mono<List<String>> violations(@Nullable Object value) {
		return Mono.defer(() -> {
			CompiledSchema compiled = this.compiled;
			if (this.unusable) {
				return Mono.just(List.of());
			}
			if (compiled != null) {
				try {
					return Mono.just(compiled.violations(value, SHORT));
				}
				catch (RuntimeException | StackOverflowError ex) {
					// known better in a moment
				}
			}
			return Mono.fromCallable(() -> thoroughly(value))
				.subscribeOn(Schedulers.boundedElastic())
				.publishOn(Schedulers.parallel());
		});
	}

	private List<String> thoroughly(@Nullable Object value) {
		try {
			CompiledSchema compiled = this.compiled;
			if (compiled == null) {
				compiled = new CompiledSchema(this.schema);
				this.compiled = compiled;
			}
			return compiled.violations(value, LONG);
		}
		catch (StackOverflowError ex) {
			unusable("it is too deep");
		}
		catch (RuntimeException | LinkageError ex) {
			unusable((ex.getMessage() != null) ? Printable.text(ex.getMessage()) : ex.getClass().getSimpleName());
		}
		return List.of();
	}

	private void unusable(String reason) {
		if (!this.unusable) {
			this.unusable = true;
			this.compiled = null;
			logger.warn("MCP server '{}': nothing is checked against the {}, which cannot be used: {}", this.serverName,
					this.name, reason);
		}
	}

}
