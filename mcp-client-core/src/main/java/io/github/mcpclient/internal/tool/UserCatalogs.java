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
 * The tools that servers list for users, with a separate catalog for each user.
 * Thread-safe.
 */
final class UserCatalogs {

	private final ToolSettings settings;

	private final CatalogStates states;

	private final CatalogServers servers;

	private final ConnectOnUse connectOnUse;

	// if an entry is dropped, the next use creates it again
	private final Map<ToolConnection, ToolCatalog> all = new ConcurrentReferenceHashMap<>(16, ReferenceType.WEAK);

	/**
	 * Create an instance.
	 * @param states the states of the catalog for all users
	 * @param servers the tools that servers list for all users
	 */
	UserCatalogs(ToolSettings settings, CatalogStates states, CatalogServers servers, ConnectOnUse connectOnUse) {
		this.settings = settings;
		this.states = states;
		this.servers = servers;
		this.connectOnUse = connectOnUse;
	}

	/**
	 * Return the servers that list their tools for users: all such servers, or the
	 * servers that may have a tool.
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
	 * Return the tools that servers list for the user of the caller, if they are
	 * available in time. Fails if this user has to log in and, if only one server may
	 * have a tool that is looked up, with the reason why that server cannot be connected.
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
