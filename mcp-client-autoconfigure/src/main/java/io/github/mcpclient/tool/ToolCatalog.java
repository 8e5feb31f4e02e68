package io.github.mcpclient.tool;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

import io.github.mcpclient.McpServer.ExcludedTool;
import io.github.mcpclient.McpServerUnavailableException;
import io.github.mcpclient.McpTool;
import io.github.mcpclient.McpToolPolicy;
import io.github.mcpclient.NoSuchMcpToolException;
import io.github.mcpclient.connection.McpConnection;
import io.github.mcpclient.tool.ServerTools.Exclusion;
import io.modelcontextprotocol.json.McpJsonMapper;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * The catalog of all servers' tools. Writers build a new snapshot under a lock, readers
 * see one volatile snapshot. Which tools are listed, and under which names, follows from
 * the configuration and from what the servers offer, not from the order in which they
 * came to offer it.
 */
public final class ToolCatalog extends LiveCatalog {

	private final ToolCaller caller;

	private final BeforeRead beforeRead;

	private final ToolSettings settings;

	private final ToolFilter globalFilter;

	private final Map<String, ToolFilter> selections = new TreeMap<>();

	private final CatalogLog log;

	private final CallLog callLog = new CallLog();

	private final Lock lock = new ReentrantLock();

	private final boolean enabled;

	private volatile ServerHeads heads = new ServerHeads(List.of());

	private volatile Snapshot snapshot = Snapshot.EMPTY;

	/**
	 * Create an empty catalog. Fails if a pattern is blank or too long.
	 */
	public ToolCatalog(McpJsonMapper mapper, BeforeRead beforeRead, ToolSettings settings) {
		this(mapper, beforeRead, settings, true);
	}

	private ToolCatalog(McpJsonMapper mapper, BeforeRead beforeRead, ToolSettings settings, boolean enabled) {
		this.enabled = enabled;
		this.caller = new ToolCaller(mapper, settings.checks(), this.callLog);
		this.beforeRead = beforeRead;
		this.settings = settings;
		this.globalFilter = ToolFilter.of("mcp.tools.filter", settings.filter());
		settings.selections()
			.forEach((name, patterns) -> this.selections.put(name, ToolFilter.of("mcp.selections." + name, patterns)));
		this.log = new CatalogLog(this.globalFilter);
	}

	/**
	 * Create the catalog of a client that is disabled, which stays empty.
	 */
	public static ToolCatalog disabled(McpJsonMapper mapper) {
		ToolSettings settings = new ToolSettings(List.of(), McpToolPolicy.UNRESTRICTED, null, ToolInterceptors.NONE,
				new CheckThreads(Schedulers.immediate()), Map.of());
		return new ToolCatalog(mapper, () -> {
		}, settings, false);
	}

	/**
	 * Replace the servers. The tools of those that go go, too; a connection that takes
	 * the place of another to the same server has the tools of that one until it lists
	 * its own. Where a server that comes, or takes another prefix, makes a name
	 * ambiguous, the tool that has it keeps it. Fails if a pattern of a server is blank
	 * or too long.
	 * @param connections gives the connections, in the order of configuration. Asked
	 * again where another change comes in between
	 * @param serverName the server to follow to another connection, or {@code null} for
	 * all: to name its tools may take the application's strategy some time
	 * @param listener notified of changes, as {@link #update} does
	 */
	public void servers(Supplier<List<McpConnection>> connections, @Nullable String serverName,
			Consumer<List<ToolChanges>> listener) {
		change((before) -> {
			Map<String, McpConnection> coming = new LinkedHashMap<>();
			for (McpConnection connection : connections.get()) {
				ServerTools known = before.get(connection.name());
				boolean other = serverName != null && !serverName.equals(connection.name());
				coming.put(connection.name(), (other && known != null) ? known.connection() : connection);
			}
			ServerHeads heads = new ServerHeads(coming.values().stream().map(McpConnection::definition).toList());
			this.heads = heads;
			Map<String, ServerTools> servers = new LinkedHashMap<>();
			// first those that were there, by their heads, so that they keep their names
			before.forEach((name, known) -> {
				McpConnection connection = coming.get(name);
				if (connection != null
						&& known.rules().namer().head().equals(ToolNaming.head(connection.definition()))) {
					servers.put(name, serverTools(connection, known, heads));
					coming.remove(name);
				}
			});
			coming.forEach((name, connection) -> servers.put(name, serverTools(connection, before.get(name), heads)));
			return servers;
		}, null, listener);
	}

