package io.github.mcpclient.tool;

import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;

import io.github.mcpclient.McpServer.ExcludedTool;
import io.github.mcpclient.McpServerUnavailableException;
import io.github.mcpclient.McpTool;
import io.github.mcpclient.McpToolCatalog;
import io.github.mcpclient.McpToolPin;
import io.github.mcpclient.NoSuchMcpToolException;
import io.github.mcpclient.connection.ToolConnection;
import io.github.mcpclient.definition.McpToolPolicy;
import io.github.mcpclient.schema.CheckThreads;
import io.github.mcpclient.spi.McpToolPins;
import io.github.mcpclient.support.NearestNames;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.util.context.ContextView;

import org.springframework.util.Assert;
import org.springframework.util.ConcurrentReferenceHashMap;
import org.springframework.util.ConcurrentReferenceHashMap.ReferenceType;

/**
 * The catalog of all servers' tools, as one immutable state. Which tools are listed, and
 * under which names, does not depend on the order in which servers list them.
 */
public final class ToolCatalog extends LiveCatalog {

	private final ConnectOnUse connectOnUse;

	private final ToolSettings settings;

	private final ToolFilter globalFilter;

	private final Map<String, ToolFilter> selections = new TreeMap<>();

	private final CatalogLog log;

	// for all handles
	private final Supplier<ToolCatalog> self = () -> this;

	private final Lock lock = new ReentrantLock();

	private final boolean enabled;

	private final AtomicInteger places = new AtomicInteger();

	private volatile NameHeads heads = new NameHeads(List.of(), null);

	private volatile CatalogState state = CatalogState.EMPTY;

	private final CallerCatalog forCaller = new CallerCatalog(this, null);

	// where one is dropped, the next use makes it again
	private final Map<ToolConnection, ToolCatalog> ofUsers = new ConcurrentReferenceHashMap<>(16, ReferenceType.WEAK);

	/**
	 * Create an empty catalog.
	 */
	public ToolCatalog(ConnectOnUse connectOnUse, ToolSettings settings) {
		this(connectOnUse, settings, true);
	}

	private ToolCatalog(ConnectOnUse connectOnUse, ToolSettings settings, boolean enabled) {
		this.enabled = enabled;
		this.connectOnUse = connectOnUse;
		this.settings = settings;
		this.globalFilter = ToolFilter.of("mcp.tools.filter", settings.filter());
		settings.selections()
			.forEach((name, patterns) -> this.selections.put(name, ToolFilter.of("mcp.selections." + name, patterns)));
		this.log = new CatalogLog(this.globalFilter);
	}

	/**
	 * Create the catalog of a client that is disabled, which stays empty.
	 */
	public static ToolCatalog disabled() {
		ToolCaller none = new ToolCaller(List::of, () -> {
			throw new IllegalStateException("There are no calls");
		}, new CheckThreads(Schedulers.immediate()), Schedulers.immediate());
		return new ToolCatalog(() -> {
		}, new ToolSettings(List.of(), McpToolPolicy.UNRESTRICTED, null, none, Map.of(), ListingCustomizers.NONE),
				false);
	}

	/**
	 * Replace the servers, and with them their tools. A new connection to a server has
	 * the tools of the previous one until it lists its own, and a tool keeps a name that
	 * a later server or prefix makes ambiguous.
	 * @param current gives the servers in the order of configuration, again where another
	 * change comes in between
	 * @param serverName the server to follow to another definition or connection, or
	 * {@code null} for all
	 * @param listener as at {@link #update}
	 */
	public void servers(Supplier<List<ToolServer>> current, @Nullable String serverName,
			Consumer<List<ToolChanges>> listener) {
		change((change) -> {
			CatalogState before = change.before();
			List<ToolServer> all = current.get();
			ServerTools known = (serverName != null) ? before.servers().get(serverName) : null;
			ToolServer same = (known != null) ? ofSameHead(known, all) : null;
			if (known != null && same != null) {
				change.put(serverTools(same, known, this.heads));
			}
			else {
				follow(all, serverName, change);
			}
		}, null, listener);
		if (!this.settings.customizers().isEmpty()) {
			Map<String, ServerTools> now = this.state.servers();
			((serverName != null) ? Stream.ofNullable(now.get(serverName)) : now.values().stream())
				.forEach((server) -> prepare(server, listener));
		}
	}

