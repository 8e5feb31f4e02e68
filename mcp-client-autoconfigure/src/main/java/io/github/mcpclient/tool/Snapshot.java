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

/**
 * The tools of all servers at one moment. Immutable.
 *
 * @param servers what became of the tools of each server, in the order of configuration
 * @param listing the tools that are listed
 * @param leftOut the tools of each server that are not, by the name of the server
 */
record Snapshot(Map<String, ServerTools> servers, Listing listing, Map<String, List<LeftOut>> leftOut) {

	static final Snapshot EMPTY = new Snapshot(Map.of(), Listing.EMPTY, Map.of());

	/**
	 * Bring the tools of all servers together. Of two that share a name, the one of the
	 * server that was configured first is listed.
	 * @param servers the servers, in the order of configuration
	 * @param handles gives the handle of a tool
	 * @return the snapshot
	 */
	static Snapshot of(Map<String, ServerTools> servers, Function<ToolEntry, McpTool> handles) {
		Map<String, ToolEntry> entries = new HashMap<>();
		NavigableMap<String, McpTool> tools = new TreeMap<>();
		Map<String, List<LeftOut>> leftOut = new HashMap<>();
		servers.forEach((name, server) -> {
			List<LeftOut> left = new ArrayList<>(server.leftOut());
			for (ToolEntry entry : server.entries()) {
				ToolEntry first = entries.putIfAbsent(entry.name(), entry);
				if (first != null) {
					left.add(displaced(entry, first));
				}
				else {
					tools.put(entry.name(), handles.apply(entry));
				}
			}
			leftOut.put(name, List.copyOf(left));
		});
		return new Snapshot(Collections.unmodifiableMap(new LinkedHashMap<>(servers)), Listing.of(entries, tools),
				leftOut);
	}

	private static LeftOut displaced(ToolEntry entry, ToolEntry first) {
		return new LeftOut(entry.tool().name(), entry.name(),
				"its name " + Printable.text(entry.name()) + " is taken by tool '" + Printable.text(first.tool().name())
						+ "' of server '" + first.serverName() + "', which comes first",
				true);
	}

	List<LeftOut> leftOutOf(String serverName) {
		return this.leftOut.getOrDefault(serverName, List.of());
	}

}
