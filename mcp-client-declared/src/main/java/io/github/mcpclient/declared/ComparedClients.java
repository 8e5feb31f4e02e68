package io.github.mcpclient.declared;

import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;

import io.github.mcpclient.McpServerRegistry;
import io.github.mcpclient.event.McpServerEvent;
import io.github.mcpclient.event.McpServerStateChangedEvent;
import io.github.mcpclient.event.McpToolClientMismatchEvent;
import io.github.mcpclient.event.McpToolClientMismatchEvent.Mismatch;
import io.github.mcpclient.event.McpToolsChangedEvent;
import io.github.mcpclient.internal.support.ClientThreads;
import io.github.mcpclient.internal.support.LogKeys;
import io.github.mcpclient.internal.support.LogLimit;
import io.github.mcpclient.management.ManagedMcpServer;
import io.github.mcpclient.management.McpServerManager;
import io.github.mcpclient.spi.McpToolClientMismatches;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

import org.springframework.context.event.EventListener;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/**
 * Compares all declared clients with their servers, when a server becomes READY and each
 * time that its tools change. Mismatches are logged, published, and stored for display.
 * All clients of a server are compared on one thread of that server, and compared again
 * if the listing changes during the comparison. Safe for use by many threads.
 */
final class ComparedClients implements McpToolClientMismatches {

	private static final int MOST_LINES = 20;

	// of a client whose server changes its tools all the time
	private static final int MOST_LOGGED = 30;

	private static final Duration LOG_WINDOW = Duration.ofMinutes(10);

	private static final Logger logger = LoggerFactory.getLogger(ComparedClients.class);

	private final McpToolClientFactory factory;

	private final McpServerRegistry registry;

	private final @Nullable McpServerManager manager;

	private final ServerListings listings;

	private final ClientThreads threads;

	// by the name of the server
	private final Map<String, Set<DeclaredClient>> clients = new ConcurrentHashMap<>();

	private final Map<String, AtomicInteger> pending = new ConcurrentHashMap<>();

	// by the name of the client
	private final Map<String, McpToolClientMismatchEvent> mismatches = new ConcurrentHashMap<>();

	private final Map<String, LogLimit> logs = new ConcurrentHashMap<>();

	ComparedClients(McpToolClientFactory factory, McpServerRegistry registry, @Nullable McpServerManager manager,
			ServerListings listings, ClientThreads threads) {
		this.manager = manager;
		this.factory = factory;
		this.registry = registry;
		this.listings = listings;
		this.threads = threads;
	}

	@Override
	public List<McpToolClientMismatchEvent> mismatches() {
		return List.copyOf(this.mismatches.values());
	}

	/**
	 * Compare the declared clients, and each client that is declared later.
	 */
	void begin() {
		this.factory.onCreation(this::add);
		this.factory.clients().forEach(this::add);
	}

	private void add(DeclaredClient client) {
		if (this.clients.computeIfAbsent(client.server(), (name) -> ConcurrentHashMap.newKeySet()).add(client)) {
			compareSoon(client.server());
		}
	}

	// one that fails before it would keep the event from this
	@Order(Ordered.HIGHEST_PRECEDENCE)
	@EventListener({ McpServerStateChangedEvent.class, McpToolsChangedEvent.class })
	void changed(McpServerEvent event) {
		this.listings.forgetIf(event.serverName(), (name) -> this.registry.find(name).isEmpty());
		compareSoon(event.serverName());
	}

	private void compareSoon(String server) {
		if (!this.clients.containsKey(server)) {
			return;
		}
		AtomicInteger pending = this.pending.computeIfAbsent(server, (name) -> new AtomicInteger());
		if (pending.getAndIncrement() == 0) {
			try {
				this.threads.listing().execute(server, () -> compareAll(server, pending));
			}
			catch (RejectedExecutionException ex) {
				pending.set(0);
				logger.debug("The declared clients of MCP server '{}' are not compared now", server, ex);
			}
		}
	}

	private void compareAll(String server, AtomicInteger pending) {
		for (int seen = pending.get(); seen > 0; seen = pending.addAndGet(-seen)) {
			try {
				compare(server, this.clients.getOrDefault(server, Set.of())).forEach(this::found);
			}
			catch (Throwable ex) {
				LogKeys.line(logger, Level.WARN, server)
					.setCause(ex)
					.log("The declared clients of MCP server '{}' could not be compared with its tools", server);
			}
		}
	}

	/**
	 * Compare clients of a server now.
	 * @return one event for each; none if the server is not READY
	 */
	List<McpToolClientMismatchEvent> compare(String server, Collection<DeclaredClient> clients) {
		return this.factory.comparison()
			.compare(server, clients, (text) -> this.listings.masked(server, text), (tool) -> exclusion(server, tool));
	}

	private @Nullable String exclusion(String server, String tool) {
		return (this.manager != null) ? this.manager.find(server)
			.stream()
			.flatMap((managed) -> managed.excludedTools().stream())
			.filter((excluded) -> excluded.originalName().equals(tool))
			.map(ManagedMcpServer.ExcludedTool::reason)
			.findFirst()
			.orElse(null) : null;
	}

	private void found(McpToolClientMismatchEvent event) {
		McpToolClientMismatchEvent previous = event.mismatches().isEmpty() ? this.mismatches.remove(event.client())
				: this.mismatches.put(event.client(), event);
		Set<Mismatch> before = (previous != null) ? new HashSet<>(previous.mismatches()) : Set.of();
		if (!before.equals(new HashSet<>(event.mismatches()))) {
			this.logs
				.computeIfAbsent(event.client(),
						(client) -> new LogLimit(() -> this.threads.scheduler().now(TimeUnit.NANOSECONDS), MOST_LOGGED,
								LOG_WINDOW))
				.log(() -> log(event),
						(notice) -> logger.warn("Comparisons of declared MCP client {} with MCP server '{}': {}",
								event.client(), event.serverName(), notice));
			this.listings.publish(event);
		}
	}

	private static void log(McpToolClientMismatchEvent event) {
		List<Mismatch> mismatches = event.mismatches();
		if (mismatches.isEmpty()) {
			LogKeys.line(logger, Level.INFO, event.serverName())
				.log("Declared MCP client {} matches MCP server '{}' again", event.client(), event.serverName());
			return;
		}
		LogKeys.line(logger, Level.WARN, event.serverName())
			.log("Declared MCP client {} does not match MCP server '{}'. Calls will fail:{}", event.client(),
					event.serverName(), lines(mismatches, "    "));
	}

	/**
	 * Return a line for each of the first mismatches, and how many more there are.
	 */
	static String lines(List<Mismatch> mismatches, String indent) {
		String more = (mismatches.size() > MOST_LINES)
				? "%n%sand %d more".formatted(indent, mismatches.size() - MOST_LINES) : "";
		return mismatches.stream()
			.limit(MOST_LINES)
			.map((mismatch) -> "%n%s%s".formatted(indent, mismatch))
			.collect(Collectors.joining()) + more;
	}

}
