package io.github.mcpclient.tool;

import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.Predicate;

import io.github.mcpclient.McpTool;

/**
 * The tools of a catalog at one moment. Immutable.
 *
 * @param entries the tools as they are called, by prefixed name
 * @param tools the tools as the application sees them, by prefixed name, sorted
 * @param all the same as a list
 */
record Listing(Map<String, ToolEntry> entries, NavigableMap<String, McpTool> tools, List<McpTool> all) {

	static final Listing EMPTY = new Listing(Map.of(), Collections.emptyNavigableMap(), List.of());

	static Listing of(Map<String, ToolEntry> entries, NavigableMap<String, McpTool> tools) {
		return new Listing(Collections.unmodifiableMap(entries), Collections.unmodifiableNavigableMap(tools),
				List.copyOf(tools.values()));
	}

	Listing select(Predicate<ToolEntry> selected) {
		Map<String, ToolEntry> entries = new HashMap<>();
		NavigableMap<String, McpTool> tools = new TreeMap<>();
		this.entries.forEach((name, entry) -> {
			McpTool tool = this.tools.get(name);
			if (tool != null && selected.test(entry)) {
				entries.put(name, entry);
				tools.put(name, tool);
			}
		});
		return of(entries, tools);
	}

}
