package io.github.mcpclient.tool;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.github.mcpclient.McpServerDefinition;

/**
 * What the names of each server's tools begin with: {@code a_} for server {@code a},
 * whose tool {@code b_x} would also begin with the head of server {@code a_b}.
 */
final class ServerHeads {

	private final Set<String> heads = new HashSet<>();

	private final Map<String, List<String>> servers = new HashMap<>();

	private int longest;

	ServerHeads(Collection<McpServerDefinition> servers) {
		servers.forEach((server) -> {
			String head = ToolNamer.head(server);
			this.heads.add(head);
			add(head, server.name());
			if (head.length() > ToolNamer.MAX_HEAD) {
				// of a name with a hash, which is cut within the head
				add(head.substring(0, ToolNamer.MAX_HEAD) + '_', server.name());
			}
		});
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
		for (int end = name.lastIndexOf('_', this.longest - 1); end != -1; end = name.lastIndexOf('_', end - 1)) {
			List<String> found = this.servers.get(name.substring(0, end + 1));
			if (found != null) {
				return found;
			}
		}
		return this.servers.getOrDefault("", List.of());
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
