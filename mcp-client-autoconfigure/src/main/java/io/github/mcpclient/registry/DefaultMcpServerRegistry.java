package io.github.mcpclient.registry;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Predicate;

import io.github.mcpclient.McpServer;
import io.github.mcpclient.McpServerDefinition;
import io.github.mcpclient.McpServerRegistrar;
import io.github.mcpclient.McpServerRegistry;
import io.github.mcpclient.McpServerState;
import io.github.mcpclient.McpServerStatus;
import io.github.mcpclient.McpToolCatalog;
import io.github.mcpclient.McpToolResult;
import io.github.mcpclient.config.McpServerDefinitions;
import io.github.mcpclient.connection.McpConnection;
import io.github.mcpclient.connection.McpConnectionListener;
import io.github.mcpclient.tool.BeforeRead;
import io.github.mcpclient.tool.ToolCatalog;
import io.modelcontextprotocol.json.McpJsonMapper;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.SmartLifecycle;

/**
 * Starts the connections with the application, before the web server, and closes them, in
 * parallel, after it. A restarted registry begins with fresh connections under the same
 * handles.
 */
public final class DefaultMcpServerRegistry implements McpServerRegistry, McpServerRegistrar, SmartLifecycle, DisposableBean {

	/**
	 * Before the web server takes requests, which is at
	 * {@code SmartLifecycle.DEFAULT_PHASE - 2048}.
	 */
	public static final int PHASE = SmartLifecycle.DEFAULT_PHASE - 4096;

	/**
	 * A last resort: every part of closing has a shorter limit of its own.
	 */
	private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(10);

	/**
	 * Who is closed while the application starts was removed or replaced.
	 */
	private static final Set<McpServerState> SETTLED = EnumSet.of(McpServerState.READY, McpServerState.DISABLED,
			McpServerState.CLOSED);

	private static final Set<McpServerState> RETRIED = EnumSet.of(McpServerState.CONNECTING,
			McpServerState.UNAVAILABLE);

	private static final Logger logger = LoggerFactory.getLogger(DefaultMcpServerRegistry.class);

	private final Scheduler timer;

	private final Duration startupWait;

	private final boolean lazy;

	private final McpServerDefinitions definitions;

	private final ToolCatalog catalog;

	private final RegistryEvents events;

	private final ManagedServers servers;

	private volatile FirstUse firstUse;

	/**
	 * Create a registry; nothing is contacted before {@link #start()}.
	 * @param servers the servers, in the order of configuration
	 * @param definitions makes definitions that come later ready for use
	 * @param connectionFactory makes a connection that has not started
	 * @param timer limits what the registry waits for; its tasks do not block
	 * @param settings when to connect, and which tools to offer
	 * @param mapper reads arguments given as JSON
	 * @param beanFactory where tools become beans
	 * @param publisher told of what happens, on a thread that may block
	 */
	public DefaultMcpServerRegistry(Collection<McpServerDefinition> servers, McpServerDefinitions definitions,
			BiFunction<McpServerDefinition, McpConnectionListener, McpConnection> connectionFactory, Scheduler timer,
			RegistrySettings settings, McpJsonMapper mapper, DefaultListableBeanFactory beanFactory,
			ApplicationEventPublisher publisher) {
		this.timer = timer;
		this.startupWait = settings.startupWait();
		this.lazy = settings.lazy();
		this.definitions = definitions;
		this.catalog = new ToolCatalog(mapper, new CatalogUse(), settings.tools());
		this.events = new RegistryEvents(this, this.catalog, new ToolBeans(beanFactory, this.catalog::listed),
				beanFactory.getBeanProvider(NamedTools.class).getIfAvailable(NamedTools::new), publisher);
		this.firstUse = newFirstUse();
		this.servers = new ManagedServers(connectionFactory, timer, this.catalog, this.events, this::isEager);
		this.servers.init(servers);
	}

	@Override
	public List<McpServerStatus> servers() {
		return this.servers.all().stream().map(ManagedServer::status).toList();
	}

	@Override
	public McpServer server(String name) {
		return this.servers.get(name);
	}