	private ServerTools serverTools(McpConnection connection, @Nullable ServerTools known, ServerHeads heads) {
		ServerRules rules = ServerRules.of(connection.definition(), this.settings, this.globalFilter, heads);
		return (known != null) ? known.with(connection, rules) : ServerTools.none(connection, rules);
	}

	/**
	 * Replace the tools of one server. Does nothing for a connection that was replaced or
	 * has gone.
	 * @param connection the connection to the server
	 * @param tools what the server lists now
	 * @param listener notified of what came and went, one change after the other, each in
	 * the order to follow; must not block
	 */
	public void update(McpConnection connection, List<Tool> tools, Consumer<List<ToolChanges>> listener) {
		change((before) -> {
			ServerTools known = before.get(connection.name());
			if (known == null || known.connection() != connection) {
				return before;
			}
			Map<String, ServerTools> servers = new LinkedHashMap<>(before);
			servers.put(connection.name(), known.with(tools));
			return servers;
		}, connection.name(), listener);
	}

	/**
	 * Change what there is of servers. The new state is made outside of the lock, since
	 * names may be given by code of the application, and again where another change came
	 * first.
	 */
	private void change(UnaryOperator<Map<String, ServerTools>> change, @Nullable String serverName,
			Consumer<List<ToolChanges>> listener) {
		boolean done = false;
		while (!done) {
			Snapshot before = this.snapshot;
			Map<String, ServerTools> servers = change.apply(before.servers());
			done = servers == before.servers() || publish(before, servers, serverName, listener);
		}
	}

	private boolean publish(Snapshot before, Map<String, ServerTools> servers, @Nullable String serverName,
			Consumer<List<ToolChanges>> listener) {
		this.lock.lock();
		try {
			if (this.snapshot != before) {
				return false;
			}
			Snapshot after = before.with(servers, this::handle);
			this.snapshot = after;
			this.log.changed(before, after);
			List<ToolChanges> changes = ToolChanges.between(serverName, before.listing(), after.listing());
			if (!changes.isEmpty()) {
				listener.accept(changes);
			}
			return true;
		}
		finally {
			this.lock.unlock();
		}
	}

	private McpTool handle(ToolEntry entry) {
		McpTool handle = listed().get(entry.name());
		return (handle != null && handle.serverName().equals(entry.serverName())) ? handle
				: new ToolHandle(this, entry);
	}

	/**
	 * Return the tools of one server, sorted by name, without counting as a read of the
	 * catalog; none for a connection that was replaced or has gone.
	 */
	public List<McpTool> toolsOf(McpConnection connection) {
		Snapshot snapshot = this.snapshot;
		ServerTools known = snapshot.servers().get(connection.name());
		List<ToolEntry> entries = (known != null && known.connection() == connection) ? known.entries() : List.of();
		return entries.stream()
			.filter((entry) -> snapshot.listing().entries().get(entry.name()) == entry)
			.map(ToolEntry::name)
			.sorted()
			.<McpTool>map(snapshot.listing().tools()::get)
			.toList();
	}

	/**
	 * Return the tools of one server that are not listed, with the reasons; none for a
	 * connection that was replaced or has gone.
	 */
	public List<ExcludedTool> excludedToolsOf(McpConnection connection) {
		Snapshot snapshot = this.snapshot;
		ServerTools known = snapshot.servers().get(connection.name());
		List<Exclusion> exclusions = (known != null && known.connection() == connection)
				? snapshot.exclusionsOf(connection.name()) : List.of();
		return exclusions.stream().map((tool) -> new ExcludedTool(tool.originalName(), tool.reason())).toList();
	}

	/**
	 * Return the listed tools by name, without counting as a read of the catalog.
	 */
	public NavigableMap<String, McpTool> listed() {
		return this.snapshot.listing().tools();
	}

	@Override
	Listing read() {
		this.beforeRead.all();
		return this.snapshot.listing();
	}

	@Override
	Listing read(String name) {
		ToolEntry entry = entry(name);
		// after a pause, a tool is known whose server is not connected
		if (entry == null || !entry.connection().isReady()) {
			this.beforeRead.of(name);
		}
		return this.snapshot.listing();
	}

