package io.github.mcpclient.internal.tool;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

import io.github.mcpclient.McpTool;
import io.github.mcpclient.event.McpToolsChangedEvent;
import io.github.mcpclient.internal.naming.ToolNaming;
import org.jspecify.annotations.Nullable;
import org.pcollections.PMap;
import org.pcollections.PSortedMap;
import org.pcollections.TreePMap;

/**
 * A change of a catalog, whose cost depends on the tools of the changed servers,
 * independent of the number of other servers. Not thread-safe.
 */
final class CatalogChange {

	private final CatalogState before;

	private ToolNaming naming;

	private PMap<String, ServerTools> servers;

	private PMap<String, ToolEntry> entries;

	private PMap<String, PSortedMap<Integer, ToolEntry>> waiting;

	private final Set<String> changedServers = new HashSet<>();

	private final Set<String> changedNames = new HashSet<>();

	CatalogChange(CatalogState before) {
		this.before = before;
		this.naming = before.naming();
		this.servers = before.servers();
		this.entries = before.entries();
		this.waiting = before.waiting();
	}

	CatalogState before() {
		return this.before;
	}

	/**
	 * Use the given naming from now on.
	 */
	void name(ToolNaming naming) {
		this.naming = naming;
	}

	/**
	 * Return the servers that were added, removed or replaced.
	 */
	Set<String> changedServers() {
		return this.changedServers;
	}

	/**
	 * Return the names that changed or were removed.
	 */
	Set<String> changedNames() {
		return this.changedNames;
	}

	/**
	 * Add a server, or replace its tools.
	 */
	void put(ServerTools server) {
		ServerTools known = this.servers.get(server.name());
		if (known != null && known.place() != server.place()) {
			remove(server.name());
			known = null;
		}
		this.changedServers.add(server.name());
		this.servers = this.servers.plus(server.name(), server);
		replace(entries(known), server.entries(), server.place());
	}

	void remove(String serverName) {
		ServerTools known = this.servers.get(serverName);
		if (known != null) {
			this.changedServers.add(serverName);
			this.servers = this.servers.minus(serverName);
			replace(known.entries(), List.of(), known.place());
		}
	}

	private static List<ToolEntry> entries(@Nullable ServerTools server) {
		return (server != null) ? server.entries() : List.of();
	}

	private void replace(List<ToolEntry> known, List<ToolEntry> entries, int place) {
		if (known != entries) {
			Set<String> names = entries.stream().map(ToolEntry::name).collect(Collectors.toSet());
			known.stream().filter((entry) -> !names.contains(entry.name())).forEach((entry) -> giveUp(entry, place));
			entries.forEach((entry) -> claim(entry, place));
		}
	}

	private void giveUp(ToolEntry entry, int place) {
		String name = entry.name();
		PSortedMap<Integer, ToolEntry> others = waitingFor(name);
		if (this.entries.get(name) != entry) {
			await(name, others.minus(place));
		}
		else if (others.isEmpty()) {
			this.entries = this.entries.minus(name);
			this.changedNames.add(name);
		}
		else {
			lead(name, others.firstEntry().getValue());
			await(name, others.minusFirstEntry());
		}
	}

	private void claim(ToolEntry entry, int place) {
		String name = entry.name();
		ToolEntry first = this.entries.get(name);
		int holder = (first != null) ? placeOf(first) : place;
		if (holder < place) {
			await(name, waitingFor(name).plus(place, entry));
			return;
		}
		if (first != null && holder > place) {
			await(name, waitingFor(name).plus(holder, first));
		}
		if (first != entry) {
			lead(name, entry);
		}
	}

	private int placeOf(ToolEntry entry) {
		return Objects.requireNonNull(this.servers.get(entry.serverName())).place();
	}

	private void lead(String name, ToolEntry entry) {
		this.entries = this.entries.plus(name, entry);
		this.changedNames.add(name);
	}

	private PSortedMap<Integer, ToolEntry> waitingFor(String name) {
		return this.waiting.getOrDefault(name, TreePMap.empty());
	}

	private void await(String name, PSortedMap<Integer, ToolEntry> others) {
		this.waiting = others.isEmpty() ? this.waiting.minus(name) : this.waiting.plus(name, others);
	}

	/**
	 * Return the state after the change.
	 * @param handles returns the tool of an entry
	 */
	CatalogState apply(Function<ToolEntry, McpTool> handles) {
		PSortedMap<String, McpTool> tools = this.before.tools();
		for (String name : this.changedNames) {
			ToolEntry entry = this.entries.get(name);
			tools = (entry != null) ? tools.plus(name, handles.apply(entry)) : tools.minus(name);
		}
		Listing listing = this.changedNames.isEmpty() ? this.before.listing() : Listing.of(this.entries, tools);
		return new CatalogState(this.servers, this.entries, tools, this.waiting, listing, this.naming);
	}

	/**
	 * Return the resulting changes. The server that caused it, if any, comes after the
	 * servers that lost a name to it and before the servers that got a name from it, so
	 * that a name is always removed before it is added.
	 */
	List<McpToolsChangedEvent> changes(CatalogState after, @Nullable String serverName) {
		Map<String, ToolChanges> losses = new TreeMap<>();
		Map<String, ToolChanges> gains = new TreeMap<>();
		List<ToolChanges> cause = new ArrayList<>();
		if (serverName != null) {
			ToolChanges own = new ToolChanges(serverName);
			losses.put(serverName, own);
			gains.put(serverName, own);
			cause.add(own);
		}
		this.changedNames.forEach((name) -> {
			ToolEntry previous = this.before.entries().get(name);
			ToolEntry entry = after.entries().get(name);
			if (previous != null && entry != null && previous.serverName().equals(entry.serverName())) {
				if (!previous.shown().equals(entry.shown())) {
					changes(gains, entry).changed().add(name);
				}
				return;
			}
			if (previous != null) {
				changes(losses, previous).removed().add(name);
			}
			if (entry != null) {
				changes(gains, entry).added().add(name);
			}
		});
		losses.values().removeAll(cause);
		gains.values().removeAll(cause);
		List<ToolChanges> changes = new ArrayList<>(losses.values());
		changes.addAll(cause);
		changes.addAll(gains.values());
		changes.removeIf((one) -> one.added().isEmpty() && one.removed().isEmpty() && one.changed().isEmpty());
		return changes.stream()
			.map((one) -> new McpToolsChangedEvent(one.serverName(), one.added(), one.removed(), one.changed()))
			.toList();
	}

	private static ToolChanges changes(Map<String, ToolChanges> changes, ToolEntry entry) {
		return changes.computeIfAbsent(entry.serverName(), ToolChanges::new);
	}

	// the changes of one server
	record ToolChanges(String serverName, Set<String> added, Set<String> removed, Set<String> changed) {

		ToolChanges(String serverName) {
			this(serverName, new HashSet<>(), new HashSet<>(), new HashSet<>());
		}

	}

}
