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
import java.util.stream.Stream;

import io.github.mcpclient.McpTool;
import io.github.mcpclient.connection.ToolConnection;
import io.github.mcpclient.support.Printable;
import io.github.mcpclient.tool.ServerTools.Exclusion;
import org.jspecify.annotations.Nullable;

/**
 * What a catalog knows at one moment. Immutable.
 *
 * @param servers the tools of each server, in the order of configuration
 * @param listing the tools that the application gets
 * @param displaced the other tools that pass the rules of their server, by its name: a
 * server that comes first has a tool of that name
 */
record CatalogState(Map<String, ServerTools> servers, Listing listing, Map<String, List<Exclusion>> displaced) {

	static final CatalogState EMPTY = new CatalogState(Map.of(), Listing.EMPTY, Map.of());

	/**
	 * List the tools of all servers, those of the first one where a name is shared. What
	 * is the same is not sorted again: each of thousands of servers lists its tools.
	 */
	CatalogState with(Map<String, ServerTools> servers, Function<ToolEntry, McpTool> handles) {
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
		return new CatalogState(Collections.unmodifiableMap(new LinkedHashMap<>(servers)), Listing.of(entries, tools),
				displaced);
	}

	private static Exclusion displaced(ToolEntry entry, ToolEntry first) {
		return new Exclusion(entry.tool().name(), entry.name(),
				"its name " + Printable.text(entry.name()) + " is taken by tool '" + Printable.text(first.tool().name())
						+ "' of server '" + first.serverName() + "', which comes first",
				true);
	}

	@Nullable ServerTools of(ToolConnection connection) {
		ServerTools server = this.servers.get(connection.name());
		return (server != null && server.server().connection() == connection) ? server : null;
	}

	List<Exclusion> exclusionsOf(String serverName) {
		ServerTools server = this.servers.get(serverName);
		List<Exclusion> own = (server != null) ? server.exclusions() : List.of();
		List<Exclusion> displaced = this.displaced.get(serverName);
		return (displaced != null) ? Stream.concat(own.stream(), displaced.stream()).toList() : own;
	}

}