	@Override
	ToolFilter namedFilter(String name) {
		ToolFilter filter = this.enabled ? this.selections.get(name) : this.globalFilter;
		if (filter == null) {
			throw new IllegalArgumentException("No selection '" + name + "' of MCP tools. "
					+ (this.selections.isEmpty() ? "None is configured under mcp.selections."
							: "Configured: " + String.join(", ", this.selections.keySet()) + "."));
		}
		return filter;
	}

	ToolCaller caller() {
		return this.caller;
	}

	CallLog log() {
		return this.callLog;
	}

	ToolInterceptors interceptors() {
		return this.settings.interceptors();
	}

	@Nullable ToolEntry entry(String name) {
		return this.snapshot.listing().entries().get(name);
	}

	/**
	 * Return a tool of one server, or {@code null} where that has none of the name,
	 * though another may.
	 */
	@Nullable ToolEntry entry(String name, String serverName) {
		ToolEntry entry = entry(name);
		return (entry != null && entry.serverName().equals(serverName)) ? entry : null;
	}

	/**
	 * Return why a call that was begun must not be sent, or {@code null} where the same
	 * tool is still listed: the call may have waited, and the server may say something
	 * else of the tool now.
	 */
	@Nullable NoSuchMcpToolException refusal(ToolEntry used) {
		ToolEntry now = entry(used.name());
		return (now == used || (now != null && now.isSameTool(used))) ? null
				: noSuchTool(used.name(), used.serverName());
	}

	Mono<Void> connect(String name) {
		return this.beforeRead.connect(name);
	}

	/**
	 * Return the names of the servers that may have a tool, connected or not: all where
	 * the application names the tools.
	 */
	public Collection<String> serversOf(String name) {
		return (this.settings.naming() != null) ? this.snapshot.servers().keySet() : this.heads.serversOf(name);
	}

	private List<McpConnection> connections(Collection<String> serverNames) {
		Map<String, ServerTools> servers = this.snapshot.servers();
		return serverNames.stream().map(servers::get).filter(Objects::nonNull).map(ServerTools::connection).toList();
	}

	/**
	 * Warn, once for a name, where all servers are connected that may have a tool which
	 * is injected, and none has it.
	 */
	void warnOfMissing(String name) {
		if (this.enabled && entry(name) == null
				&& connections(serversOf(name)).stream().allMatch(McpConnection::isReady)) {
			this.log.missing(name, () -> noTool(name));
		}
	}

	/**
	 * Return why a tool that was never seen cannot be called.
	 */
	RuntimeException noTool(String name) {
		List<McpConnection> connections = connections(serversOf(name));
		McpConnection connection = (connections.size() == 1) ? connections.get(0) : null;
		return (connection != null && connection.definition().enabled() && !connection.isReady()
				&& connection.tools().isEmpty()) ? new McpServerUnavailableException(connection.status())
						: noSuchTool(name, listed().keySet());
	}

	NoSuchMcpToolException noSuchTool(String name, String serverName) {
		ToolEntry other = entry(name);
		return (other == null || other.serverName().equals(serverName)) ? noSuchTool(name, listed().keySet())
				: NoSuchMcpToolException.because(name, "its server '" + serverName
						+ "' has lost the name to a tool of server '" + other.serverName() + "'");
	}

	@Override
	NoSuchMcpToolException noSuchTool(String name, Collection<String> known) {
		if (!this.enabled) {
			return NoSuchMcpToolException.because(name, "the MCP client is disabled (mcp.enabled is false)");
		}
		Snapshot snapshot = this.snapshot;
		// names that a bean gives say nothing of a server
		Collection<String> owners = (this.settings.naming() != null) ? List.of() : this.heads.serversOf(name);
		Collection<String> candidates = owners.isEmpty() ? snapshot.servers().keySet() : owners;
		for (String server : candidates) {
			for (Exclusion tool : snapshot.exclusionsOf(server)) {
				if (name.equals(tool.name())) {
					return NoSuchMcpToolException.because(name,
							"server '" + server + "' offers it, but it is left out: " + tool.reason());
				}
			}
		}
		List<McpConnection> notReady = connections(candidates).stream()
			.filter((connection) -> !connection.isReady())
			.toList();
		if (!owners.isEmpty() && !notReady.isEmpty()) {
			return new NoSuchMcpToolException(name, known, notReady.get(0).status());
		}
		return new NoSuchMcpToolException(name, known,
				notReady.stream()
					.filter((connection) -> connection.definition().enabled())
					.map(McpConnection::name)
					.toList());
	}

}