	private static @Nullable ToolServer ofSameHead(ServerTools known, List<ToolServer> all) {
		return all.stream()
			.filter((server) -> server.name().equals(known.name())
					&& ToolNamer.head(server.definition()).equals(known.head()))
			.findFirst()
			.orElse(null);
	}

	private void follow(List<ToolServer> all, @Nullable String serverName, CatalogChange change) {
		Map<String, ServerTools> before = change.before().servers();
		Map<String, ToolServer> coming = new LinkedHashMap<>();
		for (ToolServer server : all) {
			ServerTools known = before.get(server.name());
			boolean other = serverName != null && !serverName.equals(server.name());
			coming.put(server.name(), (other && known != null) ? known.server() : server);
		}
		NameHeads heads = new NameHeads(coming.values().stream().map(ToolServer::definition).toList(), this.heads);
		this.heads = heads;
		before.keySet().stream().filter((name) -> !coming.containsKey(name)).forEach(change::remove);
		coming.values().forEach((server) -> change.put(serverTools(server, before.get(server.name()), heads)));
	}

	private ServerTools serverTools(ToolServer server, @Nullable ServerTools known, NameHeads heads) {
		ServerRules rules = ServerRules.of(server.definition(), this.settings, this.globalFilter, heads);
		// one that was there keeps its names
		int place = (known != null && known.head().equals(rules.namer().head())) ? known.place()
				: this.places.getAndIncrement();
		return (known != null) ? known.with(server, rules, place) : ServerTools.empty(server, rules, place);
	}

	/**
	 * Have the application name the tools that a server lists, where it does, and
	 * customizers prepare for them. Completes when {@link #update} need not wait for it.
	 * @param server as it is defined now, and the connection that has listed the tools
	 * @param ofUser whether that is the connection of one user
	 * @param capabilities those of the server
	 * @param listener as at {@link #update}
	 */
	public Mono<Void> listed(ToolServer server, boolean ofUser, List<Tool> tools, Set<String> capabilities,
			Consumer<List<ToolChanges>> listener) {
		Mono<Void> named = (this.settings.naming() instanceof NamesAhead names) ? names.ask(server.definition(), tools)
				: Mono.empty();
		if (this.settings.customizers().isEmpty()) {
			return named;
		}
		// the same tools are the same list
		List<Tool> same = (server.connection().kept().get() instanceof ServerListing last && last.isOf(tools))
				? last.listed() : tools;
		ServerListing listing = new ServerListing(server, ofUser, same, capabilities,
				() -> applyAgain(server.scope(), listener));
		return Mono.when(named, this.settings.customizers().prepare(listing)).then(asked(listing, listener));
	}

	private Mono<Void> asked(ServerListing listing, Consumer<List<ToolChanges>> listener) {
		return Mono.defer(() -> this.settings.customizers().ask(listing, () -> ask(listing)))
			.then(Mono.fromRunnable(() -> use(listing, listener)));
	}

	// its connection is kept, and it lists nothing now
	private void prepare(ServerTools redefined, Consumer<List<ToolChanges>> listener) {
		ServerListing listing = redefined.listing();
		if (redefined.listed() && !listing.isPrepared()) {
			this.settings.customizers()
				.prepare(listing)
				.then(Mono.defer(() -> asked(listing.renewed(), listener)))
				.subscribe();
		}
	}

	// what comes of it is known when the tools are to be used
	private void ask(ServerListing listing) {
		ToolServer server = listing.toolServer();
		ServerTools known = this.state.servers().get(server.name());
		if (known != null) {
			ServerTools.empty(server, known.rules(), known.place()).with(listing);
		}
	}

	private void use(ServerListing listing, Consumer<List<ToolChanges>> listener) {
		ToolConnection connection = listing.toolServer().connection();
		connection.kept().set(listing);
		change((change) -> {
			ServerTools known = change.before().of(connection);
			// other tools come with an update of their own
			if (known != null && known.listing().listed().equals(listing.listed())) {
				change.put(known.with(current(known.server(), listing.listed())));
			}
		}, connection.name(), listener);
	}

	/**
	 * Return a listing for which customizers have prepared, if it is that of these tools
	 * by this definition, and otherwise one for which they have not.
	 */
	private static ServerListing current(ToolServer server, List<Tool> tools) {
		ServerListing kept = (server.connection().kept().get() instanceof ServerListing last) ? last
				: ServerListing.none(server);
		ServerListing current = !kept.isOf(tools) ? kept.with(server, tools) : !kept.toolServer().isSame(server)
				? kept.with(server, kept.listed()) : kept.isCurrent() ? kept : kept.renewed();
		server.connection().kept().set(current);
		return current;
	}

