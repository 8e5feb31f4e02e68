package io.github.mcpclient.registry;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;

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
 * come one after the other, under a lock that nobody holds while waiting for a server or
 * while the catalog follows, which asks the application's naming strategy.
 */
final class ManagedServers {

	private static final Logger logger = LoggerFactory.getLogger(DefaultMcpServerRegistry.class);

	private static final String REPLACED = "It was replaced.";

	private final BiFunction<McpServerDefinition, McpConnectionListener, McpConnection> connectionFactory;

	private final Scheduler timer;

	private final ToolCatalog catalog;

	private final RegistryEvents events;

	private final Predicate<McpServerDefinition> eager;

	private final Lock lock = new ReentrantLock();

	/**
	 * The connections that were removed or replaced, until they are closed.
	 */
	private final Set<McpConnection> closing = ConcurrentHashMap.newKeySet();

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
		change((all) -> definitions.forEach((definition) -> all.put(definition.name(), manage(definition))));
		publish(null);
	}

	/**
	 * Begin to connect. After a pause, with fresh connections.
	 * @return the connections that have begun, in the order of the servers; none where
	 * this was done before
	 */
	List<ManagedServer.Link> start() {
		List<ManagedServer.Link> begun = locked(() -> {
			if (this.phase == Phase.RUNNING || this.phase == Phase.ENDED) {
				return List.of();
			}
			if (this.phase == Phase.PAUSED) {
				this.servers.values().forEach((server) -> server.renew(server.newLink(server.definition())));
			}
			this.phase = Phase.RUNNING;
			return this.servers.values()
				.stream()
				.map(ManagedServer::link)
				.filter((link) -> this.eager.test(link.definition()))
				.toList();
		});
		publish(null);
		begun.forEach((link) -> link.connection().start());
		return begun;
	}

	/**
	 * Close all connections, and wait for those that are being closed.
	 * @param forGood whether there is to be no other start
	 * @return completes when they are closed; never an error
	 */
	Mono<Void> close(boolean forGood) {
		List<McpConnection> connections = locked(() -> {
			this.phase = (forGood || this.phase == Phase.ENDED) ? Phase.ENDED : Phase.PAUSED;
			List<McpConnection> all = new ArrayList<>(this.closing);
			this.servers.values().forEach((server) -> all.add(server.connection()));
			return all;
		});
		return Mono.when(connections.stream().map((connection) -> connection.close().onErrorComplete()).toList());
	}

	/**
	 * Add a server after all others.
	 * @param definition the server
	 * @return the status after the first attempt, if any
	 */
	Mono<McpServerStatus> add(McpServerDefinition definition) {
		requireNotEnded();
		ManagedServer server = manage(definition);
		locked(() -> {
			requireNotEnded();
			McpServerDefinitions.checkName(definition.name(), this.servers.keySet());
			return change((all) -> all.put(definition.name(), server));
		});
		try {
			publish(definition.name());
		}
		catch (RuntimeException | Error ex) {
			locked(() -> change((all) -> all.remove(definition.name(), server)));
			server.connection().close();
			throw ex;
		}
		logger.info("MCP server '{}' ({}) was added", definition.name(), definition.target());
		return open(server.connection());
	}

	/**
	 * Give a server another definition, and with it another connection. Where that fails,
	 * the server keeps the present one.
	 * @param definition the server
	 * @return the status after the first attempt, if any
	 */
	Mono<McpServerStatus> replace(McpServerDefinition definition) {
		requireNotEnded();
		ManagedServer server = get(definition.name());
		ManagedServer.Link next = server.newLink(definition);
		ManagedServer.Link previous = locked(() -> {
			requireNotEnded();
			if (this.servers.get(server.name()) != server) {
				throw new NoSuchMcpServerException(server.name(), this.servers.keySet());
			}
			this.closing.add(server.connection());
			return server.renew(next);
		});
		try {
			publish(definition.name());
		}
		catch (RuntimeException | Error ex) {
			if (locked(() -> server.restore(next, previous) && this.closing.remove(previous.connection()))) {
				next.connection().close();
			}
			else {
				// replaced by another, which closes this one
				close(previous.connection(), REPLACED);
			}
			throw ex;
		}
		logger.info("MCP server '{}' ({}) was replaced", definition.name(), definition.target());
		return close(previous.connection(), REPLACED).then(open(next.connection()));
	}

	/**
	 * Remove a server.
	 * @param name its name
	 * @return completes when its connection is closed
	 */
	Mono<Void> remove(String name) {
		McpConnection connection = locked(() -> {
			McpConnection present = get(name).connection();
			this.closing.add(present);
			change((all) -> all.remove(name));
			return present;
		});
		try {
			publish(name);
		}
		finally {
			logger.info("MCP server '{}' ({}) was removed", name, connection.definition().target());
			close(connection, "It was removed.");
		}
		return connection.close();
	}

	private Mono<Void> close(McpConnection connection, String reason) {
		Mono<Void> closed = connection.close(reason);
		closed.subscribe(null, null, () -> this.closing.remove(connection));
		return closed;
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

	/**
	 * Let the catalog follow. It asks for the connections once more where another change
	 * comes in between, so that the last change is the one that stays.
	 * @param serverName the server that has changed, or {@code null} for all
	 */
	private void publish(@Nullable String serverName) {
		this.events.serversChanged(() -> this.servers.values().stream().map(ManagedServer::connection).toList(),
				serverName);
	}

	private <T> T locked(Supplier<T> change) {
		this.lock.lock();
		try {
			return change.get();
		}
		finally {
			this.lock.unlock();
		}
	}

	private Map<String, ManagedServer> change(Consumer<Map<String, ManagedServer>> change) {
		Map<String, ManagedServer> servers = new LinkedHashMap<>(this.servers);
		change.accept(servers);
		this.servers = Collections.unmodifiableMap(servers);
		return this.servers;
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
