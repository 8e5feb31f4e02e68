package io.github.mcpclient.tool;

import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import io.github.mcpclient.support.LogKeys;
import io.github.mcpclient.support.Printable;
import io.github.mcpclient.tool.ServerTools.Exclusion;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs which tools are left out, with a warning where the configuration does not ask for
 * it, in one line for each server and change.
 */
final class CatalogLog {

	private static final int MAX_NAMED = 10;

	private static final Logger logger = LoggerFactory.getLogger(CatalogLog.class);

	private final ToolFilter globalFilter;

	private final Set<String> missing = ConcurrentHashMap.newKeySet();

	private List<String> unmatched = List.of();

	CatalogLog(ToolFilter globalFilter) {
		this.globalFilter = globalFilter;
	}

	void changed(CatalogState before, CatalogState after) {
		after.servers().forEach((server, now) -> {
			List<Exclusion> excluded = after.exclusionsOf(server);
			if (now != before.servers().get(server) || !excluded.equals(before.exclusionsOf(server))) {
				warnOfExclusions(server, excluded, new HashSet<>(before.exclusionsOf(server)));
				warnOfNames(server, now, before.servers().get(server));
			}
		});
		warnOfPatterns(after);
	}

	private static void warnOfExclusions(String server, List<Exclusion> excluded, Set<Exclusion> known) {
		List<Exclusion> more = excluded.stream().filter((tool) -> !known.contains(tool)).toList();
		List<Exclusion> unexpected = more.stream().filter(Exclusion::unexpected).toList();
		if (!unexpected.isEmpty()) {
			logger.atWarn()
				.addKeyValue(LogKeys.SERVER, server)
				.log("Tools of MCP server '{}' are left out: {}", server, named(unexpected));
		}
		if (logger.isDebugEnabled() && more.size() > unexpected.size()) {
			logger.debug("Tools of MCP server '{}' are left out as configured: {}", server,
					named(more.stream().filter((tool) -> !tool.unexpected()).toList()));
		}
	}

	private static void warnOfNames(String server, ServerTools now, @Nullable ServerTools then) {
		Set<ToolEntry> known = (then != null) ? new HashSet<>(then.entries()) : Set.of();
		List<String> refused = now.entries()
			.stream()
			.filter((entry) -> !ToolNamer.isPortable(entry.name()) && !known.contains(entry))
			.map((entry) -> "'" + Printable.text(entry.name()) + "'")
			.toList();
		if (!refused.isEmpty()) {
			logger.atWarn()
				.addKeyValue(LogKeys.SERVER, server)
				.log("Tools of MCP server '{}' have names that model providers refuse, for being longer than {}"
						+ " characters or having others than [A-Za-z0-9_-]: {}", server, ToolNamer.MAX_LENGTH,
						named(refused));
		}
	}

	// whether a pattern matches no tool is known once all servers are
	private void warnOfPatterns(CatalogState after) {
		Collection<ServerTools> servers = after.servers().values();
		if (this.globalFilter.isEmpty()
				|| servers.stream().anyMatch((server) -> !server.listed() && server.server().definition().enabled())) {
			return;
		}
		List<String> current = this.globalFilter
			.unmatched(servers.stream().flatMap((server) -> server.offered().stream()).toList());
		if (!current.isEmpty() && !current.equals(this.unmatched)) {
			logger.warn("{} names tools that no MCP server offers: {}", this.globalFilter.source(), named(current));
		}
		this.unmatched = current;
	}

	void missing(String name, Supplier<RuntimeException> reason) {
		if (this.missing.add(name)) {
			logger.warn("A bean of the application injects an MCP tool that does not exist. {}",
					reason.get().getMessage());
		}
	}

	private static String named(List<?> items) {
		String text = items.stream().limit(MAX_NAMED).map(Object::toString).collect(Collectors.joining(", "));
		return (items.size() > MAX_NAMED) ? text + " and " + (items.size() - MAX_NAMED) + " more" : text;
	}

}
