package io.github.mcpclient.tool;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.github.mcpclient.McpServer.ExcludedTool;
import io.github.mcpclient.McpServerDefinition;
import io.github.mcpclient.McpServerState;
import io.github.mcpclient.McpServerStatus;
import io.github.mcpclient.McpTool;
import io.github.mcpclient.connection.McpConnection;
import io.github.mcpclient.testsupport.TestServerStatus;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import org.jspecify.annotations.Nullable;

import static org.mockito.ArgumentMatchers.any;
import static org.mockito.BDDMockito.given;
import static org.mockito.BDDMockito.willReturn;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.withSettings;

/**
 * A catalog of servers that list what a test says.
 */
class CatalogFixture extends TestTools {

	final ToolCatalog catalog;

	final Map<String, McpConnection> connections = new LinkedHashMap<>();

	CatalogFixture(ToolSettings settings, McpServerDefinition... servers) {
		this.catalog = new ToolCatalog(() -> {
		}, settings);
		Arrays.asList(servers).forEach((server) -> this.connections.put(server.name(), connection(server)));
		servers();
	}

	/**
	 * Tell the catalog of all connections.
	 */
	List<ToolChanges> servers() {
		List<ToolChanges> changes = new ArrayList<>();
		this.catalog.servers(() -> List.copyOf(this.connections.values()), null, changes::addAll);
		return changes;
	}

	/**
	 * Add a server, or replace it by another.
	 */
	List<ToolChanges> put(McpServerDefinition server) {
		this.connections.put(server.name(), connection(server));
		return servers();
	}

	/**
	 * Take fresh connections to all servers, as a registry does that starts again.
	 */
	List<ToolChanges> restart() {
		this.connections.replaceAll((name, connection) -> connection(connection.definition()));
		return servers();
	}

	List<ToolChanges> remove(String server) {
		this.connections.remove(server);
		return servers();
	}

	static CatalogFixture of(String... servers) {
		return of(Arrays.stream(servers).map((name) -> server(name)).toArray(McpServerDefinition[]::new));
	}

	static CatalogFixture of(McpServerDefinition... servers) {
		return new CatalogFixture(TestToolSettings.DEFAULTS, servers);
	}

	private static McpConnection connection(McpServerDefinition server) {
		McpConnection connection = mock(McpConnection.class, withSettings().stubOnly());
		given(connection.name()).willReturn(server.name());
		given(connection.definition()).willReturn(server);
		given(connection.isReady()).willReturn(true);
		given(connection.withThread(any())).willAnswer((invocation) -> invocation.getArgument(0));
		status(connection, McpServerState.READY, null);
		return connection;
	}

	void status(String server, McpServerState state, @Nullable String lastError) {
		status(this.connections.get(server), state, lastError);
	}

	private static void status(McpConnection connection, McpServerState state, @Nullable String lastError) {
		McpServerStatus status = new TestServerStatus(connection.name(), state, "stdio", "server", false, null, null, 0,
				0, 0, 0, Instant.EPOCH, 1, null, lastError, null, List.of());
		willReturn(status).given(connection).status();
	}

	List<ToolChanges> list(String server, String... tools) {
		return list(server, Arrays.stream(tools).map(CatalogFixture::tool).toArray(Tool[]::new));
	}

	List<ToolChanges> list(String server, Tool... tools) {
		return update(this.connections.get(server), tools);
	}

	List<ToolChanges> update(McpConnection connection, Tool... tools) {
		List<ToolChanges> changes = new ArrayList<>();
		this.catalog.update(connection, List.of(tools), changes::addAll);
		return changes;
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
