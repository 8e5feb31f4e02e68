package io.github.mcpclient.registry;

import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;

import io.github.mcpclient.McpServer;
import io.github.mcpclient.McpServerDefinition;
import io.github.mcpclient.McpServerRegistry;
import io.github.mcpclient.McpServerState;
import io.github.mcpclient.McpServerStatus;
import io.github.mcpclient.McpToolCatalog;
import io.github.mcpclient.McpToolResult;
import io.github.mcpclient.NoSuchMcpServerException;
import io.github.mcpclient.connection.McpConnection;
import io.github.mcpclient.connection.McpConnectionListener;
import io.github.mcpclient.tool.ToolCatalog;
import io.modelcontextprotocol.json.McpJsonMapper;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;

import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.SmartLifecycle;

/**
 * Owns the connections: starts them with the application, before the web server, and
 * closes them, in parallel, after it. A restarted registry begins with fresh connections
 * under the same handles.
 */
public final class DefaultMcpServerRegistry implements McpServerRegistry, SmartLifecycle, DisposableBean {

	/**
	 * Before the web server takes requests, which is at
	 * {@code SmartLifecycle.DEFAULT_PHASE - 2048}.
	 */
	public static final int PHASE = SmartLifecycle.DEFAULT_PHASE - 4096;

	/**
	 * A last resort: every part of closing has a shorter limit of its own.
	 */
	private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(10);

	private static final Logger logger = LoggerFactory.getLogger(DefaultMcpServerRegistry.class);

	private final BiFunction<McpServerDefinition, McpConnectionListener, McpConnection> connectionFactory;

	private final Duration startupWait;

	private final ToolCatalog catalog;

	private final RegistryEvents events;

	private final Map<String, ManagedServer> servers = new LinkedHashMap<>();

	private final @Nullable FirstUse firstUse;

	private volatile boolean running;

	private boolean restart;

	/**
	 * Create a registry; nothing is contacted before {@link #start()}.
	 * @param definitions the servers, in the order of configuration
	 * @param connectionFactory makes a connection that has not started
	 * @param settings when to connect, and which tools to offer
	 * @param mapper reads arguments given as JSON
	 * @param beanFactory where tools become beans
	 * @param publisher told of what happens, on a thread that may block
	 */
	public DefaultMcpServerRegistry(Collection<McpServerDefinition> definitions,
			BiFunction<McpServerDefinition, McpConnectionListener, McpConnection> connectionFactory,
			RegistrySettings settings, McpJsonMapper mapper, DefaultListableBeanFactory beanFactory,
			ApplicationEventPublisher publisher) {
		this.connectionFactory = connectionFactory;
		this.startupWait = settings.startupWait();
		this.firstUse = settings.lazy() ? new FirstUse(settings.startupWait(), this::startAll) : null;
		this.catalog = new ToolCatalog(mapper, this::awaitFirstUse, settings.tools());
		this.events = new RegistryEvents(this, this.catalog, new ToolBeans(beanFactory), publisher);
		for (McpServerDefinition definition : definitions) {
			this.servers.put(definition.name(),
					new ManagedServer(definition, this.catalog, this.events, connectionFactory));
		}
		publishConnections();
	}

	@Override
	public List<McpServerStatus> servers() {
		return this.servers.values().stream().map(ManagedServer::status).toList();
	}

	@Override
	public McpServer server(String name) {
		return find(name).orElseThrow(() -> new NoSuchMcpServerException(name, this.servers.keySet()));
	}

	@Override
	public Optional<McpServer> find(String name) {
		return Optional.ofNullable(this.servers.get(name));
	}

	@Override
	public McpToolCatalog tools() {
		return this.catalog;
	}

	@Override
	public McpToolResult callTool(String toolName, Map<String, Object> arguments) {
		return this.catalog.get(toolName).call(arguments);
	}

	@Override
	public void start() {
		if (this.running) {
			return;
		}
		this.running = true;
		if (this.restart) {
			this.servers.values().forEach((server) -> server.renew(this.connectionFactory));
			publishConnections();
		}
		this.restart = true;
		List<ManagedServer> eager = this.servers.values()
			.stream()
			.filter((server) -> this.firstUse == null || server.definition().required())
			.toList();
		List<ManagedServer> required = eager.stream().filter((server) -> server.definition().required()).toList();
		eager.forEach((server) -> server.connection().start());
		Waiting.until(Mono.when(firstAttempts(eager), Mono.when(required.stream().map(ManagedServer::ready).toList())));
		requireReady(required);
		this.events.showBeans();
	}

	private Mono<Void> firstAttempts(List<ManagedServer> eager) {
		return Mono.when(eager.stream().map((server) -> server.connection().firstAttempt()).toList())
			.timeout(this.startupWait, Mono.empty());
	}

	private void requireReady(List<ManagedServer> required) {
		List<McpServerStatus> missing = required.stream()
			.map(ManagedServer::status)
			.filter((status) -> status.state() != McpServerState.READY && status.state() != McpServerState.DISABLED)
			.toList();
		if (this.running && !missing.isEmpty()) {
			throw new RequiredMcpServerException(missing);
		}
	}

	/**
	 * In lazy mode, the first read of the catalog connects all servers.
	 */
	private void awaitFirstUse() {
		FirstUse use = this.firstUse;
		if (use != null && this.running) {
			use.await();
			this.events.showBeans();
		}
	}

	private Mono<Void> startAll() {
		return Mono.when(this.servers.values().stream().map((server) -> {
			server.connection().start();
			return server.connection().firstAttempt();
		}).toList());
	}

	private void publishConnections() {
		this.catalog.servers(this.servers.values().stream().map(ManagedServer::connection).toList());
	}

	@Override
	public void stop() {
		Waiting.until(close());
	}

	@Override
	public void stop(Runnable callback) {
		close().subscribe((ignored) -> {
		}, (ex) -> callback.run(), callback);
	}

	@Override
	public boolean isRunning() {
		return this.running;
	}

	@Override
	public int getPhase() {
		return PHASE;
	}

	/**
	 * Closes what a start that failed has left, too: no {@link #stop()} follows that.
	 */
	@Override
	public void destroy() {
		Waiting.until(close());
		this.events.close();
	}

	private Mono<Void> close() {
		this.running = false;
		return Mono.when(
				this.servers.values().stream().map((server) -> server.connection().close().onErrorComplete()).toList())
			.timeout(CLOSE_TIMEOUT)
			.onErrorResume((ex) -> {
				logger.warn("Not all MCP servers were closed within {} s", CLOSE_TIMEOUT.toSeconds());
				return Mono.empty();
			});
	}

}
