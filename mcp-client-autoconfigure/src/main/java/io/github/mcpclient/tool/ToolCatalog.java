package io.github.mcpclient.tool;

import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

import io.github.mcpclient.McpServer.ExcludedTool;
import io.github.mcpclient.McpServerState;
import io.github.mcpclient.McpTool;
import io.github.mcpclient.McpToolCatalog;
import io.github.mcpclient.NoSuchMcpToolException;
import io.github.mcpclient.connection.McpConnection;
import io.modelcontextprotocol.json.McpJsonMapper;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The catalog of all servers' tools. Writers build a new snapshot under a lock, readers
 * see one volatile snapshot. Of two tools that would share a name, the one of the server
 * that was configured first is listed.
 */
public final class ToolCatalog implements McpToolCatalog {

	private static final Logger logger = LoggerFactory.getLogger(ToolCatalog.class);

	private final ToolCaller caller;

	private final Runnable beforeRead;

	private final Lock lock = new ReentrantLock();

	// guarded by lock; in the order of configuration
	private final Map<String, ServerTools> servers = new LinkedHashMap<>();

	private volatile Snapshot snapshot = Snapshot.EMPTY;

	private volatile List<McpConnection> connections = List.of();

	/**
	 * Create an empty catalog.
	 * @param mapper reads arguments given as JSON
	 * @param beforeRead run before the catalog is read by name or as a whole, on the
	 * reader's thread
	 */
	public ToolCatalog(McpJsonMapper mapper, Runnable beforeRead) {
		this.caller = new ToolCaller(mapper);
		this.beforeRead = beforeRead;
	}

	@Override
	public McpTool get(String name) {
		return find(name).orElseThrow(() -> noSuchTool(name));
	}

	@Override
	public Optional<McpTool> find(String name) {
		this.beforeRead.run();
		return Optional.ofNullable(this.snapshot.handles().get(name));
	}

	@Override
	public List<McpTool> all() {
		this.beforeRead.run();
		return this.snapshot.all();
	}

	@Override
	public Map<String, McpTool> asMap() {
		return new LiveMap();
	}

	@Override
	public Iterator<McpTool> iterator() {
		return all().iterator();
	}

