package io.github.mcpclient.declared;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;

import io.github.mcpclient.McpServer;
import io.github.mcpclient.McpServerRegistry;
import io.github.mcpclient.McpServerState;
import io.github.mcpclient.McpServerStatus;
import io.github.mcpclient.event.McpServerStateChangedEvent;
import io.github.mcpclient.event.McpToolClientMismatchEvent;
import io.github.mcpclient.event.McpToolClientMismatchEvent.Kind;
import io.github.mcpclient.event.McpToolClientMismatchEvent.Mismatch;
import io.github.mcpclient.management.McpServerManager;
import org.jspecify.annotations.Nullable;

import org.springframework.context.SmartLifecycle;
import org.springframework.context.event.EventListener;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/**
 * Begins to compare declared clients when the servers have been started, and fails the
 * start of the application if a required client does not match, or if its server has not
 * listed its tools in time.
 */
final class RequiredClients implements SmartLifecycle {

	// after the servers, which are at DEFAULT_PHASE - 4096, and before the web server
	private static final int PHASE = SmartLifecycle.DEFAULT_PHASE - 4095;

	private final McpToolClientFactory factory;

	private final McpServerRegistry registry;

	private final @Nullable McpServerManager manager;

	private final ComparedClients compared;

	private final Duration wait;

	// of the servers that the start waits for
	private final Map<String, CompletableFuture<Void>> ready = new ConcurrentHashMap<>();

	private volatile boolean running;

	/**
	 * Create an instance.
	 * @param wait how long the start waits for the servers of required clients, after it
	 * has waited for the first attempts to connect
	 */
	RequiredClients(McpToolClientFactory factory, McpServerRegistry registry, @Nullable McpServerManager manager,
			ComparedClients compared, Duration wait) {
		this.manager = manager;
		this.factory = factory;
		this.registry = registry;
		this.compared = compared;
		this.wait = wait;
	}

	// one that fails before it would keep the event from this
	@Order(Ordered.HIGHEST_PRECEDENCE)
	@EventListener
	void stateChanged(McpServerStateChangedEvent event) {
		CompletableFuture<Void> ready = this.ready.get(event.serverName());
		if (ready != null && isIn(event.serverName(), McpServerState.READY)) {
			ready.complete(null);
		}
	}

	@Override
	public void start() {
		this.compared.begin();
		Map<String, List<DeclaredClient>> required = this.factory.clients()
			.stream()
			.filter(DeclaredClient::required)
			.collect(Collectors.groupingBy(DeclaredClient::server));
		await(required.keySet().stream().filter(this::canBecomeReady).toList());
		List<McpToolClientMismatchEvent> failed = new ArrayList<>();
		required.forEach((server, clients) -> {
			List<McpToolClientMismatchEvent> found = this.compared.compare(server, clients);
			if (found.isEmpty() && !isIn(server, McpServerState.READY)) {
				List<Mismatch> notListed = List.of(notListed(server));
				clients.forEach((client) -> failed.add(ClientComparison.event(client, notListed)));
			}
			found.stream().filter((event) -> !event.mismatches().isEmpty()).forEach(failed::add);
		});
		if (!failed.isEmpty()) {
			throw new McpToolClientMismatchException(failed);
		}
		this.running = true;
	}

	private boolean canBecomeReady(String server) {
		return this.registry.find(server).isPresent() && !isIn(server, McpServerState.DISABLED)
				&& !isIn(server, McpServerState.CLOSED);
	}

	private boolean isIn(String server, McpServerState state) {
		return this.registry.find(server).filter((found) -> found.status().state() == state).isPresent();
	}

	private void await(List<String> servers) {
		servers.forEach((server) -> this.ready.put(server, new CompletableFuture<>()));
		this.ready.forEach((server, ready) -> {
			if (isIn(server, McpServerState.READY)) {
				ready.complete(null);
			}
			else if (this.manager != null && isIn(server, McpServerState.IDLE)) {
				this.manager.server(server).reconnectAsync().subscribe();
			}
		});
		try {
			CompletableFuture.allOf(this.ready.values().toArray(CompletableFuture[]::new))
				.get(this.wait.toMillis(), TimeUnit.MILLISECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		catch (TimeoutException ex) {
			// servers that are not READY now fail the start
		}
		catch (ExecutionException ex) {
			throw new IllegalStateException(ex.getCause());
		}
		finally {
			this.ready.clear();
		}
	}

	private Mismatch notListed(String server) {
		McpServerStatus status = this.registry.find(server).map(McpServer::status).orElseThrow();
		String error = (status.lastError() != null) ? ": " + status.lastError() : "";
		return new Mismatch(Kind.NOT_LISTED, null,
				"the server is " + status.state() + ", and has not listed its tools" + error);
	}

	@Override
	public void stop() {
		this.running = false;
	}

	@Override
	public boolean isRunning() {
		return this.running;
	}

	@Override
	public int getPhase() {
		return PHASE;
	}

}
