package io.github.mcpclient.internal.naming;

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
 * The prefixes of the names of tools: the names of all tools of a server begin with the
 * configured prefix and an underscore, {@code a_} for server {@code a}. Prefixes can be
 * ambiguous: the name of tool {@code b_x} of that server would also begin with the prefix
 * of server {@code a_b}.
 */
final class ToolNamePrefixes {

	private static final int MAX_REMOVED = 100;

	private final Set<String> prefixes = new HashSet<>();

	private final Map<String, List<String>> servers = new HashMap<>();

	// the latest removed servers, by the prefixes of their tools
	private final Map<String, String> removed = new LinkedHashMap<>();

	private int longest;

	/**
	 * Collect the prefixes of the servers.
	 * @param before the previous prefixes, or {@code null}
	 */
	ToolNamePrefixes(Collection<McpServerDefinition> servers, @Nullable ToolNamePrefixes before) {
		servers.forEach((server) -> {
			String prefix = ToolNamer.prefix(server);
			this.prefixes.add(prefix);
			add(prefix, server.name());
			if (prefix.length() > ToolNamer.MAX_BEFORE_HASH) {
				// the prefix of a name with a hash, which is truncated within the prefix
				add(prefix.substring(0, ToolNamer.MAX_BEFORE_HASH) + '_', server.name());
			}
		});
		if (before != null) {
			addRemoved(before, servers.stream().map(McpServerDefinition::name).collect(Collectors.toSet()));
		}
	}

	private void addRemoved(ToolNamePrefixes before, Set<String> present) {
		this.removed.putAll(before.removed);
		before.servers.forEach((prefix, names) -> names.stream()
			.filter((name) -> !present.contains(name))
			.forEach((name) -> this.removed.put(prefix, name)));
		this.removed.keySet().removeIf((prefix) -> prefix.isEmpty() || this.servers.containsKey(prefix));
		Iterator<String> oldest = this.removed.keySet().iterator();
		for (int surplus = this.removed.size() - MAX_REMOVED; surplus > 0; surplus--) {
			oldest.next();
			oldest.remove();
		}
	}

	/**
	 * Return the removed server that had a tool, unless an existing server may have it;
	 * {@code null} if none is known.
	 */
	@Nullable String removedServerOf(String name) {
		String prefix = prefixOf(name);
		return this.removed.entrySet()
			.stream()
			.filter((entry) -> entry.getKey().length() > prefix.length() && name.startsWith(entry.getKey()))
			.max(Comparator.comparingInt((entry) -> entry.getKey().length()))
			.map(Map.Entry::getValue)
			.orElse(null);
	}

	private void add(String prefix, String server) {
		this.servers.computeIfAbsent(prefix, (absent) -> new ArrayList<>()).add(server);
		this.longest = Math.max(this.longest, prefix.length());
	}

	/**
	 * Return the servers with the longest prefix of a name, or else the servers without a
	 * prefix.
	 */
	List<String> serversOf(String name) {
		return this.servers.getOrDefault(prefixOf(name), List.of());
	}

	private String prefixOf(String name) {
		for (int end = name.lastIndexOf('_', this.longest - 1); end != -1; end = name.lastIndexOf('_', end - 1)) {
			String prefix = name.substring(0, end + 1);
			if (this.servers.containsKey(prefix)) {
				return prefix;
			}
		}
		return "";
	}

	boolean isOfOther(String text, String ownPrefix) {
		return end(text, ownPrefix, 0) != -1;
	}

	/**
	 * Change a name so that it does not begin with a longer prefix than its own.
	 */
	String disambiguate(String name, String ownPrefix) {
		StringBuilder result = new StringBuilder(name);
		int from = Math.min(ownPrefix.length(), ToolNamer.MAX_BEFORE_HASH);
		for (int end = end(name, ownPrefix, from); end != -1; end = end(result.toString(), ownPrefix, from)) {
			result.setCharAt(end, '-');
		}
		return result.toString();
	}

	// return the end of the shortest of the other prefixes of a text, or -1
	private int end(String text, String ownPrefix, int from) {
		// one lookup for each possible end, since there may be thousands of servers
		for (int end = text.indexOf('_', from); end != -1; end = text.indexOf('_', end + 1)) {
			String prefix = text.substring(0, end + 1);
			if (this.prefixes.contains(prefix) && !prefix.equals(ownPrefix)) {
				return end;
			}
		}
		return -1;
	}

}