	private Mono<Void> applyAgain(ServerScope scope, Consumer<List<ToolChanges>> listener) {
		return Mono.defer(() -> {
			String name = scope.server().name();
			scope.revision().incrementAndGet();
			return this.settings.customizers().threads().call(name, () -> {
				change((change) -> {
					ServerTools known = change.before().servers().get(name);
					if (known != null && known.server().scope() == scope) {
						change.put(known.with(known.listing().renewed()));
					}
				}, name, listener);
				return true;
			});
		}).onErrorComplete().then();
	}

	/**
	 * Return what is known of the definitions of the tools that a server lists, where
	 * they are pinned.
	 */
	public List<McpToolPin> pinsOf(String serverName) {
		ServerTools known = this.state.servers().get(serverName);
		McpToolPins pins = this.settings.customizers().pins();
		return (known != null && pins != null) ? pins.pins(known.listing()) : List.of();
	}

	/**
	 * Approve tools that a server lists now, at once.
	 * @param hashes the hash of each tool
	 * @throws IllegalArgumentException if a tool is not listed with this hash now
	 */
	public Mono<Void> approve(String serverName, Map<String, String> hashes) {
		ServerTools known = this.state.servers().get(serverName);
		McpToolPins pins = this.settings.customizers().pins();
		Assert.isTrue(known != null && pins != null, () -> "tools.pinning of MCP server '" + serverName + "' is off");
		return Mono.fromFuture(pins.approve(known.listing(), hashes).toFuture(), true);
	}

	/**
	 * Replace the tools of one server, unless the connection was replaced or has gone.
	 * The listener, which must not block, receives the changes of this and other servers
	 * in their order.
	 */
	public void update(ToolConnection connection, List<Tool> tools, Consumer<List<ToolChanges>> listener) {
		change((change) -> {
			ServerTools known = change.before().of(connection);
			if (known != null) {
				change.put(known.with(current(known.server(), tools)));
			}
		}, connection.name(), listener);
	}

	/**
	 * Remove the tools of one server, which has listed none over this connection.
	 * @param listener as at {@link #update}
	 */
	public void withdraw(ToolConnection connection, Consumer<List<ToolChanges>> listener) {
		change((change) -> {
			ServerTools known = change.before().of(connection);
			if (known != null && !known.tools().isEmpty()) {
				change.put(ServerTools.empty(known.server(), known.rules(), known.place()));
			}
		}, connection.name(), listener);
	}

	// make a change outside of the lock, since a naming strategy is the application's
	// code, and again where another change came first
	private void change(Consumer<CatalogChange> steps, @Nullable String serverName,
			Consumer<List<ToolChanges>> listener) {
		CatalogChange change;
		do {
			change = new CatalogChange(this.state);
			steps.accept(change);
		}
		while (!publish(change, serverName, listener));
	}

