package io.github.mcpclient.internal.tool;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;

import io.github.mcpclient.McpServer;
import io.github.mcpclient.McpServerState;
import io.github.mcpclient.McpTool;
import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.event.McpServerEvent;
import io.github.mcpclient.event.McpToolsChangedEvent;
import io.github.mcpclient.management.ManagedMcpServer.ExcludedTool;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import org.jspecify.annotations.Nullable;

/**
 * A catalog of servers that list what a test says.
 */
class CatalogFixture extends TestTools {

	final ToolCatalog catalog;

	final Map<String, TestConnection> connections = new LinkedHashMap<>();

	private final Map<String, McpServerDefinition> definitions = new LinkedHashMap<>();

	private final Map<String, ToolServer.Scope> scopes = new LinkedHashMap<>();

	final List<McpServerEvent> events = new CopyOnWriteArrayList<>();

	CatalogFixture(ToolSettings settings, McpServerDefinition... servers) {
		this.catalog = new ToolCatalog(() -> {
		}, settings);
		Arrays.asList(servers).forEach(this::add);
		servers();
	}

	/**
	 * Tell the catalog of all connections.
	 */
	List<McpToolsChangedEvent> servers() {
		return servers(null);
	}

	private List<McpToolsChangedEvent> servers(@Nullable String changed) {
		List<McpToolsChangedEvent> changes = new ArrayList<>();
		this.catalog.servers()
			.follow(() -> this.definitions.values()
				.stream()
				.map((server) -> new ToolServer(server, this.connections.get(server.name()),
						this.scopes.get(server.name())))
				.toList(), (changed != null) ? Set.of(changed) : null, changes::addAll);
		return changes;
	}

	private void add(McpServerDefinition server) {
		this.definitions.put(server.name(), server);
		this.connections.put(server.name(), new TestConnection(server.name()));
		this.scopes.computeIfAbsent(server.name(),
				(name) -> new ToolServer.Scope(
						server(() -> this.connections.getOrDefault(name, TestConnection.closed(name))),
						this.events::add));
	}

	static ToolServer.Scope scope(TestConnection connection) {
		return new ToolServer.Scope(server(() -> connection), (event) -> {
		});
	}

	// of which the catalog needs little
	private static McpServer server(Supplier<TestConnection> connection) {
		return (McpServer) Proxy.newProxyInstance(CatalogFixture.class.getClassLoader(),
				new Class<?>[] { McpServer.class }, (proxy, method, arguments) -> switch (method.getName()) {
					case "name" -> connection.get().name();
					case "status" -> connection.get().status();
					default -> throw new UnsupportedOperationException(method.getName());
				});
	}

	/**
	 * Add a server, or replace it by another.
	 */
	List<McpToolsChangedEvent> put(McpServerDefinition server) {
		return put(server, null);
	}

	List<McpToolsChangedEvent> put(McpServerDefinition server, @Nullable String changed) {
		add(server);
		return servers(changed);
	}

	/**
	 * Change how a server is configured, and keep its connection.
	 */
	List<McpToolsChangedEvent> redefine(McpServerDefinition server) {
		return redefine(server, null);
	}

	List<McpToolsChangedEvent> redefine(McpServerDefinition server, @Nullable String changed) {
		this.definitions.put(server.name(), server);
		return servers(changed);
	}

	/**
	 * Take fresh connections to all servers, as a registry does that starts again.
	 */
	List<McpToolsChangedEvent> restart() {
		this.connections.replaceAll((name, connection) -> new TestConnection(name));
		return servers();
	}

	List<McpToolsChangedEvent> remove(String server) {
		return remove(server, null);
	}

	List<McpToolsChangedEvent> remove(String server, @Nullable String changed) {
		this.definitions.remove(server);
		this.connections.remove(server);
		this.scopes.remove(server);
		return servers(changed);
	}

	static CatalogFixture of(String... servers) {
		return of(Arrays.stream(servers).map((name) -> server(name)).toArray(McpServerDefinition[]::new));
	}

	static CatalogFixture of(McpServerDefinition... servers) {
		return new CatalogFixture(TestToolSettings.DEFAULTS, servers);
	}

	void status(String server, McpServerState state, @Nullable String lastError) {
		this.connections.get(server).state = state;
		this.connections.get(server).lastError = lastError;
	}

	List<McpToolsChangedEvent> list(String server, String... tools) {
		return list(server, Arrays.stream(tools).map(CatalogFixture::tool).toArray(Tool[]::new));
	}

	List<McpToolsChangedEvent> list(String server, Tool... tools) {
		return update(this.connections.get(server), tools);
	}

	List<McpToolsChangedEvent> update(TestConnection connection, Tool... tools) {
		List<McpToolsChangedEvent> changes = new ArrayList<>();
		this.catalog.servers().update(connection, List.of(tools), changes::addAll);
		return changes;
	}

	/**
	 * Have customizers prepare for what a server lists, as its connection does.
	 */
	void prepare(String server, Tool... tools) {
		ToolServer listing = this.catalog.state().servers().get(server).server();
		this.catalog.servers().listed(listing, false, List.of(tools), Set.of(), (changes) -> {
		}).subscribe();
	}

	List<String> names() {
		return names(this.catalog.all());
	}

	/**
	 * Where each name leads to.
	 */
	Map<String, String> routes() {
		Map<String, String> routes = new LinkedHashMap<>();
		this.catalog.forEach((tool) -> routes.put(tool.name(), tool.serverName() + "/" + tool.originalName()));
		return routes;
	}

	List<ExcludedTool> excludedToolsOf(String server) {
		return this.catalog.excludedToolsOf(this.connections.get(server));
	}

	List<McpTool> toolsOf(String server) {
		return this.catalog.toolsOf(this.connections.get(server));
	}

	List<String> excluded(String server) {
		return excludedToolsOf(server).stream().map(ExcludedTool::originalName).toList();
	}

	String reason(String server, String originalName) {
		return excludedToolsOf(server).stream()
			.filter((tool) -> tool.originalName().equals(originalName))
			.map(ExcludedTool::reason)
			.findFirst()
			.orElse("not left out");
	}

}
