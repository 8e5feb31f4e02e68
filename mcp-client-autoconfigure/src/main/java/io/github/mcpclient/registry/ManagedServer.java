package io.github.mcpclient.registry;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;

import io.github.mcpclient.McpServer;
import io.github.mcpclient.McpServerDefinition;
import io.github.mcpclient.McpServerState;
import io.github.mcpclient.McpServerStatus;
import io.github.mcpclient.McpTool;
import io.github.mcpclient.connection.McpConnection;
import io.github.mcpclient.connection.McpConnectionListener;
import io.github.mcpclient.tool.ToolCatalog;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/**
 * The stable handle of one configured server; its connection is a fresh one each time
 * that the registry starts.
 */
final class ManagedServer implements McpServer {

	/**
	 * Lets an attempt that takes all its time tell why it failed.
	 */
	private static final Duration GRACE = Duration.ofMillis(500);

	private final McpServerDefinition definition;

	private final ToolCatalog catalog;

	private final RegistryEvents events;

	private volatile Link link;

	ManagedServer(McpServerDefinition definition, ToolCatalog catalog, RegistryEvents events,
			BiFunction<McpServerDefinition, McpConnectionListener, McpConnection> connectionFactory) {
		this.definition = definition;
		this.catalog = catalog;
		this.events = events;
		this.link = new Link(connectionFactory);
	}

	void renew(BiFunction<McpServerDefinition, McpConnectionListener, McpConnection> connectionFactory) {
		this.link = new Link(connectionFactory);
	}

	McpServerDefinition definition() {
		return this.definition;
	}

	McpConnection connection() {
		return this.link.connection;
	}

	/**
	 * Completes when the server is READY or closed, or when its initialization timeout is
	 * over.
	 */
	Mono<Void> ready() {
		return this.link.ready.asMono().timeout(this.definition.timeouts().initialization().plus(GRACE), Mono.empty());
	}

	@Override
	public String name() {
		return this.definition.name();
	}

	@Override
	public McpServerStatus status() {
		return connection().status();
	}

	@Override
	public List<McpTool> tools() {
		return this.catalog.toolsOf(name());
	}

	@Override
	public List<ExcludedTool> excludedTools() {
		List<ExcludedTool> excluded = new ArrayList<>(this.catalog.excludedToolsOf(name()));
		for (McpTool tool : tools()) {
			if (this.events.isBeanRefused(tool.name())) {
				excluded.add(new ExcludedTool(tool.originalName(), ToolBeans.REFUSED));
			}
		}
		return List.copyOf(excluded);
	}

	@Override
	public Mono<McpServerStatus> reconnect() {
		return connection().reconnect();
	}

	@Override
	public Mono<McpServerStatus> refresh() {
		McpConnection connection = connection();
		// to connect for the first time is to list the tools
		return (connection.status().state() == McpServerState.IDLE) ? connection.reconnect() : connection.refresh();
	}

	@Override
	public String toString() {
		return "McpServer[" + name() + "]";
	}

	/**
	 * One connection, and what waits for it.
	 */
	private final class Link implements McpConnectionListener {

		private final McpConnection connection;

		private final Sinks.Empty<Void> ready = Sinks.empty();

		private Link(BiFunction<McpServerDefinition, McpConnectionListener, McpConnection> connectionFactory) {
			this.connection = connectionFactory.apply(ManagedServer.this.definition, this);
			if (!ManagedServer.this.definition.enabled()) {
				this.ready.tryEmitEmpty();
			}
		}

		@Override
		public void stateChanged(McpServerState previous, McpServerStatus status) {
			if (status.state() == McpServerState.READY || status.state() == McpServerState.CLOSED) {
				this.ready.tryEmitEmpty();
			}
			ManagedServer.this.events.stateChanged(previous, status);
		}

		@Override
		public void toolsChanged(List<Tool> tools) {
			ManagedServer.this.events.toolsChanged(this.connection, tools);
		}

	}

}
