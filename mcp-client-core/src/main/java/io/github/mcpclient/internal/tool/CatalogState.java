package io.github.mcpclient.internal.tool;

import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

import io.github.mcpclient.McpTool;
import io.github.mcpclient.internal.connection.ToolConnection;
import io.github.mcpclient.internal.naming.ToolNaming;
import io.github.mcpclient.internal.support.Printable;
import io.github.mcpclient.management.ManagedMcpServer.ExcludedTool;
import org.jspecify.annotations.Nullable;
import org.pcollections.OrderedPMap;
import org.pcollections.PMap;
import org.pcollections.PSortedMap;
import org.pcollections.TreePMap;

import org.springframework.util.function.SingletonSupplier;

/**
 * The content of a catalog at one moment. Immutable; shares unchanged parts with the
 * previous and next states, since each of thousands of servers lists its tools.
 *
 * @param servers the tools of each server, by position
 * @param entries the tools of all servers by name, with the tool of the first server if
 * several share a name
 * @param tools the same tools as the application sees them, sorted
 * @param waiting the other tools that pass the rules of their server, by name, and by the
 * position of their server: an earlier server has a tool of that name
 * @param listing the tools that the application gets
 * @param naming names the tools of these servers
 * @param all the servers as a list, created on first use, since an iteration over
 * thousands in a persistent map takes longer
 */
record CatalogState(PMap<String, ServerTools> servers, PMap<String, ToolEntry> entries,
		PSortedMap<String, McpTool> tools, PMap<String, PSortedMap<Integer, ToolEntry>> waiting, Listing listing,
		ToolNaming naming, SingletonSupplier<List<ToolServer>> all) {

	CatalogState(PMap<String, ServerTools> servers, PMap<String, ToolEntry> entries, PSortedMap<String, McpTool> tools,
			PMap<String, PSortedMap<Integer, ToolEntry>> waiting, Listing listing, ToolNaming naming) {
		this(servers, entries, tools, waiting, listing, naming,
				SingletonSupplier.of(() -> servers.values().stream().map(ServerTools::server).toList()));
	}

	static CatalogState empty(ToolNaming naming) {
		return new CatalogState(OrderedPMap.empty(), TreePMap.empty(), TreePMap.empty(), TreePMap.empty(),
				Listing.EMPTY, naming);
	}

	/**
	 * Return the servers that may have a tool, connected or not: all servers if the
	 * application names the tools.
	 */
	Collection<String> serversOf(String name) {
		return this.naming.isByPrefix() ? this.naming.serversOf(name) : this.servers.keySet();
	}

	@Nullable ServerTools of(ToolConnection connection) {
		ServerTools server = this.servers.get(connection.name());
		return (server != null && server.server().connection() == connection) ? server : null;
	}

	/**
	 * Return the listed tools of one server, sorted by name.
	 */
	List<McpTool> toolsOf(ToolConnection connection) {
		ServerTools known = of(connection);
		List<ToolEntry> all = (known != null) ? known.entries() : List.of();
		return all.stream()
			.filter((entry) -> this.listing.entries().get(entry.name()) == entry)
			.map(ToolEntry::name)
			.sorted()
			.<McpTool>map(this.listing.tools()::get)
			.toList();
	}

	/**
	 * Return the other tools of one server.
	 */
	List<ExcludedTool> excludedToolsOf(ToolConnection connection) {
		List<Exclusion> exclusions = (of(connection) != null) ? exclusionsOf(connection.name()) : List.of();
		return exclusions.stream().map((tool) -> new ExcludedTool(tool.originalName(), tool.reason())).toList();
	}

	/**
	 * Return the tools that do not have a name because an earlier server has it.
	 */
	PSortedMap<Integer, ToolEntry> waitingFor(String name) {
		return this.waiting.getOrDefault(name, TreePMap.empty());
	}

	List<Exclusion> exclusionsOf(String serverName) {
		ServerTools server = this.servers.get(serverName);
		if (server == null || this.waiting.isEmpty()) {
			return (server != null) ? server.exclusions() : List.of();
		}
		Stream<Exclusion> displaced = server.entries()
			.stream()
			.filter((entry) -> waitingFor(entry.name()).containsKey(server.place()))
			.map(this::displaced);
		return Stream.concat(server.exclusions().stream(), displaced).toList();
	}

	private Exclusion displaced(ToolEntry entry) {
		ToolEntry first = Objects.requireNonNull(this.entries.get(entry.name()));
		return new Exclusion(entry.tool().name(), entry.name(),
				"its name " + Printable.text(entry.name()) + " is taken by tool '" + Printable.text(first.tool().name())
						+ "' of server '" + first.serverName() + "', which comes first",
				true);
	}

}
