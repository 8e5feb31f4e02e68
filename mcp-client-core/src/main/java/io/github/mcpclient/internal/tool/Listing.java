package io.github.mcpclient.internal.tool;

import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;

import io.github.mcpclient.McpTool;
import io.github.mcpclient.internal.naming.ToolNames;

import org.springframework.util.function.SingletonSupplier;

/**
 * The tools of a catalog at one moment, by prefixed name: the called tools, the tools
 * that the application sees, sorted, and the latter as a list and an index, which are
 * created on first use. Immutable.
 */
record Listing(Map<String, ToolEntry> entries, NavigableMap<String, McpTool> tools,
		SingletonSupplier<List<McpTool>> list, SingletonSupplier<Function<String, List<String>>> names) {

	static final Listing EMPTY = of(Map.of(), Collections.emptyNavigableMap());

	static Listing of(Map<String, ToolEntry> entries, NavigableMap<String, McpTool> tools) {
		return new Listing(Collections.unmodifiableMap(entries), Collections.unmodifiableNavigableMap(tools),
				SingletonSupplier.of(() -> List.copyOf(tools.values())),
				SingletonSupplier.of(() -> ToolNames.nearest(tools)));
	}

	List<McpTool> all() {
		return this.list.obtain();
	}

	/**
	 * Return similar names, the nearest first.
	 */
	List<String> nearest(String name) {
		return this.names.obtain().apply(name);
	}

	Listing select(Predicate<ToolEntry> selected) {
		Map<String, ToolEntry> entries = new HashMap<>(this.entries);
		entries.values().removeIf(selected.negate());
		NavigableMap<String, McpTool> tools = new TreeMap<>(this.tools);
		tools.keySet().retainAll(entries.keySet());
		return of(entries, tools);
	}

}