	/**
	 * Replace all servers: those that are given have no tools yet, the tools of others
	 * go.
	 * @param connections the connections, in the order of configuration
	 */
	public void servers(List<McpConnection> connections) {
		this.lock.lock();
		try {
			this.servers.clear();
			connections.forEach((connection) -> this.servers.put(connection.name(),
					new ServerTools(connection, List.of(), List.of())));
			this.connections = List.copyOf(connections);
			this.snapshot = rebuild();
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Replace the tools of one server.
	 * @param connection the connection to the server
	 * @param tools what the server lists now
	 * @return what came and went; nothing for a connection that was replaced meanwhile
	 */
	public ToolChanges update(McpConnection connection, List<Tool> tools) {
		this.lock.lock();
		try {
			ServerTools before = this.servers.get(connection.name());
			if (before == null || before.connection() != connection) {
				return ToolChanges.NONE;
			}
			this.servers.put(connection.name(), ServerTools.of(connection, tools));
			Snapshot previous = this.snapshot;
			this.snapshot = rebuild();
			return changes(connection.name(), previous, this.snapshot);
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Return the tools of one server, without counting as a read of the catalog.
	 * @param serverName the name of the server
	 * @return its tools, sorted by name
	 */
	public List<McpTool> toolsOf(String serverName) {
		Snapshot current = this.snapshot;
		List<McpTool> tools = new ArrayList<>();
		current.handles().forEach((name, tool) -> {
			ToolEntry entry = current.entries().get(name);
			if (entry != null && entry.connection().name().equals(serverName)) {
				tools.add(tool);
			}
		});
		return List.copyOf(tools);
	}

	/**
	 * Return the tools of one server that are not listed.
	 * @param serverName the name of the server
	 * @return the tools with the reason
	 */
	public List<ExcludedTool> excludedToolsOf(String serverName) {
		return this.snapshot.excluded().getOrDefault(serverName, List.of());
	}

	/**
	 * Return the listed tools, without counting as a read of the catalog.
	 * @return the tools by name
	 */
	public NavigableMap<String, McpTool> listed() {
		return this.snapshot.handles();
	}

	@Nullable ToolEntry entry(String name) {
		return this.snapshot.entries().get(name);
	}

	NoSuchMcpToolException noSuchTool(String name) {
		List<String> notReady = this.connections.stream()
			.filter((connection) -> !connection.isReady() && connection.status().state() != McpServerState.DISABLED)
			.map(McpConnection::name)
			.toList();
		return new NoSuchMcpToolException(name, this.snapshot.handles().keySet(), notReady);
	}

	private Snapshot rebuild() {
		NavigableMap<String, ToolEntry> entries = new TreeMap<>();
		Map<String, List<ExcludedTool>> excluded = new HashMap<>();
		for (ServerTools server : this.servers.values()) {
			List<ExcludedTool> left = new ArrayList<>(server.excluded());
			for (ToolEntry entry : server.entries()) {
				ToolEntry first = entries.putIfAbsent(entry.name(), entry);
				if (first != null) {
					left.add(new ExcludedTool(entry.tool().name(),
							"its name " + entry.name() + " is taken by tool '" + first.tool().name() + "' of server '"
									+ first.connection().name() + "', which comes first"));
				}
			}
			if (!left.isEmpty()) {
				excluded.put(server.connection().name(), List.copyOf(left));
			}
		}
		NavigableMap<String, McpTool> handles = new TreeMap<>();
		NavigableMap<String, McpTool> known = this.snapshot.handles();
		entries.forEach((name, entry) -> {
			McpTool handle = known.get(name);
			handles.put(name, (handle != null) ? handle : new ToolHandle(this, this.caller, entry));
		});
		return new Snapshot(new HashMap<>(entries), Collections.unmodifiableNavigableMap(handles),
				List.copyOf(handles.values()), excluded);
	}

	private ToolChanges changes(String serverName, Snapshot before, Snapshot after) {
		Set<String> added = new TreeSet<>(after.entries().keySet());
		added.removeAll(before.entries().keySet());
		Set<String> removed = new TreeSet<>(before.entries().keySet());
		removed.removeAll(after.entries().keySet());
		Set<String> changed = new TreeSet<>();
		after.entries().forEach((name, entry) -> {
			ToolEntry previous = before.entries().get(name);
			if (previous != null && !previous.tool().equals(entry.tool())) {
				changed.add(name);
			}
		});
		List<ExcludedTool> excluded = after.excluded().getOrDefault(serverName, List.of());
		if (!excluded.isEmpty() && !excluded.equals(before.excluded().get(serverName))) {
			excluded.forEach((tool) -> logger.warn("Tool '{}' of MCP server '{}' is left out: {}", tool.originalName(),
					serverName, tool.reason()));
		}
		return new ToolChanges(added, removed, changed);
	}

	/**
	 * What came and went with an update.
	 *
	 * @param added the prefixed names of the tools that came
	 * @param removed the prefixed names of the tools that went
	 * @param changed the prefixed names of the tools that are defined differently
	 */
	public record ToolChanges(Set<String> added, Set<String> removed, Set<String> changed) {

		static final ToolChanges NONE = new ToolChanges(Set.of(), Set.of(), Set.of());

		/**
		 * Return whether nothing came or went.
		 * @return whether all sets are empty
		 */
		public boolean isEmpty() {
			return this.added.isEmpty() && this.removed.isEmpty() && this.changed.isEmpty();
		}

	}

	private record ServerTools(McpConnection connection, List<ToolEntry> entries, List<ExcludedTool> excluded) {

		static ServerTools of(McpConnection connection, List<Tool> tools) {
			return new ServerTools(connection, tools.stream().map((tool) -> ToolEntry.of(connection, tool)).toList(),
					List.of());
		}

	}

	private record Snapshot(Map<String, ToolEntry> entries, NavigableMap<String, McpTool> handles, List<McpTool> all,
			Map<String, List<ExcludedTool>> excluded) {

		static final Snapshot EMPTY = new Snapshot(Map.of(), Collections.emptyNavigableMap(), List.of(), Map.of());

	}

	private final class LiveMap extends AbstractMap<String, McpTool> {

		@Override
		public @Nullable McpTool get(@Nullable Object key) {
			return current().get(key);
		}

		@Override
		public boolean containsKey(@Nullable Object key) {
			return current().containsKey(key);
		}

		@Override
		public Set<Entry<String, McpTool>> entrySet() {
			return new AbstractSet<>() {

				@Override
				public Iterator<Entry<String, McpTool>> iterator() {
					return current().entrySet().iterator();
				}

				@Override
				public int size() {
					return current().size();
				}

			};
		}

		private NavigableMap<String, McpTool> current() {
			ToolCatalog.this.beforeRead.run();
			return ToolCatalog.this.snapshot.handles();
		}

	}

}
