package io.github.mcpclient.tool;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

import io.github.mcpclient.McpServer.ExcludedTool;
import io.github.mcpclient.McpServerDefinition;
import io.github.mcpclient.McpServerState;
import io.github.mcpclient.McpTool;
import io.github.mcpclient.NoSuchMcpToolException;
import io.github.mcpclient.connection.McpConnection;
import io.modelcontextprotocol.json.McpJsonMapper;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import org.jspecify.annotations.Nullable;

/**
 * The catalog of all servers' tools. Writers build a new snapshot under a lock, readers
 * see one volatile snapshot. Which tools are listed, and under which names, follows from
 * the configuration and from what the servers offer, not from the order in which they
 * came to offer it.
 */
public final class ToolCatalog extends LiveCatalog {

	private final ToolCaller caller;

	private final Runnable beforeRead;

	private final ToolSettings settings;

	private final ToolFilter globalFilter;

	private final CatalogLog log;

	private final Lock lock = new ReentrantLock();

	private volatile Snapshot snapshot = Snapshot.EMPTY;

	/**
	 * Create an empty catalog for all tools of all servers.
	 * @param mapper reads arguments given as JSON
	 * @param beforeRead run before the catalog is read by name or as a whole, on the
	 * reader's thread
	 */
	public ToolCatalog(McpJsonMapper mapper, Runnable beforeRead) {
		this(mapper, beforeRead, ToolSettings.DEFAULTS);
	}

	/**
	 * Create an empty catalog.
	 * @param mapper reads arguments given as JSON
	 * @param beforeRead run before the catalog is read by name or as a whole, on the
	 * reader's thread
	 * @param settings the rules for the tools of all servers
	 * @throws IllegalArgumentException if a pattern is blank or too long
	 */
	public ToolCatalog(McpJsonMapper mapper, Runnable beforeRead, ToolSettings settings) {
		this.caller = new ToolCaller(mapper);
		this.beforeRead = beforeRead;
		this.settings = settings;
		this.globalFilter = ToolFilter.of("mcp.tools.filter", settings.filter());
		this.log = new CatalogLog(this.globalFilter);
	}

	/**
	 * Replace all servers: those that are given have no tools yet, the tools of others
	 * go.
	 * @param connections the connections, in the order of configuration
	 * @throws IllegalArgumentException if a pattern of a server is blank or too long
	 */
	public void servers(List<McpConnection> connections) {
		List<McpServerDefinition> definitions = connections.stream().map(McpConnection::definition).toList();
		Map<String, ServerTools> servers = new LinkedHashMap<>();
		for (McpConnection connection : connections) {
			servers.put(connection.name(), ServerTools.none(connection,
					new ServerRules(connection.definition(), this.settings, this.globalFilter, definitions)));
		}
		this.lock.lock();
		try {
			this.snapshot = Snapshot.of(servers, this::handle);
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Replace the tools of one server.
	 * @param connection the connection to the server
	 * @param tools what the server lists now
	 * @return what came and went of the tools of this server and of others whose names it
	 * took or gave back, in the order in which it is to be told; nothing for a connection
	 * that was replaced meanwhile
	 */
	public List<ToolChanges> update(McpConnection connection, List<Tool> tools) {
		ServerTools known = known(connection);
		if (known == null) {
			return List.of();
		}
		// Outside of the lock, since names may be given by code of the application
		ServerTools next = known.with(tools);
		this.lock.lock();
		try {
			if (known(connection) == null) {
				return List.of();
			}
			Snapshot before = this.snapshot;
			Map<String, ServerTools> servers = new LinkedHashMap<>(before.servers());
			servers.put(connection.name(), next);
			Snapshot after = Snapshot.of(servers, this::handle);
			this.snapshot = after;
			this.log.changed(before, after);
			return ToolChanges.between(connection.name(), before.listing(), after.listing());
		}
		finally {
			this.lock.unlock();
		}
	}

	private @Nullable ServerTools known(McpConnection connection) {
		ServerTools known = this.snapshot.servers().get(connection.name());
		return (known != null && known.connection() == connection) ? known : null;
	}

	private McpTool handle(ToolEntry entry) {
		McpTool handle = this.snapshot.listing().tools().get(entry.name());
		return (handle != null) ? handle : new ToolHandle(this, this.caller, entry);
	}

	/**
	 * Return the tools of one server, without counting as a read of the catalog.
	 * @param serverName the name of the server
	 * @return its tools, sorted by name
	 */
	public List<McpTool> toolsOf(String serverName) {
		return this.snapshot.listing().select((entry) -> entry.serverName().equals(serverName)).all();
	}

	/**
	 * Return the tools of one server that are not listed.
	 * @param serverName the name of the server
	 * @return the tools with the reason
	 */
	public List<ExcludedTool> excludedToolsOf(String serverName) {
		return this.snapshot.leftOutOf(serverName).stream().map(LeftOut::toExcludedTool).toList();
	}

	/**
	 * Return the listed tools, without counting as a read of the catalog.
	 * @return the tools by name
	 */
	public NavigableMap<String, McpTool> listed() {
		return this.snapshot.listing().tools();
	}

	@Override
	Listing read() {
		this.beforeRead.run();
		return this.snapshot.listing();
	}

	@Nullable ToolEntry entry(String name) {
		return this.snapshot.listing().entries().get(name);
	}

	/**
	 * Return why a call that was begun must not be sent: it may have waited, and the
	 * server may say something else of the tool now.
	 * @param used what was called
	 * @return the failure, or {@code null} where the same tool is still listed
	 */
	@Nullable NoSuchMcpToolException refusal(ToolEntry used) {
		ToolEntry now = entry(used.name());
		return (now == used || (now != null && now.isSameTool(used))) ? null : noSuchTool(used.name());
	}

	@Override
	NoSuchMcpToolException noSuchTool(String name, Collection<String> known) {
		List<String> notReady = new ArrayList<>();
		for (ServerTools server : this.snapshot.servers().values()) {
			McpConnection connection = server.connection();
			for (LeftOut tool : this.snapshot.leftOutOf(connection.name())) {
				if (name.equals(tool.name())) {
					return NoSuchMcpToolException.leftOut(name, connection.name(), tool.reason());
				}
			}
			if (!connection.isReady() && connection.status().state() != McpServerState.DISABLED) {
				notReady.add(connection.name());
			}
		}
		return new NoSuchMcpToolException(name, known, notReady);
	}

	NoSuchMcpToolException noSuchTool(String name) {
		return noSuchTool(name, this.snapshot.listing().tools().keySet());
	}

}
