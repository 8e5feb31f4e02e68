package io.github.mcpclient.internal.connection;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiConsumer;
import java.util.function.Function;

import io.github.mcpclient.internal.support.LogKeys;
import io.github.mcpclient.internal.support.Printable;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import io.modelcontextprotocol.spec.McpSchema.ToolAnnotations;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * The tools that a server redefined under the same name, and when this was detected,
 * since an application may rely on their hints. Runs on the serial queue, except for
 * {@link #changedAt}.
 */
final class ToolHistory {

	private static final Logger logger = LoggerFactory.getLogger(ConnectionContext.LOGGER);

	private static final int MOST_NAMED = 10;

	private static final int LONGEST_NAME = 128;

	private final ErrorWording wording;

	private volatile Map<String, Instant> changedAt = Map.of();

	ToolHistory(ErrorWording wording) {
		this.wording = wording;
	}

	/**
	 * Compare two listings, and log one line for all changed tools: a warning if a hint
	 * has changed.
	 */
	void listed(List<Tool> before, List<Tool> after, Instant now) {
		Map<String, Tool> known = new HashMap<>();
		before.forEach((tool) -> known.put(tool.name(), tool));
		Map<String, Instant> changedAt = new HashMap<>();
		List<String> changes = new ArrayList<>();
		boolean hints = false;
		for (Tool tool : after) {
			Tool previous = known.get(tool.name());
			Instant changed = this.changedAt.get(tool.name());
			List<String> fields = (previous != null && !previous.equals(tool)) ? differences(previous, tool)
					: List.of();
			if (!fields.isEmpty()) {
				changed = now;
				changes.add("'" + name(tool) + "' (" + String.join(", ", fields) + ")");
				hints |= fields.stream().anyMatch((field) -> field.endsWith("Hint"));
			}
			if (changed != null) {
				changedAt.put(tool.name(), changed);
			}
		}
		this.changedAt = changedAt.isEmpty() ? Map.of() : changedAt;
		if (!changes.isEmpty()) {
			LogKeys.line(logger, hints ? Level.WARN : Level.INFO, this.wording.serverName())
				.log("{} has changed the definition of its tools: {}", this.wording.server(),
						Printable.first(MOST_NAMED, changes, Function.identity()));
		}
	}

	@Nullable Instant changedAt(String name) {
		return this.changedAt.get(name);
	}

	private String name(Tool tool) {
		String name = tool.name();
		return this.wording.line((name.length() > LONGEST_NAME) ? name.substring(0, LONGEST_NAME) + "..." : name);
	}

	private static List<String> differences(Tool one, Tool other) {
		List<String> fields = new ArrayList<>();
		BiConsumer<String, Function<Tool, @Nullable Object>> compare = (field, value) -> {
			if (!Objects.equals(value.apply(one), value.apply(other))) {
				fields.add(field);
			}
		};
		compare.accept("title", Tool::title);
		compare.accept("description", Tool::description);
		compare.accept("inputSchema", Tool::inputSchema);
		compare.accept("outputSchema", Tool::outputSchema);
		compare.accept("annotations.title", hint(ToolAnnotations::title));
		compare.accept("readOnlyHint", hint(ToolAnnotations::readOnlyHint));
		compare.accept("destructiveHint", hint(ToolAnnotations::destructiveHint));
		compare.accept("idempotentHint", hint(ToolAnnotations::idempotentHint));
		compare.accept("openWorldHint", hint(ToolAnnotations::openWorldHint));
		compare.accept("returnDirect", hint(ToolAnnotations::returnDirect));
		compare.accept("_meta", Tool::meta);
		compare.accept("icons", Tool::icons);
		return fields;
	}

	private static Function<Tool, @Nullable Object> hint(Function<ToolAnnotations, @Nullable Object> hint) {
		return (tool) -> (tool.annotations() != null) ? hint.apply(tool.annotations()) : null;
	}

}
