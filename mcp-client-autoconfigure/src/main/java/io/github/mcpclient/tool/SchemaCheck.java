package io.github.mcpclient.tool;

import java.lang.ref.SoftReference;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;

import io.github.mcpclient.support.Printable;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks values against one schema of a tool, as long as that makes sense: what cannot be
 * checked passes as it is, which is logged once. Safe for use by many threads.
 */
final class SchemaCheck {

	private static final Logger logger = LoggerFactory.getLogger(SchemaCheck.class);

	/**
	 * How large a value may be that is checked on any thread.
	 */
	private static final int SMALL = 2000;

	private final String serverName;

	private final String name;

	private final Map<String, Object> schema;

	/**
	 * Soft, since a server has many tools, and may have made their schemas to fill the
	 * memory.
	 */
	private volatile SoftReference<@Nullable CompiledSchema> compiled = new SoftReference<>(null);

	private volatile boolean unusable;

	private final AtomicBoolean partial = new AtomicBoolean();

	private final AtomicBoolean missing = new AtomicBoolean();

	/**
	 * Create a check.
	 * @param serverName the name of the server
	 * @param name what schema it is, such as {@code inputSchema of its tool 'echo'}
	 * @param schema the schema, which is compiled when it is first needed
	 */
	SchemaCheck(String serverName, String name, Map<String, Object> schema) {
		this.serverName = serverName;
		this.name = name;
		this.schema = schema;
	}

	/**
	 * Check a value where that is quickly done.
	 * @param value the value
	 * @return what does not fit, empty where the value fits or cannot be checked, or
	 * {@code null} where it has to be checked {@linkplain #thoroughly thoroughly}
	 */
	@Nullable List<String> quickly(@Nullable Object value) {
		if (this.unusable) {
			return List.of();
		}
		CompiledSchema compiled = this.compiled.get();
		if (compiled == null || Weight.of(value, SMALL) > SMALL) {
			return null;
		}
		try {
			return compiled.violations(value, new CheckBudget(CheckBudget.SHORT));
		}
		catch (RuntimeException | StackOverflowError | LinkageError ex) {
			// known better in a moment
			return null;
		}
	}

	/**
	 * Check a value, on a thread that may be kept busy for a while.
	 * @param value the value
	 * @param budget how much work that may be, for the schema and for the value
	 * @return what does not fit, empty where the value fits or cannot be checked, or
	 * where the check was stopped
	 */
	List<String> thoroughly(@Nullable Object value, CheckBudget budget) {
		try {
			CompiledSchema compiled = this.compiled.get();
			if (compiled == null && !this.unusable) {
				compiled = new CompiledSchema(this.schema, budget);
				this.compiled = new SoftReference<>(compiled);
				partial(compiled.unchecked());
				budget.refill(CheckBudget.LONG);
			}
			return (compiled != null) ? compiled.violations(value, budget) : List.of();
		}
		catch (CheckBudget.StoppedException ex) {
			// nobody waits for it
		}
		catch (StackOverflowError ex) {
			unusable("it is too deep");
		}
		catch (RuntimeException | LinkageError ex) {
			unusable((ex.getMessage() != null) ? Printable.text(ex.getMessage()) : ex.getClass().getSimpleName());
		}
		return List.of();
	}

	/**
	 * Tell that there is no value to check, though there should be one.
	 */
	void missing() {
		if (!this.missing.getAndSet(true)) {
			logger.warn("MCP server '{}': a result has no structuredContent, which the {} asks for."
					+ " Such results are passed on as they are", this.serverName, this.name);
		}
	}

	private void partial(List<String> patterns) {
		if (!patterns.isEmpty() && !this.partial.getAndSet(true)) {
			logger.warn(
					"MCP server '{}': {} of the patterns in the {} cannot be checked, being too large, or not in the"
							+ " syntax of RE2 (as look-around and back references are), and everything passes them."
							+ " The first is {}",
					this.serverName, patterns.size(), this.name, Printable.text(patterns.get(0)));
		}
	}

	private void unusable(String reason) {
		if (!this.unusable) {
			this.unusable = true;
			this.compiled.clear();
			logger.warn("MCP server '{}': nothing is checked against the {}, which cannot be used: {}", this.serverName,
					this.name, reason);
		}
	}

}
