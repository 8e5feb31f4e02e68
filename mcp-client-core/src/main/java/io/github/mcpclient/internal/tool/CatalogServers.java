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
 * Follows which servers there are and what each lists, with the names of their tools, in
 * the states of a catalog. Safe for use by many threads.
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
	 * Return the servers that may have a tool, connected or not: all where the
	 * application names the tools.
	 */
	public Collection<String> serversOf(String name) {
		return this.states.now().serversOf(name);
	}

	/**
	 * Replace the servers, and with them their tools. A new connection to a server has
	 * the tools of the previous one until it lists its own, and a tool keeps a name that
	 * a later server or prefix makes ambiguous.
	 * @param current gives the servers in the order of configuration, again where another
	 * change comes in between
	 * @param names the servers to follow to other definitions or connections, or
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
	 * Follow to what one server lists for a user, who has a catalog of the own.
	 * @param all what servers list for all
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
		// one that was there keeps its names
		int place = (known != null && known.admission().hasPrefixOf(server.definition())) ? known.place()
				: this.places.getAndIncrement();
		return (known != null) ? known.with(server, admission, place)
				: ServerTools.empty(server, admission, this.settings.customizers(), place);
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
			Consumer<List<McpToolsChangedEvent>> listener) {
		Mono<Void> named = this.states.now().naming().ask(server.definition(), tools);
		if (this.settings.customizers().isEmpty()) {
			return named;
		}
		// the same tools are the same list
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

	// the definition was replaced, and the connection lists nothing now
	private void prepareLate(@Nullable ServerTools server, Consumer<List<McpToolsChangedEvent>> listener) {
		if (server != null && server.listed() && !this.settings.customizers().isEmpty() && server.listing().claim()) {
			ServerListing fresh = server.listing().with(server.server(), server.listing().listed());
			this.settings.customizers().prepare(fresh).then(asked(fresh, listener)).subscribe();
		}
	}

	// what comes of it is known when the tools are to be used
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
		// other tools come with an update of their own
		update(connection, listing.listed(), (known) -> known.listing().listed().equals(listing.listed()), listener);
	}

	/**
	 * Return a listing for which customizers have prepared, if it is that of these tools
	 * by this definition, and otherwise one for which they have not.
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
	 * Return what is known of the definitions of the tools that a server lists, where
	 * they are pinned.
	 */
	public List<McpToolPin> pinsOf(String serverName) {
		ServerTools known = this.states.now().servers().get(serverName);
		McpToolPins pins = this.settings.customizers().pins();
		return (known != null && pins != null) ? pins.pins(known.listing()) : List.of();
	}

	/**
	 * Approve tools that a server lists now, at once.
	 * @param hashes the hash of each tool
	 * @throws IllegalArgumentException if a tool is not listed with this hash now
	 */
	public Mono<Void> approve(String serverName, Map<String, String> hashes) {
		ServerTools known = this.states.now().servers().get(serverName);
		McpToolPins pins = this.settings.customizers().pins();
		Assert.isTrue(known != null && pins != null, () -> "tools.pinning of MCP server '" + serverName + "' is off");
		return Mono.fromFuture(pins.approve(known.listing(), hashes).toFuture(), true);
	}

	/**
	 * Replace the tools of one server, unless the connection was replaced or has gone.
	 * The listener, which must not block, receives the changes of this and other servers
	 * in their order.
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
	 * Remove the tools of one server, which has listed none over this connection.
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
