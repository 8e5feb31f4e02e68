package io.github.mcpclient.internal.tool;

import java.util.List;
import java.util.Map;
import java.util.Objects;

import io.github.mcpclient.internal.connection.ToolConnection;
import io.github.mcpclient.internal.connection.ToolConnection.ConnectOnUse;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.util.ConcurrentReferenceHashMap;
import org.springframework.util.ConcurrentReferenceHashMap.ReferenceType;

/**
 * What servers list for users, each in a catalog of its own. Safe for use by many
 * threads.
 */
final class UserCatalogs {

	private final ToolSettings settings;

	private final CatalogStates states;

	private final CatalogServers servers;

	private final ConnectOnUse connectOnUse;

	// where one is dropped, the next use makes it again
	private final Map<ToolConnection, ToolCatalog> all = new ConcurrentReferenceHashMap<>(16, ReferenceType.WEAK);

	/**
	 * Create an instance.
	 * @param states those of the catalog of all
	 * @param servers that servers list for all
	 */
	UserCatalogs(ToolSettings settings, CatalogStates states, CatalogServers servers, ConnectOnUse connectOnUse) {
		this.settings = settings;
		this.states = states;
		this.servers = servers;
		this.connectOnUse = connectOnUse;
	}

	/**
	 * Return the servers that list their tools for users, of all or of those that may
	 * have a tool.
	 */
	List<ToolConnection> forUsers(@Nullable String name) {
		CatalogState state = this.states.now();
		Map<String, ServerTools> all = state.servers();
		return ((name != null) ? state.serversOf(name) : all.keySet()).stream()
			.map(all::get)
			.filter(Objects::nonNull)
			.<ToolConnection>map((server) -> server.server().connection())
			.filter(ToolConnection::isForUsers)
			.toList();
	}

	/**
	 * Return what servers list for the user of the caller, as far as it is there in time.
	 * Fails where this user has to log in and, if it is the only one that may have a tool
	 * that is looked up, with why the server cannot be connected.
	 */
	Mono<List<ToolCatalog>> ofCaller(List<ToolConnection> servers, @Nullable String name) {
		boolean required = name != null && servers.size() == 1;
		return Flux.fromIterable(servers)
			.flatMapSequential((server) -> required ? server.forCaller().filter((own) -> own != server)
					: server.forListing(this.connectOnUse.limit()), Math.max(1, servers.size()))
			.map(this::ofUser)
			.collectList();
	}

	private ToolCatalog ofUser(ToolConnection connection) {
		ToolCatalog own = this.all.computeIfAbsent(connection, (key) -> new ToolCatalog(this.settings));
		ServerTools ofAll = this.states.now().servers().get(connection.name());
		if (ofAll != null) {
			own.servers()
				.follow(new ToolServer(ofAll.server().definition(), connection, ofAll.server().scope()), this.servers);
		}
		return own;
	}

}
