package io.github.mcpclient.tool;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

import org.jspecify.annotations.Nullable;

/**
 * The changes of one server's tools, by prefixed name, as the application sees them.
 */
public record ToolChanges(String serverName, Set<String> added, Set<String> removed, Set<String> changed) {

	private ToolChanges(String serverName) {
		this(serverName, new HashSet<>(), new HashSet<>(), new HashSet<>());
	}

	/**
	 * Compare two listings. The server that caused the difference, if one did, comes
	 * after those that lost a name to it and before those that got one from it, so that a
	 * name is always removed before it is added.
	 */
	static List<ToolChanges> between(@Nullable String serverName, Listing before, Listing after) {
		Map<String, ToolChanges> losses = new TreeMap<>();
		Map<String, ToolChanges> gains = new TreeMap<>();
		List<ToolChanges> cause = new ArrayList<>();
		if (serverName != null) {
			ToolChanges own = new ToolChanges(serverName);
			losses.put(serverName, own);
			gains.put(serverName, own);
			cause.add(own);
		}
		after.entries().forEach((name, entry) -> {
			ToolEntry previous = before.entries().get(name);
			if (previous == null || !previous.serverName().equals(entry.serverName())) {
				of(gains, entry).added.add(name);
			}
			else if (previous != entry && !previous.tool().equals(entry.tool())) {
				of(gains, entry).changed.add(name);
			}
		});
		before.entries().forEach((name, entry) -> {
			ToolEntry next = after.entries().get(name);
			if (next == null || !next.serverName().equals(entry.serverName())) {
				of(losses, entry).removed.add(name);
			}
		});
		losses.values().removeAll(cause);
		gains.values().removeAll(cause);
		List<ToolChanges> changes = new ArrayList<>(losses.values());
		changes.addAll(cause);
		changes.addAll(gains.values());
		changes.removeIf((change) -> change.added.isEmpty() && change.removed.isEmpty() && change.changed.isEmpty());
		return changes;
	}

	private static ToolChanges of(Map<String, ToolChanges> changes, ToolEntry entry) {
		return changes.computeIfAbsent(entry.serverName(), ToolChanges::new);
	}

}
