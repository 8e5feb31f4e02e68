package io.github.mcpclient.tool;

import java.lang.ref.SoftReference;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;

import io.github.mcpclient.support.Printable;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks values against one schema of a tool. What cannot be checked passes as it is,
 * which is logged once. Safe for use by many threads.
 */
final class SchemaCheck {

	private static final Logger logger = LoggerFactory.getLogger(SchemaCheck.class);

	// of a value that is converted and checked on any thread
	private static final int MAX_SMALL = 4000;

	private static final int CONTAINER = 10;

	private static final int CHARACTERS = 16;

	private final String serverName;

	private final String name;

	private final Map<String, Object> schema;

	/**
	 * Soft, since a server has many tools, and may have made their schemas to fill the
	 * memory.
	 */
	private volatile SoftReference<@Nullable CompiledSchema> compiled = new SoftReference<>(null);

	private volatile boolean unusable;

	private final AtomicBoolean loggedPatterns = new AtomicBoolean();

	private final AtomicBoolean loggedMissing = new AtomicBoolean();

	/**
	 * Create a check. The schema is compiled when it is first needed. Its name is such as
	 * {@code inputSchema of its tool 'echo'}.
	 */
	SchemaCheck(String serverName, String name, Map<String, Object> schema) {
		this.serverName = serverName;
		this.name = name;
		this.schema = schema;
	}

	/**
	 * Return the violations where they are found at once, empty where the value matches
	 * or cannot be checked, and {@code null} where it has to be checked
	 * {@linkplain #thoroughly thoroughly}.
	 */
	@Nullable List<String> quickly(@Nullable Object value) {
		if (this.unusable) {
			return List.of();
		}
		CompiledSchema compiled = this.compiled.get();
		if (compiled == null || roomAfter(value, MAX_SMALL) < 0) {
			return null;
		}
		try {
			return compiled.violations(value, new CheckBudget(CheckBudget.SHORT));
		}
		catch (RuntimeException | StackOverflowError | LinkageError ex) {
			return null;
		}
	}

	/**
	 * Return what is left of a room after a value, without a look at all of a large one.
	 */
	static int roomAfter(@Nullable Object value, int room) {
		if (value instanceof Map<?, ?> map) {
			return roomAfter(map.values(), roomAfter(map.keySet(), room));
		}
		if (value instanceof Collection<?> items) {
			int left = room - CONTAINER;
			for (Iterator<?> iterator = items.iterator(); left >= 0 && iterator.hasNext();) {
				left = roomAfter(iterator.next(), left);
			}
			return left;
		}
		return room - 1 - ((value instanceof CharSequence text) ? text.length() / CHARACTERS : 0);
	}

	/**
	 * Check a value on a thread that may be kept busy for a while. Returns the
	 * violations, empty where the value matches or cannot be checked, or the check was
	 * stopped.
	 */
	List<String> thoroughly(@Nullable Object value, CheckBudget budget) {
		try {
			CompiledSchema compiled = this.compiled.get();
			if (compiled == null && !this.unusable) {
				compiled = new CompiledSchema(this.schema, budget);
				this.compiled = new SoftReference<>(compiled);
				logPatterns(compiled.uncheckedPatterns());
				budget.refill(CheckBudget.LONG);
			}
			return (compiled != null) ? compiled.violations(value, budget) : List.of();
		}
		catch (RuntimeException | StackOverflowError | LinkageError ex) {
			if (!budget.isStopped()) {
				String reason = (ex.getMessage() != null) ? ex.getMessage() : ex.getClass().getSimpleName();
				unusable((ex instanceof StackOverflowError) ? "it is too deep" : reason);
			}
			return List.of();
		}
	}

	void logMissing() {
		if (!this.loggedMissing.getAndSet(true)) {
			logger.warn("MCP server '{}': a result has no structuredContent, which the {} asks for."
					+ " Such results are passed on as they are", this.serverName, this.name);
		}
	}

	private void logPatterns(List<String> unchecked) {
		if (!unchecked.isEmpty() && !this.loggedPatterns.getAndSet(true)) {
			logger.warn(
					"MCP server '{}': {} of the patterns in the {} cannot be checked, being too large, or not in the"
							+ " syntax of RE2 (as look-around and back references are), and everything passes them."
							+ " The first is {}",
					this.serverName, unchecked.size(), this.name, Printable.text(unchecked.get(0)));
		}
	}

	private void unusable(String reason) {
		if (!this.unusable) {
			this.unusable = true;
			this.compiled.clear();
			logger.warn("MCP server '{}': nothing is checked against the {}, which cannot be used: {}", this.serverName,
					this.name, Printable.text(reason));
		}
	}

}
