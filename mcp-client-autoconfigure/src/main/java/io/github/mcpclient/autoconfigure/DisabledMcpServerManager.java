package io.github.mcpclient.autoconfigure;

import java.util.List;
import java.util.Optional;

import io.github.mcpclient.McpServerStatus;
import io.github.mcpclient.NoSuchMcpServerException;
import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.management.ManagedMcpServer;
import io.github.mcpclient.management.McpServerManager;
import reactor.core.publisher.Mono;

/**
 * The manager of a disabled client: it has no servers, and none can be added.
 */
final class DisabledMcpServerManager implements McpServerManager {

	@Override
	public List<ManagedMcpServer> servers() {
		return List.of();
	}

	@Override
	public ManagedMcpServer server(String name) {
		throw NoSuchMcpServerException.disabled(name);
	}

	@Override
	public Optional<ManagedMcpServer> find(String name) {
		return Optional.empty();
	}

	@Override
	public McpServerStatus add(McpServerDefinition definition) {
		throw new IllegalStateException("MCP server '" + definition.name()
				+ "' cannot be added: the MCP client is disabled (mcp.enabled is false)");
	}

	@Override
	public Mono<McpServerStatus> addAsync(McpServerDefinition definition) {
		return Mono.fromCallable(() -> add(definition));
	}

	@Override
	public McpServerStatus replace(McpServerDefinition definition) {
		throw NoSuchMcpServerException.disabled(definition.name());
	}

	@Override
	public Mono<McpServerStatus> replaceAsync(McpServerDefinition definition) {
		return Mono.fromCallable(() -> replace(definition));
	}

	@Override
	public void remove(String name) {
		throw NoSuchMcpServerException.disabled(name);
	}

	@Override
	public Mono<Void> removeAsync(String name) {
		return Mono.fromRunnable(() -> remove(name));
	}

	@Override
	public McpServerStatus enable(String name) {
		throw NoSuchMcpServerException.disabled(name);
	}

	@Override
	public Mono<McpServerStatus> enableAsync(String name) {
		return Mono.fromCallable(() -> enable(name));
	}

	@Override
	public McpServerStatus disable(String name) {
		throw NoSuchMcpServerException.disabled(name);
	}

	@Override
	public Mono<McpServerStatus> disableAsync(String name) {
		return Mono.fromCallable(() -> disable(name));
	}

}
