package io.github.mcpclient.internal.tool;

import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.mcpclient.McpServerUnavailableException;
import io.github.mcpclient.NoSuchMcpToolException;
import io.github.mcpclient.internal.connection.ToolConnection;
import io.github.mcpclient.internal.support.NearestNames;

import org.springframework.util.function.SingletonSupplier;

/**
 * Determines why there is no tool of a name.
 */
record MissingTools(CatalogStates states, ToolConnection.ConnectOnUse connectOnUse, CatalogLog log) {

	private Stream<ToolServer> servers(Collection<String> names) {
		return names.stream().map(this.states.now().servers()::get).filter(Objects::nonNull).map(ServerTools::server);
	}

	/**
	 * Warn, once for a name, if all servers that may have an injected tool are connected,
	 * and no server has it.
	 */
	void warnOfMissing(String name) {
		if (!this.connectOnUse.isDisabled() && !this.states.now().listing().entries().containsKey(name)
				&& servers(this.states.now().serversOf(name)).allMatch((server) -> server.connection().isReady())) {
			this.log.missing(name, () -> noTool(name, this.states.now().listing()));
		}
	}

	/**
	 * Return why a tool that was never seen cannot be called.
	 */
	RuntimeException noTool(String name, Listing known) {
		List<ToolServer> servers = servers(this.states.now().serversOf(name)).toList();
		ToolServer server = (servers.size() == 1) ? servers.get(0) : null;
		return (server != null && server.definition().enabled() && !server.connection().isReady()
				&& !server.connection().isForUsers() && server.connection().tools().isEmpty()
				&& !this.connectOnUse.isTooEarly()) ? new McpServerUnavailableException(server.connection().status())
						: noSuchTool(name, known);
	}

	/**
	 * Return why a tool that a server had cannot be called.
	 */
	RuntimeException gone(String name, String serverName) {
		Listing known = this.states.now().listing();
		ToolEntry other = known.entries().get(name);
		return (other == null || other.serverName().equals(serverName)) ? noTool(name, known)
				: NoSuchMcpToolException.because(name, serverName, "its server '" + serverName
						+ "' has lost the name to a tool of server '" + other.serverName() + "'");
	}

	private NoSuchMcpToolException noSuchTool(String name, Listing known) {
		if (this.connectOnUse.isDisabled()) {
			return NoSuchMcpToolException.because(name, null, "the MCP client is disabled (mcp.enabled is false)");
		}
		if (this.connectOnUse.isTooEarly()) {
			return NoSuchMcpToolException.because(name, null,
					"the application is still starting, and connects its servers when all beans are created. Call tools "
							+ "after that: in an ApplicationRunner, for example, rather than in a constructor");
		}
		String removed = this.states.now().naming().removedServerOf(name);
		if (removed != null) {
			return NoSuchMcpToolException.because(name, removed, "its server '" + removed + "' was removed");
		}
		CatalogState state = this.states.now();
		// names of the application's strategy do not determine a server
		Collection<String> owners = state.naming().serversOf(name);
		Stream<ToolServer> candidates = owners.isEmpty() ? state.all().obtain().stream() : servers(owners);
		// without the prefix of a server, a name belongs to no server
		for (String server : state.serversOf(name)) {
			for (Exclusion tool : state.exclusionsOf(server)) {
				if (name.equals(tool.name())) {
					return NoSuchMcpToolException.because(name, server,
							"server '" + server + "' offers it, but it is excluded: " + tool.reason());
				}
			}
		}
		// a server that has listed tools for the user is available, even if it waits for
		// other users
		Supplier<Set<String>> listed = SingletonSupplier
			.of(() -> known.entries().values().stream().map(ToolEntry::serverName).collect(Collectors.toSet()));
		List<ToolServer> notReady = candidates
			.filter((server) -> !server.connection().isReady()
					&& !(server.connection().isForUsers() && listed.get().contains(server.name())))
			.toList();
		if (!owners.isEmpty() && !notReady.isEmpty()) {
			return new NoSuchMcpToolException(name, nearest(name, known, owners),
					notReady.get(0).connection().status());
		}
		return new NoSuchMcpToolException(name, nearest(name, known, owners),
				notReady.stream().filter((server) -> server.definition().enabled()).map(ToolServer::name).toList());
	}

	// among thousands of tools, tools of the server whose prefix the name has, or tools
	// with this original name, are
	// more likely than similar names
	private List<String> nearest(String name, Listing known, Collection<String> owners) {
		List<String> own = NearestNames.of(name,
				owners.stream()
					.map(this.states.now().servers()::get)
					.filter(Objects::nonNull)
					.flatMap((server) -> server.entries().stream())
					.map(ToolEntry::name)
					.filter(known.tools()::containsKey)
					.toList());
		return own.isEmpty() ? known.nearest(name) : own;
	}

}
