package io.github.mcpclient.tool;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

import org.jspecify.annotations.Nullable;

/**
 * What came and went of one server's tools, as the application sees them.
 *
 * @param serverName the name of the server
 * @param added the prefixed names of the tools that came
 * @param removed those that went
 * @param changed those that are defined differently
 */
public record ToolChanges(String serverName, Set<String> added, Set<String> removed, Set<String> changed) {

	public ToolChanges {
		added = Set.copyOf(added);
		removed = Set.copyOf(removed);
		changed = Set.copyOf(changed);
	}

	/**
	 * Compare two listings. A name may go from one server to another: who follows the
	 * changes in their order sees it go before it comes.
	 * @param serverName the server that caused the difference, or {@code null} where
	 * servers came or went
	 * @return the changes of each server that has any: what others lost to the server,
	 * its own, and what others got from it
	 */
	static List<ToolChanges> between(@Nullable String serverName, Listing before, Listing after) {
		Map<String, Set<String>> added = new TreeMap<>();
		Map<String, Set<String>> removed = new TreeMap<>();
		Map<String, Set<String>> changed = new TreeMap<>();
		after.entries().forEach((name, entry) -> {
			ToolEntry previous = before.entries().get(name);
			if (previous == null || (previous != entry && !previous.serverName().equals(entry.serverName()))) {
				add(added, entry);
			}
			else if (previous != entry && !previous.tool().equals(entry.tool())) {
				add(changed, entry);
			}
		});
		before.entries().forEach((name, entry) -> {
			ToolEntry next = after.entries().get(name);
			if (next == null || (next != entry && !next.serverName().equals(entry.serverName()))) {
				add(removed, entry);
			}
		});
		List<ToolChanges> changes = new ArrayList<>();
		if (serverName != null) {
			changes.add(new ToolChanges(serverName, take(added, serverName), take(removed, serverName),
					take(changed, serverName)));
		}
		int losses = 0;
		for (String server : removed.keySet()) {
			changes.add(losses++, new ToolChanges(server, Set.of(), removed.get(server), Set.of()));
		}
		Set<String> gainers = new TreeSet<>(added.keySet());
		gainers.addAll(changed.keySet());
		gainers.forEach(
				(server) -> changes.add(new ToolChanges(server, take(added, server), Set.of(), take(changed, server))));
		changes.removeIf(ToolChanges::isEmpty);
		return changes;
	}

	private boolean isEmpty() {
		return this.added.isEmpty() && this.removed.isEmpty() && this.changed.isEmpty();
	}

	private static Set<String> take(Map<String, Set<String>> names, String server) {
		Set<String> taken = names.remove(server);
		return (taken != null) ? taken : Set.of();
	}

	private static void add(Map<String, Set<String>> names, ToolEntry entry) {
		names.computeIfAbsent(entry.serverName(), (server) -> new HashSet<>()).add(entry.name());
	}

}
