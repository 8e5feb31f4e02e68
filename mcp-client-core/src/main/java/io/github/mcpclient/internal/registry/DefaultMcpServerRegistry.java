package io.github.mcpclient.internal.registry;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

import io.github.mcpclient.McpServer;
import io.github.mcpclient.McpServerRegistry;
import io.github.mcpclient.McpServerState;
import io.github.mcpclient.McpServerStatus;
import io.github.mcpclient.McpTool;
import io.github.mcpclient.McpToolCatalog;
import io.github.mcpclient.McpToolRequest;
import io.github.mcpclient.McpToolResult;
import io.github.mcpclient.NoSuchMcpServerException;
import io.github.mcpclient.RequiredMcpServerException;
import io.github.mcpclient.authorization.McpAuthorizationStatus;
import io.github.mcpclient.definition.InvalidMcpConfigurationException;
import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.event.McpMessageListener;
import io.github.mcpclient.event.McpServerEvent;
import io.github.mcpclient.internal.connection.McpConnection;
import io.github.mcpclient.internal.connection.McpConnectionListener;
import io.github.mcpclient.internal.registry.ManagedServer.Link;
import io.github.mcpclient.internal.support.LogKeys;
import io.github.mcpclient.internal.tool.ToolCatalog;
import io.github.mcpclient.internal.tool.ToolSettings;
import io.github.mcpclient.internal.validation.McpServerDefinitions;
import io.github.mcpclient.internal.validation.McpServerDefinitions.DefinedServer;
import io.github.mcpclient.management.ManagedMcpServer;
import io.github.mcpclient.management.McpDiagnosis;
import io.github.mcpclient.management.McpReload;
import io.github.mcpclient.management.McpServerManager;
import io.github.mcpclient.management.McpServerOrigin;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

import org.springframework.beans.factory.DisposableBean;
import org.springframework.context.SmartLifecycle;

/**
 * Starts the connections with the application, before the web server, and closes them
 * after it. A restart creates new connections for the same handles. The lock for changes
 * is never held during a wait for a server, or for the catalog, which calls the
 * application's naming strategy.
 *
 * <p>
 * Each change is planned without that lock, as the observers of a new connection are code
 * of the application, and committed with the lock if the server has not changed since;
 * otherwise it is planned again:
 *
 * <pre class="code">
 * do {
 * 	change = plan.get(); // application code
 * }
 * while (!commit(change)); // under the lock
 * </pre>
 */
public final class DefaultMcpServerRegistry implements McpServerRegistry, SmartLifecycle, DisposableBean {

	/**
	 * Before the web server accepts requests, which is at
	 * {@code SmartLifecycle.DEFAULT_PHASE - 2048}.
	 */
	public static final int PHASE = SmartLifecycle.DEFAULT_PHASE - 4096;

	// a last resort: every part of closing has a shorter limit
	private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(10);

	// a server that is closed while the application starts was removed or replaced, a
	// server that is IDLE again waits
	// for its users
	static final Set<McpServerState> SETTLED = EnumSet.of(McpServerState.READY, McpServerState.IDLE,
			McpServerState.DISABLED, McpServerState.CLOSED);

	// the time limit for checks of required servers that fail the start, which they delay
	private static final Duration CHECK_LIMIT = Duration.ofSeconds(2);

	private static final int MOST_CHECKED = 3;

	// for a server that is replaced repeatedly while its calls do not end
	private static final int MOST_DRAINING = 3;

	private static final Set<McpServerState> RETRIED = EnumSet.of(McpServerState.CONNECTING,
			McpServerState.UNAVAILABLE);

	// the share of the heap for recorded messages: twice as much in the worst case
	private static final int SHARE_OF_MESSAGES = 64;

	private static final Logger logger = LoggerFactory.getLogger(DefaultMcpServerRegistry.class);

	private final Settings settings;

	private final ServerConnector connector;

	private final Scheduler timer;

	private final FirstUse firstUse;

	private final ToolCatalog catalog;

	private final HostApplication application;

	private final RegistryEvents events;

	private final MessageJournal.Memory messageMemory;

	private final McpServerManager manager = new Manager();

	private final Lock lock = new ReentrantLock();

	// removed or replaced connections, until they are closed, by the name of the server
	private final Map<String, List<Link>> closing = new ConcurrentHashMap<>();

	private volatile Map<String, ManagedServer> servers = Map.of();

