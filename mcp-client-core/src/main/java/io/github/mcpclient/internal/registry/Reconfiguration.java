package io.github.mcpclient.internal.registry;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Stream;

import io.github.mcpclient.definition.InvalidMcpConfigurationException;
import io.github.mcpclient.definition.InvalidMcpConfigurationException.Problem;
import io.github.mcpclient.internal.validation.McpServerDefinitions.DefinedServer;
import io.github.mcpclient.management.McpReload;
import io.github.mcpclient.management.McpServerOrigin.Kind;
import org.jspecify.annotations.Nullable;

/**
 * What another configuration changes. Its servers are compared with those of the one
 * before, rather than with what code has made of them since: what only one of both has
 * changed stays, and where both have, code has the last word.
 *
 * @param before the configured servers before, by name
 * @param present all servers that there are, by name
 * @param next the configured servers, by name
 */
record Reconfiguration(Map<String, DefinedServer> before, Map<String, ManagedServer> present,
		Map<String, DefinedServer> next, List<ServerChange> changes) {

	/**
	 * Plan the changes.
	 * @param configured all servers of the configuration
	 * @throws InvalidMcpConfigurationException if a server can never be connected that
	 * could before
	 */
	static Reconfiguration plan(Map<String, DefinedServer> before, Map<String, ManagedServer> present,
			List<DefinedServer> configured, DefaultMcpServerRegistry registry) {
		Map<String, DefinedServer> next = byName(configured.stream());
		List<DefinedServer> different = next.values()
			.stream()
			.filter((server) -> !isSame(before.get(server.name()), server))
			.toList();
		List<Problem> mistakes = different.stream()
			.filter(DefinedServer::isFailed)
			.flatMap((server) -> server.problems().stream())
			.toList();
		if (!mistakes.isEmpty()) {
			throw new InvalidMcpConfigurationException(mistakes);
		}
		// what is removed gives way first
		List<ServerChange> changes = new ArrayList<>();
		before.keySet()
			.stream()
			.filter((name) -> !next.containsKey(name))
			.map(present::get)
			.filter((server) -> server != null && server.isAsConfigured())
			.forEach((server) -> changes.add(ServerChange.remove(server)));
		try {
			for (DefinedServer server : different) {
				ManagedServer known = present.get(server.name());
				if (known == null) {
					changes.add(ServerChange.add(new ManagedServer(server, registry)));
				}
				else if (known.isAsConfigured()) {
					changes.add(ServerChange.replace(known, server.definition()));
				}
			}
		}
		catch (Throwable ex) {
			changes.forEach(ServerChange::abandon);
			throw ex;
		}
		return new Reconfiguration(before, present, next, changes);
	}

	/**
	 * Return the servers that are configured, rather than defined by code.
	 */
	static Map<String, DefinedServer> byName(Stream<DefinedServer> servers) {
		Map<String, DefinedServer> byName = new LinkedHashMap<>();
		servers.filter((server) -> isConfigured(server.origin().kind()))
			.forEach((server) -> byName.put(server.name(), server));
		return byName;
	}

	static boolean isConfigured(Kind kind) {
		return kind == Kind.CONFIGURED || kind == Kind.IMPORTED;
	}

	// where a mistake was made may have moved
	private static boolean isSame(@Nullable DefinedServer before, DefinedServer server) {
		return before != null && before.problems().isEmpty() == server.problems().isEmpty()
				&& before.definition().equals(server.definition());
	}

	/**
	 * Let all servers know what they are configured as, such as in which line.
	 */
	void configure(Map<String, ManagedServer> all) {
		this.next.forEach((name, server) -> {
			ManagedServer known = all.get(name);
			if (known != null && isConfigured(known.origin().kind())) {
				known.configure(server);
			}
		});
	}

	McpReload result() {
		List<String> added = names((change) -> change.present() == null);
		List<String> removed = names((change) -> change.next() == null);
		List<String> updated = names((change) -> change.present() != null && change.present() == change.next());
		List<String> replaced = names((change) -> change.opened() != null && change.present() != null);
		return new McpReload(added, replaced, updated, removed,
				this.next.size() - added.size() - replaced.size() - updated.size(), List.of());
	}

	private List<String> names(Predicate<ServerChange> which) {
		return this.changes.stream().filter(which).map(ServerChange::name).toList();
	}

}
