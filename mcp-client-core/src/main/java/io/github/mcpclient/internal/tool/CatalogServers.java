package io.github.mcpclient.internal.tool;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;

import io.github.mcpclient.event.McpToolsChangedEvent;
import io.github.mcpclient.internal.connection.ToolConnection;
import io.github.mcpclient.internal.naming.ToolAdmission;
import io.github.mcpclient.internal.naming.ToolFilter;
import io.github.mcpclient.internal.naming.ToolNaming;
import io.github.mcpclient.management.McpToolPin;
import io.github.mcpclient.spi.McpToolPins;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.util.Assert;

/**
 * Updates the states of a catalog with the servers and their listed tools, including the
 * names of the tools. Thread-safe.
 */
public final class CatalogServers {

	private final ToolSettings settings;

	private final ToolFilter globalFilter;

	private final CatalogStates states;

	private final AtomicInteger places = new AtomicInteger();

	CatalogServers(ToolSettings settings, ToolFilter globalFilter, CatalogStates states) {
		this.settings = settings;
		this.globalFilter = globalFilter;
		this.states = states;
	}

	/**
	 * Return the servers that may have a tool, connected or not: all servers if the
	 * application names the tools.
	 */
	public Collection<String> serversOf(String name) {
		return this.states.now().serversOf(name);
	}

	/**
	 * Replace the servers and their tools. A new connection to a server has the tools of
	 * the previous one until it lists its own, and a tool keeps a name that a later
	 * server or prefix makes ambiguous.
	 * @param current returns the servers in the order of configuration; called again if
	 * another change was made first
	 * @param names the servers whose definitions or connections to update, or
	 * {@code null} for all
	 * @param listener as at {@link #update}
	 */
	public void follow(Supplier<List<ToolServer>> current, @Nullable Set<String> names,
			Consumer<List<McpToolsChangedEvent>> listener) {
		this.states.change((change) -> {
			Map<String, ServerTools> before = change.before().servers();
			List<ToolServer> all = current.get();
			List<ToolServer> same = (names != null) ? ofSamePrefix(names, before, all) : List.of();
			if (names != null && same.size() == names.size()) {
				same.forEach((server) -> change
					.put(serverTools(server, before.get(server.name()), change.before().naming())));
			}
			else {
				follow(all, names, change);
			}
		}, null, listener);
		Map<String, ServerTools> now = this.states.now().servers();
		((names != null) ? names.stream().map(now::get) : now.values().stream())
			.forEach((server) -> prepareLate(server, listener));
	}

	/**
	 * Update the tools that one server lists for a user, who has a separate catalog.
	 * @param all the tools that servers list for all users
	 */
	void follow(ToolServer server, CatalogServers all) {
		this.states.change((change) -> {
			ToolNaming naming = all.states.now().naming();
			change.name(naming);
			ServerTools known = change.before().of(server.connection());
			ServerListing listing = current(server, server.connection().tools());
			if (known == null || known.listing() != listing || !known.admission().isBy(naming)) {
				change.put(serverTools(server, known, naming).with(listing));
			}
		}, null, (changes) -> {
		});
		all.prepareLate(this.states.now().of(server.connection()), (changes) -> {
		});
	}

	private static List<ToolServer> ofSamePrefix(Set<String> names, Map<String, ServerTools> known,
			List<ToolServer> all) {
		return all.stream().filter((server) -> names.contains(server.name())).filter((server) -> {
			ServerTools before = known.get(server.name());
			return before != null && before.admission().hasPrefixOf(server.definition());
		}).toList();
	}

	private void follow(List<ToolServer> all, @Nullable Set<String> names, CatalogChange change) {
		Map<String, ServerTools> before = change.before().servers();
		Map<String, ToolServer> coming = new LinkedHashMap<>();
		for (ToolServer server : all) {
			ServerTools known = before.get(server.name());
			boolean other = names != null && !names.contains(server.name());
			coming.put(server.name(), (other && known != null) ? known.server() : server);
		}
		ToolNaming naming = change.before()
			.naming()
			.with(coming.values().stream().map(ToolServer::definition).toList());
		change.name(naming);
		before.keySet().stream().filter((name) -> !coming.containsKey(name)).forEach(change::remove);
		coming.values().forEach((server) -> change.put(serverTools(server, before.get(server.name()), naming)));
	}

	private ServerTools serverTools(ToolServer server, @Nullable ServerTools known, ToolNaming naming) {
		ToolAdmission admission = ToolAdmission.of(server.definition(), naming, this.settings.policy(),
				this.globalFilter);
		// an existing server keeps its names
		int place = (known != null && known.admission().hasPrefixOf(server.definition())) ? known.place()
				: this.places.getAndIncrement();
		return (known != null) ? known.with(server, admission, place)
				: ServerTools.empty(server, admission, this.settings.customizers(), place);
	}

	/**
	 * Let the application name the tools that a server lists, if it does, and let
	 * customizers prepare for them. Completes when {@link #update} need not wait for
	 * this.
	 * @param server the current definition of the server, and the connection that has
	 * listed the tools
	 * @param ofUser whether this is the connection of one user
	 * @param capabilities the capabilities of the server
	 * @param listener as at {@link #update}
	 */
	public Mono<Void> listed(ToolServer server, boolean ofUser, List<Tool> tools, Set<String> capabilities,
			Consumer<List<McpToolsChangedEvent>> listener) {
		Mono<Void> named = this.states.now().naming().ask(server.definition(), tools);
		if (this.settings.customizers().isEmpty()) {
			return named;
		}
		// the same tools are represented by the same list
		ServerListing same = (server.connection().kept().get() instanceof ServerListing last && last.isOf(tools)) ? last
				: null;
		ServerListing listing = new ServerListing(server, ofUser, (same != null) ? same.listed() : tools, capabilities,
				() -> applyAgain(server.scope(), listener));
		if (same != null && same.toolServer().isSame(server)) {
			listing.after(same);
		}
		return Mono.when(named, this.settings.customizers().prepare(listing)).then(asked(listing, listener));
	}

