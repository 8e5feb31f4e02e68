package io.github.mcpclient.tool;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.Function;

import io.github.mcpclient.McpTool;
import io.github.mcpclient.support.Printable;
import io.github.mcpclient.tool.ServerTools.Exclusion;

/**
 * The tools of all servers at one moment. Immutable.
 *
 * @param servers the tools of each server, in the order of configuration
 * @param listing the tools that are listed
 * @param displaced the tools of each server whose names others have
 */
record Snapshot(Map<String, ServerTools> servers, Listing listing, Map<String, List<Exclusion>> displaced) {

	static final Snapshot EMPTY = new Snapshot(Map.of(), Listing.EMPTY, Map.of());

	/**
	 * Bring the tools of all servers together. Of two that share a name, the one of the
	 * server that was configured first is listed. What is the same is not sorted again:
	 * there may be thousands of servers, each of which lists its tools.
	 */
	Snapshot with(Map<String, ServerTools> servers, Function<ToolEntry, McpTool> handles) {
		Map<String, ToolEntry> entries = new HashMap<>();
		Map<String, List<Exclusion>> displaced = new HashMap<>();
		servers.forEach((name, server) -> server.entries().forEach((entry) -> {
			ToolEntry first = entries.putIfAbsent(entry.name(), entry);
			if (first != null) {
				displaced.computeIfAbsent(name, (absent) -> new ArrayList<>()).add(displaced(entry, first));
			}
		}));
		NavigableMap<String, McpTool> tools = new TreeMap<>(this.listing.tools());
		tools.keySet().retainAll(entries.keySet());
		entries.forEach((name, entry) -> {
			if (this.listing.entries().get(name) != entry) {
				tools.put(name, handles.apply(entry));
			}
		});
		return new Snapshot(Collections.unmodifiableMap(new LinkedHashMap<>(servers)), Listing.of(entries, tools),
				displaced);
	}

	private static Exclusion displaced(ToolEntry entry, ToolEntry first) {
		return new Exclusion(entry.tool().name(), entry.name(),
				"its name " + Printable.text(entry.name()) + " is taken by tool '" + Printable.text(first.tool().name())
						+ "' of server '" + first.serverName() + "', which comes first",
				true);
	}

	List<Exclusion> exclusionsOf(String serverName) {
		ServerTools server = this.servers.get(serverName);
		List<Exclusion> displaced = this.displaced.get(serverName);
		if (server == null || displaced == null) {
			return (server != null) ? server.exclusions() : List.of();
		}
		List<Exclusion> all = new ArrayList<>(server.exclusions());
		all.addAll(displaced);
		return all;
	}

}