	@Override
	public Optional<McpServer> find(String name) {
		return Optional.ofNullable(this.servers.find(name));
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
	public Mono<McpServerStatus> add(McpServerDefinition definition) {
		return this.servers.add(this.definitions.prepare(definition));
	}

	@Override
	public Mono<McpServerStatus> replace(McpServerDefinition definition) {
		return this.servers.replace(this.definitions.prepare(definition));
	}

	@Override
	public Mono<Void> remove(String name) {
		return this.servers.remove(name);
	}

	@Override
	public void start() {
		if (this.servers.isRunning()) {
			return;
		}
		this.firstUse = newFirstUse();
		List<ManagedServer.Link> begun = this.servers.start();
		List<ManagedServer.Link> required = begun.stream().filter((link) -> link.definition().required()).toList();
		Waiting.until(
				Mono.when(firstAttempts(begun), Mono.when(required.stream().map(ManagedServer.Link::ready).toList())));
		requireReady(required);
		this.events.showBeans();
		this.events.checkNames();
	}

	/**
	 * Try servers that could not be connected again now rather than after their delay.
	 */
	void retry(Predicate<McpServerDefinition> which) {
		this.servers.all()
			.stream()
			.map(ManagedServer::connection)
			.filter((connection) -> which.test(connection.definition()))
			.filter((connection) -> RETRIED.contains(connection.status().state()))
			.forEach(McpConnection::reconnect);
	}

	private boolean isEager(McpServerDefinition definition) {
		return !this.lazy || definition.required() || this.firstUse.hasBegun();
	}

	private Mono<Void> firstAttempts(List<ManagedServer.Link> begun) {
		return Mono.when(begun.stream().map((link) -> link.connection().firstAttempt()).toList())
			.timeout(this.startupWait, Mono.empty(), this.timer);
	}

	private void requireReady(List<ManagedServer.Link> required) {
		List<McpServerStatus> missing = required.stream()
			.map((link) -> link.connection().status())
			.filter((status) -> !SETTLED.contains(status.state()))
			.toList();
		if (this.servers.isRunning() && !missing.isEmpty()) {
			throw new RequiredMcpServerException(missing);
		}
	}

	private FirstUse newFirstUse() {
		return new FirstUse(this.startupWait, this.timer, this::startAll, this.events::beansShown);
	}

	private Mono<Void> startAll() {
		return Mono
			.when(this.servers.all().stream().map((server) -> server.link().firstUse(this.startupWait)).toList());
	}

	@Override
	public void stop() {
		Waiting.until(close(false));
	}

	@Override
	public void stop(Runnable callback) {
		close(false).subscribe((ignored) -> {
		}, (ex) -> callback.run(), callback);
	}

	@Override
	public boolean isRunning() {
		return this.servers.isRunning();
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
		Waiting.until(close(true));
		this.events.close();
	}

	private Mono<Void> close(boolean forGood) {
		return this.servers.close(forGood).timeout(CLOSE_TIMEOUT, this.timer).onErrorResume((ex) -> {
			logger.warn("Not all MCP servers were closed within {} s", CLOSE_TIMEOUT.toSeconds());
			return Mono.empty();
		});
	}

	/**
	 * Connects servers in lazy mode.
	 */
	private final class CatalogUse implements BeforeRead {

		@Override
		public void all() {
			if (isLazy()) {
				DefaultMcpServerRegistry.this.firstUse.await();
			}
		}

		@Override
		public void of(String name) {
			if (isLazy()) {
				DefaultMcpServerRegistry.this.firstUse.begin();
				Mono<Void> connected = connect(name);
				if (Schedulers.isInNonBlockingThread()) {
					connected.subscribe();
				}
				else {
					Waiting.until(connected);
				}
			}
		}

		@Override
		public Mono<Void> connect(String name) {
			if (!isLazy()) {
				return Mono.empty();
			}
			ToolCatalog catalog = DefaultMcpServerRegistry.this.catalog;
			List<Mono<Boolean>> uses = new ArrayList<>();
			for (String serverName : catalog.serversOf(name)) {
				ManagedServer server = DefaultMcpServerRegistry.this.servers.find(serverName);
				if (server != null) {
					uses.add(server.link().firstUse(DefaultMcpServerRegistry.this.startupWait).thenReturn(true));
				}
			}
			return Flux.fromIterable(uses)
				.flatMap(Function.identity(), Math.max(1, uses.size()))
				.takeUntil((ended) -> catalog.listed().containsKey(name))
				.then();
		}

		private boolean isLazy() {
			return DefaultMcpServerRegistry.this.lazy && isRunning();
		}

	}

}
