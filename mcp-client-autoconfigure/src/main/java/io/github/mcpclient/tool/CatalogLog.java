package io.github.mcpclient.tool;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

import io.github.mcpclient.support.Printable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Warns of tools that are left out although the configuration does not ask for it, once
 * for each change, in one line for each server. Not safe for use by many threads.
 */
final class CatalogLog {

	private static final int MAX_NAMED = 10;

	private static final Logger logger = LoggerFactory.getLogger(CatalogLog.class);

	private final ToolFilter globalFilter;

	private List<String> unmatched = List.of();

	CatalogLog(ToolFilter globalFilter) {
		this.globalFilter = globalFilter;
	}

	void changed(Snapshot before, Snapshot after) {
		for (String server : after.servers().keySet()) {
			Set<LeftOut> known = new HashSet<>(before.leftOutOf(server));
			List<LeftOut> left = after.leftOutOf(server).stream().filter((tool) -> !known.contains(tool)).toList();
			List<LeftOut> unexpected = left.stream().filter(LeftOut::unexpected).toList();
			if (!unexpected.isEmpty()) {
				logger.warn("Tools of MCP server '{}' are left out: {}", server, named(unexpected));
			}
			if (logger.isDebugEnabled() && left.size() > unexpected.size()) {
				logger.debug("Tools of MCP server '{}' are left out as configured: {}", server,
						named(left.stream().filter((tool) -> !tool.unexpected()).toList()));
			}
			warnOfNames(server, before, after);
		}
		warnOfPatterns(after);
	}

	private void warnOfNames(String server, Snapshot before, Snapshot after) {
		ServerTools now = after.servers().get(server);
		ServerTools then = before.servers().get(server);
		if (now == null || now == then) {
			return;
		}
		Set<ToolEntry> known = (then != null) ? new HashSet<>(then.entries()) : Set.of();
		List<String> refused = new ArrayList<>();
		for (ToolEntry entry : now.entries()) {
			if (!ToolNaming.isPortable(entry.name()) && !known.contains(entry)) {
				refused.add("'" + Printable.text(entry.name()) + "'");
			}
		}
		if (!refused.isEmpty()) {
			logger.warn(
					"Tools of MCP server '{}' have names that model providers refuse, for being longer than {}"
							+ " characters or having others than [A-Za-z0-9_-]: {}",
					server, ToolNaming.MAX_LENGTH, named(refused));
		}
	}

	/**
	 * Whether a pattern matches no tool is known once all servers are.
	 */
	private void warnOfPatterns(Snapshot after) {
		Collection<ServerTools> servers = after.servers().values();
		if (servers.stream().anyMatch((server) -> !server.listed() && server.connection().definition().enabled())) {
			return;
		}
		List<String> current = this.globalFilter
			.unmatched(servers.stream().flatMap((server) -> server.offered().stream()).toList());
		if (!current.isEmpty() && !current.equals(this.unmatched)) {
			logger.warn("{} names tools that no MCP server offers: {}", this.globalFilter.source(), named(current));
		}
		this.unmatched = current;
	}

	private static String named(List<?> items) {
		String text = items.stream().limit(MAX_NAMED).map(Object::toString).collect(Collectors.joining(", "));
		return (items.size() > MAX_NAMED) ? text + " and " + (items.size() - MAX_NAMED) + " more" : text;
	}

}
