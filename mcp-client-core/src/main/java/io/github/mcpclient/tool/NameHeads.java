package io.github.mcpclient.tool;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

import io.github.mcpclient.definition.McpServerDefinition;
import org.jspecify.annotations.Nullable;

/**
 * The heads of names. A head is what the names of all tools of a server begin with: its
 * prefix and an underscore, {@code a_} for server {@code a}. They can be taken for each
 * other: with tool {@code b_x} of that server, whose name would also begin with the head
 * of server {@code a_b}.
 */
final class NameHeads {

	private static final int MAX_REMOVED = 100;

	private final Set<String> heads = new HashSet<>();

	private final Map<String, List<String>> servers = new HashMap<>();

	// the latest ones, by what the names of their tools began with
	private final Map<String, String> removed = new LinkedHashMap<>();

	private int longest;

	/**
	 * Collect the heads of the servers.
	 * @param before those of the servers before, or {@code null}
	 */
	NameHeads(Collection<McpServerDefinition> servers, @Nullable NameHeads before) {
		servers.forEach((server) -> {
			String head = ToolNamer.head(server);
			this.heads.add(head);
			add(head, server.name());
			if (head.length() > ToolNamer.MAX_HEAD) {
				// of a name with a hash, which is cut within the head
				add(head.substring(0, ToolNamer.MAX_HEAD) + '_', server.name());
			}
		});
		if (before != null) {
			addRemoved(before, servers.stream().map(McpServerDefinition::name).collect(Collectors.toSet()));
		}
	}

	private void addRemoved(NameHeads before, Set<String> present) {
		this.removed.putAll(before.removed);
		before.servers.forEach((head, names) -> names.stream()
			.filter((name) -> !present.contains(name))
			.forEach((name) -> this.removed.put(head, name)));
		this.removed.keySet().removeIf((head) -> head.isEmpty() || this.servers.containsKey(head));
		Iterator<String> oldest = this.removed.keySet().iterator();
		for (int surplus = this.removed.size() - MAX_REMOVED; surplus > 0; surplus--) {
			oldest.next();
			oldest.remove();
		}
	}

	/**
	 * Return the server that had a tool and was removed, unless one that is there may
	 * have it; {@code null} if none is known.
	 */
	@Nullable String removedServerOf(String name) {
		String head = headOf(name);
		return this.removed.entrySet()
			.stream()
			.filter((entry) -> entry.getKey().length() > head.length() && name.startsWith(entry.getKey()))
			.max(Comparator.comparingInt((entry) -> entry.getKey().length()))
			.map(Map.Entry::getValue)
			.orElse(null);
	}

	private void add(String head, String server) {
		this.servers.computeIfAbsent(head, (absent) -> new ArrayList<>()).add(server);
		this.longest = Math.max(this.longest, head.length());
	}

	/**
	 * Return the servers with the longest head that a name begins with, or else those
	 * without a head.
	 */
	List<String> serversOf(String name) {
		return this.servers.getOrDefault(headOf(name), List.of());
	}

	private String headOf(String name) {
		for (int end = name.lastIndexOf('_', this.longest - 1); end != -1; end = name.lastIndexOf('_', end - 1)) {
			String head = name.substring(0, end + 1);
			if (this.servers.containsKey(head)) {
				return head;
			}
		}
		return "";
	}

	boolean isOfOther(String text, String ownHead) {
		return end(text, ownHead, 0) != -1;
	}

	/**
	 * Change a name so that it does not begin with a longer head than its own.
	 */
	String disambiguate(String name, String ownHead) {
		StringBuilder result = new StringBuilder(name);
		int from = Math.min(ownHead.length(), ToolNamer.MAX_HEAD);
		for (int end = end(name, ownHead, from); end != -1; end = end(result.toString(), ownHead, from)) {
			result.setCharAt(end, '-');
		}
		return result.toString();
	}

	// return where the shortest of the other heads that a text begins with ends, or -1
	private int end(String text, String ownHead, int from) {
		// a look-up for each possible end, since there may be thousands of servers
		for (int end = text.indexOf('_', from); end != -1; end = text.indexOf('_', end + 1)) {
			String head = text.substring(0, end + 1);
			if (this.heads.contains(head) && !head.equals(ownHead)) {
				return end;
			}
		}
		return -1;
	}

}
