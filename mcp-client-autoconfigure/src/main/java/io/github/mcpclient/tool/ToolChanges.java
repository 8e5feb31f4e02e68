package io.github.mcpclient.tool;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * What came and went of one server's tools, as the application sees them.
 *
 * @param serverName the name of the server
 * @param added the prefixed names of the tools that came
 * @param removed the prefixed names of the tools that went
 * @param changed the prefixed names of the tools that are defined differently
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
	 * @param serverName the server that caused the difference
	 * @param before the listing before
	 * @param after the listing after
	 * @return the changes of each server that has any: what others lost to the server,
	 * its own, and what others got from it
	 */
	static List<ToolChanges> between(String serverName, Listing before, Listing after) {
		Map<String, Set<String>> added = new TreeMap<>();
		Map<String, Set<String>> removed = new TreeMap<>();
		Set<String> changed = new HashSet<>();
		after.entries().forEach((name, entry) -> {
			ToolEntry previous = before.entries().get(name);
			if (previous == null || !previous.serverName().equals(entry.serverName())) {
				add(added, entry);
			}
			else if (previous != entry && !previous.tool().equals(entry.tool())) {
				changed.add(name);
			}
		});
		before.entries().forEach((name, entry) -> {
			ToolEntry next = after.entries().get(name);
			if (next == null || !next.serverName().equals(entry.serverName())) {
				add(removed, entry);
			}
		});
		Set<String> ownAdded = added.getOrDefault(serverName, Set.of());
		Set<String> ownRemoved = removed.getOrDefault(serverName, Set.of());
		added.remove(serverName);
		removed.remove(serverName);
		List<ToolChanges> changes = new ArrayList<>();
		removed.forEach((server, names) -> changes.add(new ToolChanges(server, Set.of(), names, Set.of())));
		if (!ownAdded.isEmpty() || !ownRemoved.isEmpty() || !changed.isEmpty()) {
			changes.add(new ToolChanges(serverName, ownAdded, ownRemoved, changed));
		}
		added.forEach((server, names) -> changes.add(new ToolChanges(server, names, Set.of(), Set.of())));
		return changes;
	}

	private static void add(Map<String, Set<String>> names, ToolEntry entry) {
		names.computeIfAbsent(entry.serverName(), (server) -> new HashSet<>()).add(entry.name());
	}

}