	private Mono<Void> asked(ServerListing listing, Consumer<List<McpToolsChangedEvent>> listener) {
		return Mono.defer(() -> this.settings.customizers().ask(listing, () -> ask(listing)))
			.then(Mono.fromRunnable(() -> use(listing, listener)));
	}

	// the definition was replaced, without a new listing of the connection
	private void prepareLate(@Nullable ServerTools server, Consumer<List<McpToolsChangedEvent>> listener) {
		if (server != null && server.listed() && !this.settings.customizers().isEmpty() && server.listing().claim()) {
			ServerListing fresh = server.listing().with(server.server(), server.listing().listed());
			this.settings.customizers().prepare(fresh).then(asked(fresh, listener)).subscribe();
		}
	}

	// the result is used with the tools later
	private void ask(ServerListing listing) {
		ToolServer server = listing.toolServer();
		ServerTools known = this.states.now().servers().get(server.name());
		if (known != null) {
			ServerTools.empty(server, known.admission(), known.customizers(), known.place()).with(listing);
		}
	}

	private void use(ServerListing listing, Consumer<List<McpToolsChangedEvent>> listener) {
		ToolConnection connection = listing.toolServer().connection();
		connection.kept().set(listing);
		// other tools are updated separately
		update(connection, listing.listed(), (known) -> known.listing().listed().equals(listing.listed()), listener);
	}

	/**
	 * Return the existing listing for which customizers have prepared, if it has these
	 * tools and this definition, or else a new one for which they have not.
	 */
	private static ServerListing current(ToolServer server, List<Tool> tools) {
		ServerListing kept = (server.connection().kept().get() instanceof ServerListing last) ? last
				: ServerListing.none(server);
		ServerListing current = !kept.isOf(tools) ? kept.with(server, tools)
				: !kept.toolServer().isSame(server) ? kept.of(server) : kept.isCurrent() ? kept : kept.renewed();
		server.connection().kept().set(current);
		return current;
	}

	private Mono<Void> applyAgain(ToolServer.Scope scope, Consumer<List<McpToolsChangedEvent>> listener) {
		return Mono.defer(() -> {
			String name = scope.server().name();
			scope.revision().incrementAndGet();
			ServerTools before = this.states.now().servers().get(name);
			if (before == null || before.server().scope() != scope) {
				return Mono.empty();
			}
			ServerListing renewed = before.listing().renewed();
			return this.settings.customizers()
				.ask(renewed, () -> ask(renewed))
				.then(Mono.fromRunnable(() -> this.states.change((change) -> {
					ServerTools known = change.before().servers().get(name);
					if (known != null && known.server().scope() == scope && !known.listing().isCurrent()) {
						change.put(known
							.with((known.listing() == before.listing()) ? renewed : known.listing().renewed()));
					}
				}, name, listener)));
		});
	}

	/**
	 * Return the comparison of the listed tools of a server with the approved ones, if
	 * definitions are pinned.
	 */
	public List<McpToolPin> pinsOf(String serverName) {
		ServerTools known = this.states.now().servers().get(serverName);
		McpToolPins pins = this.settings.customizers().pins();
		return (known != null && pins != null) ? pins.pins(known.listing()) : List.of();
	}

	/**
	 * Approve tools that a server currently lists, immediately.
	 * @param hashes the hash of each tool
	 * @throws IllegalArgumentException if a tool is not currently listed with this hash
	 */
	public Mono<Void> approve(String serverName, Map<String, String> hashes) {
		ServerTools known = this.states.now().servers().get(serverName);
		McpToolPins pins = this.settings.customizers().pins();
		Assert.isTrue(known != null && pins != null, () -> "tools.pinning of MCP server '" + serverName + "' is off");
		return Mono.fromFuture(pins.approve(known.listing(), hashes).toFuture(), true);
	}

	/**
	 * Replace the tools of one server, unless the connection was replaced or closed. The
	 * listener, which must not block, receives the changes of this and other servers in
	 * their order.
	 */
	public void update(ToolConnection connection, List<Tool> tools, Consumer<List<McpToolsChangedEvent>> listener) {
		update(connection, tools, (known) -> true, listener);
	}

	private void update(ToolConnection connection, List<Tool> tools, Predicate<ServerTools> condition,
			Consumer<List<McpToolsChangedEvent>> listener) {
		this.states.change((change) -> {
			ServerTools known = change.before().of(connection);
			if (known != null && condition.test(known)) {
				change.put(known.with(current(known.server(), tools)));
			}
		}, connection.name(), listener);
		prepareLate(this.states.now().of(connection), listener);
	}

	/**
	 * Remove the tools of one server that has not listed tools over this connection.
	 * @param listener as at {@link #update}
	 */
	public void withdraw(ToolConnection connection, Consumer<List<McpToolsChangedEvent>> listener) {
		this.states.change((change) -> {
			ServerTools known = change.before().of(connection);
			if (known != null && !known.tools().isEmpty()) {
				change.put(known.emptied());
			}
		}, connection.name(), listener);
	}

}