	private volatile Map<String, DefinedServer> configured;

	private volatile Phase phase = Phase.NEW;

	/**
	 * Create a registry; nothing is contacted before {@link #start()}.
	 */
	public DefaultMcpServerRegistry(Settings settings, ServerConnector connector, ToolSettings tools, Scheduler timer,
			HostApplication application) {
		this.settings = settings;
		this.connector = connector;
		this.timer = timer;
		this.firstUse = new FirstUse(this);
		this.catalog = new ToolCatalog(this.firstUse, tools);
		this.application = application;
		this.events = new RegistryEvents(application, this.catalog::listed, timer);
		this.messageMemory = new MessageJournal.Memory(settings.messages(),
				Runtime.getRuntime().maxMemory() / SHARE_OF_MESSAGES);
		this.configured = Reconfiguration.configured(settings.servers());
		change((all) -> settings.servers()
			.forEach((server) -> all.put(server.name(), new ManagedServer(server, this))));
		updateCatalog(null);
	}

	@Override
	public List<McpServer> servers() {
		return List.copyOf(all());
	}

	@Override
	public McpServer server(String name) {
		return get(name);
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
	public McpToolResult callTool(String toolName, Map<String, ? extends @Nullable Object> arguments) {
		McpTool tool;
		try {
			tool = this.catalog.get(toolName);
		}
		catch (RuntimeException ex) {
			this.catalog.missed(toolName, McpToolRequest.of(arguments), ex);
			throw ex;
		}
		return tool.call(arguments);
	}

	/**
	 * Return the manager of the servers.
	 */
	public McpServerManager manager() {
		return this.manager;
	}

	Collection<ManagedServer> all() {
		return this.servers.values();
	}

	private ManagedServer get(String name) {
		ManagedServer server = this.servers.get(name);
		if (server == null) {
			throw new NoSuchMcpServerException(name, this.servers.keySet());
		}
		return server;
	}

	ServerConnector connector() {
		return this.connector;
	}

	ToolCatalog catalog() {
		return this.catalog;
	}

	HostApplication application() {
		return this.application;
	}

	RegistryEvents events() {
		return this.events;
	}

	MessageJournal.Memory messageMemory() {
		return this.messageMemory;
	}

	Scheduler timer() {
		return this.timer;
	}

	@Nullable McpAuthorizationStatus authorization(McpServerDefinition definition) {
		return this.settings.authorization().apply(definition);
	}

	Duration startupWait() {
		return this.settings.startupWait();
	}

	boolean isNew() {
		return this.phase == Phase.NEW;
	}

	boolean connectsOnFirstUse() {
		return this.settings.lazy() && isRunning();
	}

	private Begun add(McpServerDefinition definition) {
		DefinedServer server = new DefinedServer(prepare(definition),
				new McpServerOrigin(McpServerOrigin.Kind.ADDED, null), List::of, List.of());
		McpServerDefinitions.checkName(server.name(), this.servers.keySet());
		return apply(() -> ServerChange.add(new ManagedServer(server, this)));
	}

	private Begun replace(McpServerDefinition definition) {
		McpServerDefinition prepared = prepare(definition);
		return apply(() -> ServerChange.replace(get(prepared.name()), prepared));
	}

	private Begun remove(String name) {
		return apply(() -> ServerChange.remove(get(name)));
	}

	private Begun enable(String name) {
		return apply(() -> {
			ManagedServer server = get(name);
			return ServerChange.setEnabled(server, true,
					(definition) -> this.settings.definitions().checked(definition, server.problems()));
		});
	}

	private Begun disable(String name) {
		return apply(() -> ServerChange.setEnabled(get(name), false, UnaryOperator.identity()));
	}

	/**
	 * Apply another configuration: change the servers that differ from the previous
	 * configuration, in one step. Pending calls of a server that is replaced or removed
	 * continue on its connection; new calls go to the next connection. Servers that code
	 * has added or replaced do not change.
	 * @param configured the complete new configuration
	 * @param made receives the changes, without a lock and before the wait
	 * @return completes when the new connections have been tried once, or the time for
	 * that is over; the change is made even without a subscription
	 * @throws InvalidMcpConfigurationException with all errors, in which case nothing is
	 * changed
	 */
	public Mono<Void> reload(McpServerDefinitions.Configured configured, Consumer<McpReload> made) {
		Batch batch;
		do {
			batch = plan(configured);
		}
		while (!commit(batch));
		List<ServerChange> changes = batch.changes();
		changes.forEach(DefaultMcpServerRegistry::log);
		try {
			if (!changes.isEmpty()) {
				updateCatalog(changes.stream().map(ServerChange::name).collect(Collectors.toSet()));
			}
		}
		finally {
			changes.forEach(this::drain);
		}
		Mono<Void> opened = Mono.when(changes.stream().map(this::open).toList())
			.timeout(startupWait(), Mono.empty(), this.timer);
		made.accept(batch.result());
		return opened;
	}

	private Batch plan(McpServerDefinitions.Configured configured) {
		requireNotEnded();
		Map<String, ManagedServer> present = this.servers;
		Map<String, DefinedServer> before = this.configured;
		List<String> others = present.values()
			.stream()
			.filter((server) -> !Reconfiguration.isConfigured(server.origin()))
			.map(ManagedServer::name)
			.filter((name) -> !before.containsKey(name))
			.toList();
		Reconfiguration next = Reconfiguration.of(before, this.settings.definitions().reloaded(configured, others));
		List<ServerChange> changes = new ArrayList<>();
		next.removed()
			.map(present::get)
			.filter((server) -> server != null && server.isAsConfigured())
			.forEach((server) -> changes.add(ServerChange.remove(server)));
		try {
			for (DefinedServer server : next.different()) {
				ManagedServer known = present.get(server.name());
				if (known == null) {
					changes.add(ServerChange.add(new ManagedServer(server, this)));
				}
				else if (known.isAsConfigured()) {
					changes.add(ServerChange.replace(known, server.definition()));
				}
			}
		}
		catch (Throwable ex) {
			changes.forEach(ServerChange::abandon);
			throw ex;
		}
		return new Batch(next, present, changes);
	}

	private boolean commit(Batch batch) {
		return commit(batch.changes(), () -> {
			requireNotEnded();
			return batch.next().before() == this.configured && batch.present() == this.servers;
		}, (all) -> {
			Map<String, DefinedServer> next = batch.next().next();
			next.forEach((name, server) -> {
				ManagedServer known = all.get(name);
				if (known != null && Reconfiguration.isConfigured(known.origin())) {
					known.configure(server);
				}
			});
			this.configured = next;
		});
	}

	private void drain(ServerChange change) {
		Link link = change.closed();
		if (link != null) {
			closing(link, link.drain(reason(change), change.opened()));
			List<Link> all = this.closing.getOrDefault(change.name(), List.of());
			all.stream().limit(Math.max(0, all.size() - MOST_DRAINING)).forEach((oldest) -> oldest.close(null));
		}
	}

	private McpServerDefinition prepare(McpServerDefinition definition) {
		McpServerDefinition prepared = this.settings.definitions().prepare(definition);
		requireNotEnded();
		return prepared;
	}

	/**
	 * Make a change, which continues even if no caller waits for its end. It is planned
	 * without the lock, since a new connection has observers, and again if the server has
	 * changed since it was planned.
	 */
	private Begun apply(Supplier<ServerChange> plan) {
		ServerChange change;
		do {
			change = plan.get();
		}
		while (!commit(change));
		log(change);
		Mono<Void> closed;
		try {
			if (!change.isNone()) {
				updateCatalog(Set.of(change.name()));
			}
		}
		finally {
			closed = close(change);
		}
		return new Begun(change.server(), closed.then(open(change)));
	}

	private static void log(ServerChange change) {
		if (!change.isNone()) {
			LogKeys.line(logger, Level.INFO, change.name())
				.log("MCP server '{}' ({}) was {}", change.name(), change.definition().target(), change.verb());
		}
	}

	private boolean commit(List<ServerChange> changes, BooleanSupplier upToDate,
			Consumer<Map<String, ManagedServer>> configure) {
		boolean done = false;
		try {
			done = locked(() -> upToDate.getAsBoolean() && change((all) -> {
				changes.forEach((change) -> change(change, all));
				configure.accept(all);
			}));
		}
		finally {
			if (!done) {
				changes.forEach(ServerChange::abandon);
			}
		}
		return done;
	}

	private boolean commit(ServerChange change) {
		return commit(List.of(change), () -> isUpToDate(change), (all) -> {
		});
	}

	private boolean isUpToDate(ServerChange change) {
		if (change.next() != null) {
			requireNotEnded();
		}
		if (change.present() == null) {
			McpServerDefinitions.checkName(change.name(), this.servers.keySet());
			return true;
		}
		return change.isUpToDate(get(change.name()).link());
	}

	private void change(ServerChange change, Map<String, ManagedServer> all) {
		if (change.next() == null) {
			all.remove(change.name());
			change.server().forgetMessages();
		}
		else {
			all.put(change.name(), change.server());
			change.server().use(change.next(), change.definition());
		}
		Link closed = change.closed();
		if (closed != null) {
			this.closing.compute(change.name(), (name, links) -> {
				List<Link> present = (links != null) ? links : new CopyOnWriteArrayList<>();
				present.add(closed);
				return present;
			});
		}
	}

	private Mono<Void> close(ServerChange change) {
		Link link = change.closed();
		if (link == null) {
			return Mono.empty();
		}
		// including the connections that still serve earlier calls
		this.closing.getOrDefault(change.name(), List.of())
			.stream()
			.filter((other) -> other != link)
			.forEach((other) -> other.close(reason(change)));
		return closing(link, link.close(reason(change)));
	}

	private Mono<Void> closing(Link link, Mono<Void> closed) {
		closed.subscribe(null, null, () -> this.closing.computeIfPresent(link.definition().name(), (name, links) -> {
			links.remove(link);
			return links.isEmpty() ? null : links;
		}));
		return closed;
	}

	private static String reason(ServerChange change) {
		return "It was " + change.verb() + ".";
	}

	private Mono<McpServerStatus> open(ServerChange change) {
		Mono<McpServerStatus> status = Mono.fromSupplier(change.server()::status);
		McpConnection connection = change.opened();
		if (connection != null && this.phase == Phase.PAUSED) {
			// as all other servers are until the next start
			return connection.close().then(status);
		}
		if (connection != null && this.phase == Phase.RUNNING && isEager(connection.definition())) {
			connection.start();
			return connection.firstAttempt().then(status);
		}
		return status;
	}

	private boolean isEager(McpServerDefinition definition) {
		return !this.settings.lazy() || definition.required() || this.firstUse.hasBegun();
	}

	// update the catalog for the servers that have changed, or for all
	private void updateCatalog(@Nullable Set<String> names) {
		this.catalog.servers()
			.follow(() -> all().stream().map((server) -> server.link().server()).toList(), names,
					this.events::catalogChanged);
	}

	@Override
	public void start() {
		if (isRunning()) {
			return;
		}
		this.firstUse.reset();
		if (this.phase == Phase.NEW) {
			this.events.findListeners();
		}
		List<Link> started = connectAll();
		if (!started.isEmpty()) {
			awaitFirstAttempts(started);
		}
		this.events.showTools();
	}

	private void awaitFirstAttempts(List<Link> started) {
		List<Link> required = started.stream().filter((link) -> link.definition().required()).toList();
		Mono<Void> firstAttempts = Mono.when(started.stream().map((link) -> link.connection().firstAttempt()).toList())
			.timeout(startupWait(), Mono.empty(), this.timer);
		// no wait for other servers if a required one cannot become available
		await(Mono.when(firstAttempts, Mono.when(required.stream().map(Link::ready).toList())).onErrorComplete());
		List<Link> missing = required.stream().filter((link) -> !SETTLED.contains(link.connection().state())).toList();
		if (isRunning() && !missing.isEmpty()) {
			// the others may just not have had enough time
			List<Link> hopeless = missing.stream().filter(Link::isHopeless).toList();
			List<Link> failed = hopeless.isEmpty() ? missing : hopeless;
			List<McpServerStatus> statuses = failed.stream().map((link) -> link.connection().status()).toList();
			await(Flux.fromIterable(failed)
				.take(MOST_CHECKED)
				.flatMap((link) -> link.check(CHECK_LIMIT))
				.doOnNext(DefaultMcpServerRegistry::show)
				.then());
			throw new RequiredMcpServerException(statuses);
		}
	}

	private static void show(McpDiagnosis diagnosis) {
		String lines = diagnosis.steps()
			.stream()
			.filter((step) -> step.outcome() != McpDiagnosis.Outcome.SKIPPED)
			.map((step) -> "%n    %s %s%s%s".formatted(step.kind(), step.outcome(), text(": ", step.detail()),
					text(". ", step.advice())))
			.collect(Collectors.joining());
		LogKeys.line(logger, Level.WARN, diagnosis.server())
			.log("Required MCP server '{}', step by step:{}", diagnosis.server(), lines);
	}

	private static String text(String before, @Nullable String text) {
		return (text != null) ? before + text : "";
	}

	private List<Link> connectAll() {
		List<Link> links = locked(() -> {
			if (this.phase == Phase.RUNNING || this.phase == Phase.ENDED) {
				return List.of();
			}
			if (this.phase == Phase.PAUSED) {
				change((all) -> all.values()
					.forEach((server) -> server.use(server.newLink(server.definition()), server.definition())));
			}
			this.phase = Phase.RUNNING;
			return all().stream()
				.filter((server) -> !server.problems().isEmpty() || isEager(server.definition()))
				.map(ManagedServer::link)
				.sorted(Comparator.comparing((link) -> !link.definition().required()))
				.toList();
		});
		updateCatalog(null);
		links.forEach((link) -> link.connection().start());
		return links;
	}

	/**
	 * Connect unavailable servers immediately, without waiting for their delay.
	 */
	public void retry(Predicate<McpServerDefinition> which) {
		all().stream()
			.map(ManagedServer::connection)
			.filter((connection) -> which.test(connection.definition()))
			.filter((connection) -> RETRIED.contains(connection.status().state()))
			.forEach(McpConnection::reconnect);
	}

	@Override
	public void stop() {
		await(close(false));
	}

	@Override
	public void stop(Runnable callback) {
		close(false).subscribe(null, (ex) -> callback.run(), callback);
	}

	@Override
	public boolean isRunning() {
		return this.phase == Phase.RUNNING;
	}

	@Override
	public int getPhase() {
		return PHASE;
	}

	/**
	 * Also release the resources of a failed start, which no {@link #stop()} follows.
	 */
	@Override
	public void destroy() {
		await(close(true));
		this.events.close();
	}

	private Mono<Void> close(boolean forGood) {
		List<Link> links = locked(() -> {
			this.phase = (forGood || this.phase == Phase.ENDED) ? Phase.ENDED : Phase.PAUSED;
			List<Link> all = new ArrayList<>();
			this.closing.values().forEach(all::addAll);
			all().forEach((server) -> all.add(server.link()));
			return all;
		});
		return Mono.when(links.stream().map((link) -> link.close(null).onErrorComplete()).toList())
			.timeout(CLOSE_TIMEOUT, this.timer)
			.onErrorResume((ex) -> {
				logger.warn("Not all MCP servers were closed within {} s", CLOSE_TIMEOUT.toSeconds());
				return Mono.empty();
			});
	}

	/**
	 * Wait for a signal, which has its own time limit, unless interrupted.
	 */
	static void await(Mono<Void> signal) {
		try {
			signal.toFuture().get();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		catch (ExecutionException ex) {
			throw new IllegalStateException(ex.getCause());
		}
	}

	private <T> T locked(Supplier<T> change) {
		this.lock.lock();
		try {
			return change.get();
		}
		finally {
			this.lock.unlock();
		}
	}

	private boolean change(Consumer<Map<String, ManagedServer>> change) {
		Map<String, ManagedServer> servers = new LinkedHashMap<>(this.servers);
		change.accept(servers);
		this.servers = Collections.unmodifiableMap(servers);
		return true;
	}

	private void requireNotEnded() {
		if (this.phase == Phase.ENDED) {
			throw new IllegalStateException("The registry of MCP servers is closed: the application has stopped");
		}
	}

	/**
	 * The initial servers, the validation of servers that are added later, whether
	 * servers connect on first use, how long the start waits for first attempts, how many
	 * messages of each server are recorded, and the status of authorization.
	 */
	public record Settings(List<DefinedServer> servers, McpServerDefinitions definitions, boolean lazy,
			Duration startupWait, int messages,
			Function<McpServerDefinition, @Nullable McpAuthorizationStatus> authorization) {
	}

	/**
	 * Creates connections that have not started, and checks servers without them.
	 */
	public interface ServerConnector {

		/**
		 * Create a connection to a server.
		 * @param configured whether the server has properties that errors can name
		 */
		McpConnection create(McpServerDefinition definition, boolean configured, McpConnectionListener listener);

		/**
		 * Check a server within the given limit, its initialization timeout or 20 s,
		 * depending on which is the shortest, and two seconds for closing.
		 * @param configured whether the server has properties
		 * @param end fails if the check must end early
		 */
		Mono<McpDiagnosis> check(McpServerDefinition definition, boolean configured, Duration limit, Mono<Void> end);

	}

	/**
	 * A change that was made.
	 *
	 * @param status signals the status of the server once the change has ended
	 */
	private record Begun(ManagedServer server, Mono<McpServerStatus> status) {
	}

	/**
	 * The changes of another configuration.
	 *
	 * @param present all servers at the time of planning
	 */
	private record Batch(Reconfiguration next, Map<String, ManagedServer> present, List<ServerChange> changes) {

		McpReload result() {
			List<String> added = names((change) -> change.present() == null);
			List<String> removed = names((change) -> change.next() == null);
			List<String> updated = names((change) -> change.present() == change.next());
			List<String> replaced = names((change) -> change.closed() != null && change.opened() != null);
			return new McpReload(added, replaced, updated, removed,
					this.next.next().size() - added.size() - replaced.size() - updated.size(), List.of());
		}

		private List<String> names(Predicate<ServerChange> which) {
			return this.changes.stream().filter(which).map(ServerChange::name).toList();
		}

	}

	private final class Manager implements McpServerManager {

		@Override
		public List<ManagedMcpServer> servers() {
			return List.copyOf(all());
		}

		@Override
		public ManagedMcpServer server(String name) {
			return get(name);
		}

		@Override
		public Optional<ManagedMcpServer> find(String name) {
			return Optional.ofNullable(DefaultMcpServerRegistry.this.servers.get(name));
		}

		@Override
		public McpServerStatus add(McpServerDefinition definition) {
			return await("add", definition.name(), () -> DefaultMcpServerRegistry.this.add(definition));
		}

		@Override
		public Mono<McpServerStatus> addAsync(McpServerDefinition definition) {
			return Mono.defer(() -> DefaultMcpServerRegistry.this.add(definition).status());
		}

		@Override
		public McpServerStatus replace(McpServerDefinition definition) {
			return await("replace", definition.name(), () -> DefaultMcpServerRegistry.this.replace(definition));
		}

		@Override
		public Mono<McpServerStatus> replaceAsync(McpServerDefinition definition) {
			return Mono.defer(() -> DefaultMcpServerRegistry.this.replace(definition).status());
		}

		@Override
		public void remove(String name) {
			await("remove", name, () -> DefaultMcpServerRegistry.this.remove(name));
		}

		@Override
		public Mono<Void> removeAsync(String name) {
			return Mono.defer(() -> DefaultMcpServerRegistry.this.remove(name).status()).then();
		}

		@Override
		public McpServerStatus enable(String name) {
			return await("enable", name, () -> DefaultMcpServerRegistry.this.enable(name));
		}

		@Override
		public Mono<McpServerStatus> enableAsync(String name) {
			return Mono.defer(() -> DefaultMcpServerRegistry.this.enable(name).status());
		}

		@Override
		public McpServerStatus disable(String name) {
			return await("disable", name, () -> DefaultMcpServerRegistry.this.disable(name));
		}

		@Override
		public Mono<McpServerStatus> disableAsync(String name) {
			return Mono.defer(() -> DefaultMcpServerRegistry.this.disable(name).status());
		}

		private McpServerStatus await(String method, String name, Supplier<Begun> change) {
			ManagedServer.checkThread(method, name);
			Begun begun = change.get();
			return begun.server().awaitChange(method, begun.status());
		}

	}

	private enum Phase {

		NEW, RUNNING, PAUSED, ENDED

	}

	/**
	 * The application that uses the servers, as seen by the registry. It is called
	 * without a lock, on threads that may block.
	 */
	public interface HostApplication {

		/**
		 * Publish an event.
		 */
		void publish(McpServerEvent event);

		/**
		 * Return the listeners of messages, which are determined at the first start.
		 */
		List<McpMessageListener> listeners();

		/**
		 * Return whether there is a listener for progress events.
		 */
		boolean listensToProgress();

		/**
		 * Update the listed tools, after tools of the given names were added, or others
		 * removed.
		 */
		void showTools(Collection<String> names, Supplier<Map<String, McpTool>> listed);

		/**
		 * Return why the application does not get a listed tool like other tools, or
		 * {@code null}.
		 */
		@Nullable String refusal(McpTool tool);

		/**
		 * Return whether this thread is creating beans of the application. No tool is
		 * shown until it has finished.
		 */
		boolean isInCreation();

	}

}
