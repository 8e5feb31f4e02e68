package io.github.mcpclient.internal.tool;

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
	 * Return what a change came to. The server that caused it, if one did, comes after
	 * those that lost a name to it and before those that got one from it, so that a name
	 * is always removed before it is added.
	 */
	static List<ToolChanges> of(CatalogChange change, CatalogState after, @Nullable String serverName) {
		Map<String, ToolChanges> losses = new TreeMap<>();
		Map<String, ToolChanges> gains = new TreeMap<>();
		List<ToolChanges> cause = new ArrayList<>();
		if (serverName != null) {
			ToolChanges own = new ToolChanges(serverName);
			losses.put(serverName, own);
			gains.put(serverName, own);
			cause.add(own);
		}
		change.changedNames().forEach((name) -> {
			ToolEntry previous = change.before().entries().get(name);
			ToolEntry entry = after.entries().get(name);
			if (previous != null && entry != null && previous.serverName().equals(entry.serverName())) {
				if (!previous.shown().equals(entry.shown())) {
					of(gains, entry).changed.add(name);
				}
				return;
			}
			if (previous != null) {
				of(losses, previous).removed.add(name);
			}
			if (entry != null) {
				of(gains, entry).added.add(name);
			}
		});
		losses.values().removeAll(cause);
		gains.values().removeAll(cause);
		List<ToolChanges> changes = new ArrayList<>(losses.values());
		changes.addAll(cause);
		changes.addAll(gains.values());
		changes.removeIf((one) -> one.added.isEmpty() && one.removed.isEmpty() && one.changed.isEmpty());
		return changes;
	}

	private static ToolChanges of(Map<String, ToolChanges> changes, ToolEntry entry) {
		return changes.computeIfAbsent(entry.serverName(), ToolChanges::new);
	}

}
