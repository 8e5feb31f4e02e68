package io.github.mcpclient.internal.tool;

import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

import io.github.mcpclient.definition.McpServerDefinition.Tools;
import io.github.mcpclient.internal.naming.ToolFilter;
import io.github.mcpclient.internal.naming.ToolNames;
import io.github.mcpclient.internal.support.LogKeys;
import io.github.mcpclient.internal.support.Printable;
import io.github.mcpclient.internal.support.PropertyNames;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Logs which tools are excluded, with a warning if the configuration does not request it,
 * in one line for each server and change.
 */
final class CatalogLog {

	private static final int MAX_NAMED = 10;

	private static final Logger logger = LoggerFactory.getLogger(CatalogLog.class);

	private final ToolFilter globalFilter;

	private final Set<String> missing = ConcurrentHashMap.newKeySet();

	// the servers that offer a tool of a pattern without wildcards
	private final Map<String, Set<String>> matching = new LinkedHashMap<>();

	// the enabled servers that have not listed their tools
	private final Set<String> unlisted = new HashSet<>();

	private List<String> unmatched = List.of();

	// the settings of servers whose rules were checked
	private final Map<String, Tools> ruled = new HashMap<>();

	CatalogLog(ToolFilter globalFilter) {
		this.globalFilter = globalFilter;
		globalFilter.unmatched(List.of()).forEach((pattern) -> this.matching.put(pattern, new HashSet<>()));
	}

	void changed(CatalogChange change, CatalogState after) {
		CatalogState before = change.before();
		Set<String> affected = new TreeSet<>(change.changedServers());
		// a server that still does not get a name has another reason now
		change.changedNames()
			.stream()
			.filter((name) -> isAnothers(name, before, after))
			.flatMap((name) -> after.waitingFor(name).values().stream())
			.map(ToolEntry::serverName)
			.forEach(affected::add);
		affected.forEach((server) -> {
			ServerTools now = after.servers().get(server);
			if (now != null) {
				warnOfExclusions(server, after.exclusionsOf(server), new HashSet<>(before.exclusionsOf(server)));
				warnOfNames(server, now, before.servers().get(server));
				warnOfRules(now);
			}
			else {
				this.ruled.remove(server);
			}
		});
		if (!this.globalFilter.isEmpty()) {
			change.changedServers().forEach((server) -> learn(server, after.servers().get(server)));
			warnOfPatterns();
		}
	}

	private static boolean isAnothers(String name, CatalogState before, CatalogState after) {
		ToolEntry previous = before.entries().get(name);
		ToolEntry entry = after.entries().get(name);
		return previous == null || entry == null || !previous.isSameTool(entry);
	}

	private static void warnOfExclusions(String server, List<Exclusion> excluded, Set<Exclusion> known) {
		List<Exclusion> more = excluded.stream().filter((tool) -> !known.contains(tool)).toList();
		List<Exclusion> unexpected = more.stream().filter(Exclusion::unexpected).toList();
		if (!unexpected.isEmpty()) {
			LogKeys.line(logger, Level.WARN, server)
				.log("Tools of MCP server '{}' are excluded: {}", server, named(unexpected));
		}
		if (logger.isDebugEnabled() && more.size() > unexpected.size()) {
			logger.debug("Tools of MCP server '{}' are excluded as configured: {}", server,
					named(more.stream().filter((tool) -> !tool.unexpected()).toList()));
		}
	}

	private static void warnOfNames(String server, ServerTools now, @Nullable ServerTools then) {
		if (then != null && then.entries() == now.entries()) {
			return;
		}
		Set<ToolEntry> known = (then != null) ? new HashSet<>(then.entries()) : Set.of();
		List<String> refused = now.entries()
			.stream()
			.filter((entry) -> !entry.names().isPortable() && !known.contains(entry))
			.map((entry) -> "'" + Printable.text(entry.name()) + "'")
			.toList();
		if (!refused.isEmpty()) {
			LogKeys.line(logger, Level.WARN, server)
				.log("Tools of MCP server '{}' have names that model providers reject, since they exceed {}"
						+ " characters or contain others than [A-Za-z0-9_-]: {}", server, ToolNames.MAX_LENGTH,
						named(refused));
		}
	}

	// once for a definition, when its server has listed its tools
	private void warnOfRules(ServerTools now) {
		Tools settings = now.server().definition().tools();
		if (settings.rules().isEmpty() || !now.listed() || this.ruled.get(now.name()) == settings) {
			return;
		}
		this.ruled.put(now.name(), settings);
		List<String> unmatched = settings.rules()
			.stream()
			.flatMap((rule) -> ToolFilter.of("tools.rules", rule.tools()).without(now.offered()).stream())
			.distinct()
			.toList();
		if (!unmatched.isEmpty()) {
			LogKeys.line(logger, Level.WARN, now.name())
				.log("{} names tools that the server does not offer: {}",
						PropertyNames.ofServer(now.name(), "tools.rules"), named(unmatched));
		}
	}

	private void learn(String server, @Nullable ServerTools now) {
		List<String> unmatched = this.globalFilter.unmatched((now != null) ? now.offered() : List.of());
		this.matching.forEach((pattern, servers) -> set(servers, server, !unmatched.contains(pattern)));
		set(this.unlisted, server, now != null && !now.listed() && now.server().definition().enabled());
	}

	private static void set(Set<String> servers, String server, boolean member) {
		if (member) {
			servers.add(server);
		}
		else {
			servers.remove(server);
		}
	}

	// it is only known that a pattern matches no tool once all servers are known
	private void warnOfPatterns() {
		if (!this.unlisted.isEmpty()) {
			return;
		}
		List<String> current = this.matching.entrySet()
			.stream()
			.filter((pattern) -> pattern.getValue().isEmpty())
			.map(Map.Entry::getKey)
			.toList();
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
		return Printable.first(MAX_NAMED, items, Object::toString);
	}

}
