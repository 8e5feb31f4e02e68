package io.github.mcpclient.internal.tool;

import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.Supplier;

import io.github.mcpclient.McpTool;
import io.github.mcpclient.McpToolCatalog;
import io.github.mcpclient.McpToolRequest;
import io.github.mcpclient.internal.connection.ToolConnection;
import io.github.mcpclient.internal.naming.ToolFilter;
import io.github.mcpclient.internal.naming.ToolNaming;
import io.github.mcpclient.management.ManagedMcpServer.ExcludedTool;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.util.context.ContextView;

/**
 * The catalog of the tools of all servers, as one immutable state. Which tools are
 * listed, and their names, does not depend on the order in which servers list them.
 *
 * <p>
 * Readers take no lock: each change creates another {@link CatalogState}, which shares
 * unchanged parts with the previous one, and publishes it. A change is made without the
 * lock, since code of the application may take part in it, and repeated if another change
 * was published first. A tool that the application holds looks itself up for each call:
 *
 * <pre class="code">
 * McpTool tool = catalog.get("github_search");
 * // the server lists another definition, reconnects, or is replaced
 * tool.call(arguments); // the definition of now, or NoSuchMcpToolException
 * </pre>
 */
public final class ToolCatalog extends LiveCatalog {

	private final ToolConnection.ConnectOnUse connectOnUse;

	private final ToolSettings settings;

	private final ToolFilter globalFilter;

	private final Map<String, ToolFilter> selections = new TreeMap<>();

	// for all handles
	private final Supplier<ToolCatalog> self = () -> this;

	private final CatalogStates states;

	private final CatalogServers servers;

	private final UserCatalogs users;

	private final MissingTools missing;

	private final CallerCatalog forCaller = new CallerCatalog(this, null);

	/**
	 * Create an empty catalog.
	 */
	public ToolCatalog(ToolConnection.ConnectOnUse connectOnUse, ToolSettings settings) {
		this(connectOnUse, settings, true);
	}

	/**
	 * Create an empty catalog for a user.
	 */
	ToolCatalog(ToolSettings settings) {
		this(() -> {
		}, settings, false);
	}

	private ToolCatalog(ToolConnection.ConnectOnUse connectOnUse, ToolSettings settings, boolean forAll) {
		this.connectOnUse = connectOnUse;
		this.settings = settings;
		this.globalFilter = ToolFilter.of("mcp.tools.filter", settings.filter());
		settings.selections()
			.forEach((name, patterns) -> this.selections.put(name, ToolFilter.of("mcp.selections." + name, patterns)));
		CatalogLog log = new CatalogLog(this.globalFilter);
		this.states = new CatalogStates(ToolNaming.of(settings.naming()),
				(entry) -> new ToolHandle(entry.name(), this.self, entry), forAll ? log::changed : (change, after) -> {
				});
		this.servers = new CatalogServers(settings, this.globalFilter, this.states);
		this.users = new UserCatalogs(settings, this.states, this.servers, connectOnUse);
		this.missing = new MissingTools(this.states, connectOnUse, log);
	}

	/**
	 * Return a tool by its name, regardless of whether its server has ever been
	 * connected.
	 * @param catalog the catalog, resolved on the first use of the tool
	 */
	public static McpTool handle(String name, Supplier<ToolCatalog> catalog) {
		return new ToolHandle(name, catalog, null);
	}

	/**
	 * Warn, once, if all servers that may have such a tool are connected, and no server
	 * has it.
	 */
	public static void warnIfMissing(McpTool handle) {
		((ToolHandle) handle).warnIfMissing();
	}

	/**
	 * Notify interceptors of a call that reaches no tool.
	 */
	public void missed(String name, McpToolRequest request, Throwable failure) {
		caller().missed(name, request, failure);
	}

	/**
	 * Return the servers of the catalog.
	 */
	public CatalogServers servers() {
		return this.servers;
	}

	UserCatalogs users() {
		return this.users;
	}

	MissingTools missing() {
		return this.missing;
	}

	/**
	 * Return the listed tools of one server, sorted by name; empty for a connection that
	 * was replaced or closed. Does not count as a use of the server.
	 */
	public List<McpTool> toolsOf(ToolConnection connection) {
		return this.states.now().toolsOf(connection);
	}

	/**
	 * Return the other tools of one server, as {@link #toolsOf} does.
	 */
	public List<ExcludedTool> excludedToolsOf(ToolConnection connection) {
		return this.states.now().excludedToolsOf(connection);
	}

	/**
	 * Return the listed tools by name. Does not count as a use of the servers.
	 */
	public NavigableMap<String, McpTool> listed() {
		return this.states.now().listing().tools();
	}

	@Override
	public McpToolCatalog forCaller() {
		return this.forCaller;
	}

	@Override
	Mono<LiveCatalog> ofCaller(@Nullable String name) {
		return Mono.defer(() -> (name != null && entry(name) != null) ? Mono.just(this)
				: this.users.ofCaller(this.users.forUsers(name), name).map((own) -> new CallerCatalog(this, own)));
	}

	@Override
	@Nullable McpTool tool(String name, ContextView context) {
		return this.forCaller.tool(name, context);
	}

	@Override
	Listing listing(@Nullable String name, ContextView context) {
		return this.states.now().listing();
	}

	/**
	 * Connect the servers at their first use: all servers, or the servers that may have a
	 * tool.
	 */
	void connectFor(@Nullable String name) {
		if (name == null) {
			this.connectOnUse.connectAll();
		}
		else if (!isReady(name)) {
			this.connectOnUse.connectServersOf(name);
		}
	}

	/**
	 * The non-blocking form of {@link #connectFor}, limited to these servers.
	 */
	Mono<Void> connect(String name) {
		return isReady(name) ? Mono.empty() : this.connectOnUse.connect(name);
	}

	// after a pause, a tool may be known although its server is not connected
	private boolean isReady(String name) {
		ToolEntry entry = entry(name);
		return entry != null && entry.connection().isReady();
	}

	ToolFilter namedFilter(String name) {
		ToolFilter filter = this.connectOnUse.isDisabled() ? this.globalFilter : this.selections.get(name);
		if (filter == null) {
			throw new IllegalArgumentException("No selection '" + name + "' of MCP tools. "
					+ (this.selections.isEmpty() ? "None is configured under mcp.selections."
							: "Configured: " + String.join(", ", this.selections.keySet()) + "."));
		}
		return filter;
	}

	ToolCaller caller() {
		return this.settings.caller();
	}

	CatalogState state() {
		return this.states.now();
	}

	Map<String, ToolEntry> entries() {
		return this.states.now().listing().entries();
	}

	@Override
	ToolCatalog root() {
		return this;
	}

	@Nullable ToolEntry entry(String name) {
		return this.states.now().listing().entries().get(name);
	}

	/**
	 * Return a tool, or {@code null} if no server, or another one, has it.
	 */
	@Nullable ToolEntry entry(String name, String serverName) {
		ToolEntry entry = entry(name);
		return (entry != null && entry.serverName().equals(serverName)) ? entry : null;
	}

	@Nullable RuntimeException refusal(ToolEntry used) {
		ToolEntry now = entry(used.name());
		return (now == used || (now != null && now.isSameTool(used))) ? null
				: this.missing.gone(used.name(), used.serverName());
	}

}
