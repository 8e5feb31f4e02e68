package io.github.mcpclient.test;

import java.net.URI;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import io.github.mcpclient.McpException;
import io.github.mcpclient.McpServerState;
import io.github.mcpclient.definition.McpServerCustomizer;
import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.definition.McpServerDefinitionBuilder;
import io.github.mcpclient.management.ManagedMcpServer;
import io.github.mcpclient.management.McpServerManager;
import io.github.mcpclient.test.server.McpTestServer;
import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;

/**
 * The scripted servers of one application context, which one test at a time uses.
 */
final class MockServers implements McpServerCustomizer {

	static final String BEAN_NAME = "io.github.mcpclient.test.mockServers";

	private static final Duration TIMEOUT = Duration.ofSeconds(30);

	private final Map<String, McpTestServer> servers = new LinkedHashMap<>();

	private final Semaphore turn = new Semaphore(1, true);

	MockServers(Map<String, McpTestServer> servers) {
		servers.forEach((name, server) -> this.servers.put(MockServerDeclaration.key(name), server.start()));
	}

	McpTestServer get(String name) {
		McpTestServer server = find(name);
		Assert.state(server != null, () -> "No @MockMcpServer '" + name + "'");
		return server;
	}

	@Nullable McpTestServer find(String name) {
		return this.servers.get(MockServerDeclaration.key(name));
	}

	/**
	 * Replace the URL of an HTTP server.
	 */
	@Override
	public void customize(String serverName, McpServerDefinitionBuilder builder) {
		McpTestServer server = find(serverName);
		McpServerDefinition definition = builder.build();
		if (server != null && definition.http() != null) {
			boolean sse = definition.type().equals(McpServerDefinition.SSE);
			builder.url(URI.create(sse ? server.sseUrl() : server.url()));
		}
	}

	/**
	 * Wait until no other test uses the servers, and until the application has tried to
	 * connect them.
	 */
	void begin(@Nullable McpServerManager manager) throws InterruptedException {
		Assert.state(this.turn.tryAcquire(5, TimeUnit.MINUTES),
				"A parallel test with the same application context does not end");
		replaced(manager).filter((server) -> server.status().state() == McpServerState.CONNECTING)
			.forEach((server) -> server.reconnectAsync().block(TIMEOUT));
	}

	/**
	 * Undo what a test did with the servers, and what the application saw of it.
	 */
	void end(@Nullable McpServerManager manager) {
		try {
			this.servers.values().forEach((server) -> server.reset().start());
			replaced(manager).forEach(MockServers::restore);
			this.servers.values().forEach(McpTestServer::forgetRequests);
		}
		finally {
			this.turn.release();
		}
	}

	private Stream<ManagedMcpServer> replaced(@Nullable McpServerManager manager) {
		if (manager == null) {
			return Stream.empty();
		}
		return manager.servers().stream().filter((server) -> find(server.name()) != null);
	}

	private static void restore(ManagedMcpServer server) {
		McpServerState state = server.status().state();
		if (state == McpServerState.READY && !refresh(server) || state == McpServerState.UNAVAILABLE
				|| state == McpServerState.CONNECTING) {
			server.reconnectAsync().block(TIMEOUT);
		}
	}

	private static boolean refresh(ManagedMcpServer server) {
		try {
			server.refreshAsync().block(TIMEOUT);
			return true;
		}
		catch (McpException ex) {
			return false;
		}
	}

}
