package io.github.mcpclient.autoconfigure;

import java.util.List;
import java.util.Map;
import java.util.Optional;

import io.github.mcpclient.McpServer;
import io.github.mcpclient.McpServerRegistry;
import io.github.mcpclient.McpToolCatalog;
import io.github.mcpclient.NoSuchMcpServerException;
import io.github.mcpclient.definition.McpToolPolicy;
import io.github.mcpclient.internal.connection.ToolConnection;
import io.github.mcpclient.internal.schema.SchemaCheck;
import io.github.mcpclient.internal.support.ClientThreads;
import io.github.mcpclient.internal.tool.ToolCatalog;
import io.github.mcpclient.internal.tool.ToolSettings;

/**
 * The registry of a disabled client: no servers and no tools.
 */
final class DisabledMcpServerRegistry implements McpServerRegistry {

	private final ToolCatalog catalog;

	DisabledMcpServerRegistry() {
		// never started
		ClientThreads threads = new ClientThreads();
		this.catalog = new ToolCatalog(new NoConnections(), ToolSettings.of(List.of(), McpToolPolicy.UNRESTRICTED,
				Map.of(), null, List::of, threads, new SchemaCheck.Threads(threads.scheduler()), null, List.of()));
	}

	@Override
	public List<McpServer> servers() {
		return List.of();
	}

	@Override
	public McpServer server(String name) {
		throw NoSuchMcpServerException.disabled(name);
	}

	@Override
	public Optional<McpServer> find(String name) {
		return Optional.empty();
	}

	@Override
	public McpToolCatalog tools() {
		return this.catalog;
	}

	private static final class NoConnections implements ToolConnection.ConnectOnUse {

		@Override
		public void connectAll() {
			// no servers
		}

		@Override
		public boolean isDisabled() {
			return true;
		}

	}

}