	private boolean publish(CatalogChange change, @Nullable String serverName, Consumer<List<ToolChanges>> listener) {
		this.lock.lock();
		try {
			if (this.state != change.before()) {
				return false;
			}
			CatalogState after = change.apply(this::handle);
			this.state = after;
			this.log.changed(change, after);
			List<ToolChanges> changes = ToolChanges.of(change, after, serverName);
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
				: new ToolHandle(this.self, entry);
	}

	/**
	 * Return the listed tools of one server, sorted by name; none for a connection that
	 * was replaced or has gone. Not a use of the server.
	 */
	public List<McpTool> toolsOf(ToolConnection connection) {
		CatalogState state = this.state;
		ServerTools known = state.of(connection);
		List<ToolEntry> entries = (known != null) ? known.entries() : List.of();
		return entries.stream()
			.filter((entry) -> state.listing().entries().get(entry.name()) == entry)
			.map(ToolEntry::name)
			.sorted()
			.<McpTool>map(state.listing().tools()::get)
			.toList();
	}

	/**
	 * Return the other tools of one server, as {@link #toolsOf} does.
	 */
	public List<ExcludedTool> excludedToolsOf(ToolConnection connection) {
		CatalogState state = this.state;
		List<Exclusion> exclusions = (state.of(connection) != null) ? state.exclusionsOf(connection.name()) : List.of();
		return exclusions.stream().map((tool) -> new ExcludedTool(tool.originalName(), tool.reason())).toList();
	}

	/**
	 * Return the listed tools by name. Not a use of the servers.
	 */
	public NavigableMap<String, McpTool> listed() {
		return this.state.listing().tools();
	}

	@Override
	public McpToolCatalog forCaller() {
		return this.forCaller;
	}

	@Override
	public Mono<McpToolCatalog> forCallerAsync() {
		return ofCaller(forUsers(null), false).map((own) -> new CallerCatalog(this, own));
	}

	/**
	 * Return the servers that list their tools for users, of all or of those that may
	 * have a tool.
	 */
	List<ToolConnection> forUsers(@Nullable String name) {
		return servers((name != null) ? serversOf(name) : this.state.servers().keySet()).map(ToolServer::connection)
			.filter(ToolConnection::isForUsers)
			.toList();
	}

	/**
	 * Return what servers list for the user of the caller, as far as it is there in time.
	 * Fails where this user has to log in and, if so required, with why the server cannot
	 * be connected.
	 */
	Mono<List<ToolCatalog>> ofCaller(List<ToolConnection> servers, boolean required) {
		return Flux.fromIterable(servers)
			.flatMapSequential((server) -> required ? server.forCaller().filter((own) -> own != server)
					: server.forListing(this.connectOnUse.limit()), Math.max(1, servers.size()))
			.map(this::ofUser)
			.collectList();
	}

	private ToolCatalog ofUser(ToolConnection connection) {
		ToolCatalog own = this.ofUsers.computeIfAbsent(connection, (key) -> new ToolCatalog(() -> {
		}, this.settings, true));
		ServerTools ofAll = this.state.servers().get(connection.name());
		ServerTools known = own.state.of(connection);
		if (ofAll == null) {
			return own;
		}
		ToolServer server = new ToolServer(ofAll.server().definition(), connection, ofAll.server().scope());
		ServerListing listing = current(server, connection.tools());
		if (known == null || known.listing() != listing || own.heads != this.heads) {
			own.heads = this.heads;
			ServerTools tools = serverTools(server, known, own.heads).with(listing);
			CatalogChange change = new CatalogChange(own.state);
			change.put(tools);
			own.state = change.apply(own::handle);
		}
		return own;
	}

	@Override
	Listing read(@Nullable String name, ContextView context) {
		ToolEntry entry = (name != null) ? entry(name) : null;
		if (name == null) {
			this.connectOnUse.all();
		}
		// after a pause, a tool is known whose server is not connected
		else if (entry == null || !entry.connection().isReady()) {
			this.connectOnUse.of(name);
		}
		return this.state.listing();
	}

	ToolFilter namedFilter(String name) {
		ToolFilter filter = this.enabled ? this.selections.get(name) : this.globalFilter;
		if (filter == null) {
			throw new IllegalArgumentException("No selection '" + name + "' of MCP tools. "
					+ (this.selections.isEmpty() ? "None is configured under mcp.selections."
							: "Configured: " + String.join(", ", this.selections.keySet()) + "."));
		}
		return filter;
	}

	ToolSettings settings() {
		return this.settings;
	}

	CatalogState state() {
		return this.state;
	}

	Map<String, ToolEntry> entries() {
		return this.state.listing().entries();
	}

	@Override
	ToolCatalog root() {
		return this;
	}

	CallLog log() {
		return this.settings.caller().log();
	}

	ToolCaller caller() {
		return this.settings.caller();
	}

	@Nullable ToolEntry entry(String name) {
		return this.state.listing().entries().get(name);
	}

	/**
	 * Return a tool, or {@code null} where no server has it or another one.
	 */
	@Nullable ToolEntry entry(String name, String serverName) {
		ToolEntry entry = entry(name);
		return (entry != null && entry.serverName().equals(serverName)) ? entry : null;
	}

	@Nullable NoSuchMcpToolException refusal(ToolEntry used) {
		ToolEntry now = entry(used.name());
		return (now == used || (now != null && now.isSameTool(used))) ? null
				: noSuchTool(used.name(), used.serverName());
	}

	Mono<Void> connect(String name) {
		return this.connectOnUse.connect(name);
	}

	/**
	 * Return the servers that may have a tool, connected or not: all where the
	 * application names the tools.
	 */
	public Collection<String> serversOf(String name) {
		return (this.settings.naming() != null) ? this.state.servers().keySet() : this.heads.serversOf(name);
	}

	private Stream<ToolServer> servers(Collection<String> names) {
		return names.stream().map(this.state.servers()::get).filter(Objects::nonNull).map(ServerTools::server);
	}

	/**
	 * Warn, once for a name, where all servers that may have an injected tool are
	 * connected, and none has it.
	 */
	void warnOfMissing(String name) {
		if (this.enabled && entry(name) == null
				&& servers(serversOf(name)).allMatch((server) -> server.connection().isReady())) {
			this.log.missing(name, () -> noTool(name));
		}
	}

	/**
	 * Return why a tool that was never seen cannot be called.
	 */
	RuntimeException noTool(String name) {
		List<ToolServer> servers = servers(serversOf(name)).toList();
		ToolServer server = (servers.size() == 1) ? servers.get(0) : null;
		return (server != null && server.definition().enabled() && !server.connection().isReady()
				&& server.connection().tools().isEmpty() && !this.connectOnUse.isTooEarly())
						? new McpServerUnavailableException(server.connection().status())
						: noSuchTool(name, this.state.listing());
	}

	NoSuchMcpToolException noSuchTool(String name, String serverName) {
		ToolEntry other = entry(name);
		return (other == null || other.serverName().equals(serverName)) ? noSuchTool(name, this.state.listing())
				: NoSuchMcpToolException.because(name, "its server '" + serverName
						+ "' has lost the name to a tool of server '" + other.serverName() + "'");
	}

	NoSuchMcpToolException noSuchTool(String name, Listing known) {
		if (!this.enabled) {
			return NoSuchMcpToolException.because(name, "the MCP client is disabled (mcp.enabled is false)");
		}
		if (this.connectOnUse.isTooEarly()) {
			return NoSuchMcpToolException.because(name,
					"the application is still starting, and connects its servers when all beans are created. Call tools "
							+ "after that: in an ApplicationRunner, for example, rather than in a constructor");
		}
		String removed = (this.settings.naming() != null) ? null : this.heads.removedServerOf(name);
		if (removed != null) {
			return NoSuchMcpToolException.because(name, "its server '" + removed + "' was removed");
		}
		CatalogState state = this.state;
		// names that a bean gives say nothing of a server
		Collection<String> owners = (this.settings.naming() != null) ? List.of() : this.heads.serversOf(name);
		Stream<ToolServer> candidates = owners.isEmpty() ? state.all().obtain().stream() : servers(owners);
		// without the head of a server, a name is of none
		for (String server : serversOf(name)) {
			for (Exclusion tool : state.exclusionsOf(server)) {
				if (name.equals(tool.name())) {
					return NoSuchMcpToolException.because(name,
							"server '" + server + "' offers it, but it is left out: " + tool.reason());
				}
			}
		}
		List<ToolServer> notReady = candidates.filter((server) -> !server.connection().isReady()).toList();
		if (!owners.isEmpty() && !notReady.isEmpty()) {
			return new NoSuchMcpToolException(name, nearest(name, known, owners),
					notReady.get(0).connection().status());
		}
		return new NoSuchMcpToolException(name, nearest(name, known, owners),
				notReady.stream().filter((server) -> server.definition().enabled()).map(ToolServer::name).toList());
	}

	// of thousands of tools, those of the server with the head of the name are meant, or
	// those that servers give this name, rather than similar ones
	private List<String> nearest(String name, Listing known, Collection<String> owners) {
		List<String> own = NearestNames.of(name,
				owners.stream()
					.map(this.state.servers()::get)
					.filter(Objects::nonNull)
					.flatMap((server) -> server.entries().stream())
					.map(ToolEntry::name)
					.filter(known.tools()::containsKey)
					.toList());
		return own.isEmpty() ? known.nearest(name) : own;
	}

	/**
	 * Connects servers at their first use, where they are not connected at the start.
	 */
	@FunctionalInterface
	public interface ConnectOnUse {

		/**
		 * Connect all servers before the catalog is read as a whole, and wait for them,
		 * unless the thread must not block.
		 */
		void all();

		/**
		 * Return whether the application has not begun to connect its servers yet.
		 */
		default boolean isTooEarly() {
			return false;
		}

		/**
		 * Do the same before a tool is looked up that is not known or not available, but
		 * wait for the servers that may have it only.
		 */
		default void of(String name) {
			all();
		}

		/**
		 * Connect only the servers that may have a tool. Completes when the tool is known
		 * or the first attempts have ended, in bounded time; never fails.
		 */
		default Mono<Void> connect(String name) {
			return Mono.empty();
		}

		/**
		 * Return how long a listing waits for the first attempts to connect.
		 */
		default Duration limit() {
			return Duration.ofSeconds(5);
		}

	}

}
