package io.github.mcpclient.registry;

import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiFunction;
import java.util.function.Predicate;

import io.github.mcpclient.McpServerDefinition;
import io.github.mcpclient.McpServerStatus;
import io.github.mcpclient.NoSuchMcpServerException;
import io.github.mcpclient.config.McpServerDefinitions;
import io.github.mcpclient.connection.McpConnection;
import io.github.mcpclient.connection.McpConnectionListener;
import io.github.mcpclient.tool.ToolCatalog;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/**
 * The servers by name, and all their connections. Readers see one immutable map. Changes
 * come one after the other, under a lock that nobody holds while waiting for a server.
 */
final class ManagedServers {

	private static final Logger logger = LoggerFactory.getLogger(DefaultMcpServerRegistry.class);

	private final BiFunction<McpServerDefinition, McpConnectionListener, McpConnection> connectionFactory;

	private final Scheduler timer;

	private final ToolCatalog catalog;

	private final RegistryEvents events;

	private final Predicate<McpServerDefinition> eager;

	private final Lock lock = new ReentrantLock();

	private volatile Map<String, ManagedServer> servers = Map.of();

	private volatile Phase phase = Phase.NEW;

	/**
	 * Create an instance without servers.
	 * @param connectionFactory makes a connection that has not started
	 * @param timer limits what waits for a server
	 * @param catalog follows the servers
	 * @param events told of what happens
	 * @param eager whether a server is to be connected without being used
	 */
	ManagedServers(BiFunction<McpServerDefinition, McpConnectionListener, McpConnection> connectionFactory,
			Scheduler timer, ToolCatalog catalog, RegistryEvents events, Predicate<McpServerDefinition> eager) {
		this.connectionFactory = connectionFactory;
		this.timer = timer;
		this.catalog = catalog;
		this.events = events;
		this.eager = eager;
	}

	Collection<ManagedServer> all() {
		return this.servers.values();
	}

	@Nullable ManagedServer find(String name) {
		return this.servers.get(name);
	}

	ManagedServer get(String name) {
		ManagedServer server = this.servers.get(name);
		if (server == null) {
			throw new NoSuchMcpServerException(name, this.servers.keySet());
		}
		return server;
	}

	boolean isRunning() {
		return this.phase == Phase.RUNNING;
	}

	/**
	 * Add the servers that there are from the beginning.
	 * @param definitions the servers, in order
	 */
	void init(Collection<McpServerDefinition> definitions) {
		Map<String, ManagedServer> servers = new LinkedHashMap<>();
		definitions.forEach((definition) -> servers.put(definition.name(), manage(definition)));
		publish(servers);
	}

	/**
	 * Begin to connect. After a pause, with fresh connections.
	 * @return the connections that have begun, in the order of the servers; none where
	 * this was done before
	 */
	List<ManagedServer.Link> start() {
		this.lock.lock();
		try {
			if (this.phase == Phase.RUNNING || this.phase == Phase.ENDED) {
				return List.of();
			}
			if (this.phase == Phase.PAUSED) {
				this.servers.values().forEach((server) -> server.renew(server.definition()));
				publish(this.servers);
			}
			this.phase = Phase.RUNNING;
			List<ManagedServer.Link> begun = this.servers.values()
				.stream()
				.map(ManagedServer::link)
				.filter((link) -> this.eager.test(link.definition()))
				.toList();
			begun.forEach((link) -> link.connection().start());
			return begun;
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Close all connections.
	 * @param forGood whether there is to be no other start
	 * @return completes when they are closed; never an error
	 */
	Mono<Void> close(boolean forGood) {
		this.lock.lock();
		try {
			this.phase = (forGood || this.phase == Phase.ENDED) ? Phase.ENDED : Phase.PAUSED;
			return Mono.when(this.servers.values()
				.stream()
				.map((server) -> server.connection().close().onErrorComplete())
				.toList());
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Add a server after all others.
	 * @param definition the server
	 * @return the status after the first attempt, if any
	 */
	Mono<McpServerStatus> add(McpServerDefinition definition) {
		this.lock.lock();
		try {
			requireNotEnded();
			McpServerDefinitions.checkName(definition.name(), this.servers.keySet());
			ManagedServer server = manage(definition);
			Map<String, ManagedServer> servers = new LinkedHashMap<>(this.servers);
			servers.put(definition.name(), server);
			publish(servers);
			logger.info("MCP server '{}' ({}) was added", definition.name(), definition.target());
			return open(server.connection());
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Give a server another definition, and with it another connection.
	 * @param definition the server
	 * @return the status after the first attempt, if any
	 */
	Mono<McpServerStatus> replace(McpServerDefinition definition) {
		this.lock.lock();
		try {
			requireNotEnded();
			ManagedServer server = get(definition.name());
			McpConnection previous = server.renew(definition);
			publish(this.servers);
			logger.info("MCP server '{}' ({}) was replaced", definition.name(), definition.target());
			Mono<Void> closed = previous.close("It was replaced.");
			return closed.then(open(server.connection()));
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Remove a server.
	 * @param name its name
	 * @return completes when its connection is closed
	 */
	Mono<Void> remove(String name) {
		this.lock.lock();
		try {
			ManagedServer server = get(name);
			Map<String, ManagedServer> servers = new LinkedHashMap<>(this.servers);
			servers.remove(name);
			publish(servers);
			logger.info("MCP server '{}' ({}) was removed", name, server.definition().target());
			return server.connection().close("It was removed.");
		}
		finally {
			this.lock.unlock();
		}
	}

	private Mono<McpServerStatus> open(McpConnection connection) {
		Mono<McpServerStatus> status = Mono.fromSupplier(connection::status);
		if (this.phase == Phase.PAUSED) {
			// as all others are until the next start
			return connection.close().then(status);
		}
		if (this.phase == Phase.RUNNING && this.eager.test(connection.definition())) {
			connection.start();
			return connection.firstAttempt().then(status);
		}
		return status;
	}

	private ManagedServer manage(McpServerDefinition definition) {
		return new ManagedServer(definition, this.timer, this.catalog, this.events, this.connectionFactory);
	}

	private void publish(Map<String, ManagedServer> servers) {
		this.events.serversChanged(servers.values().stream().map(ManagedServer::connection).toList());
		this.servers = Collections.unmodifiableMap(servers);
	}

	private void requireNotEnded() {
		if (this.phase == Phase.ENDED) {
			throw new IllegalStateException("The registry of MCP servers is closed: the application has stopped");
		}
	}

	private enum Phase {

		NEW, RUNNING, PAUSED, ENDED

	}

}
