package io.github.mcpclient.internal.registry;

import java.util.List;
import java.util.Optional;

import io.github.mcpclient.McpServerStatus;
import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.management.ManagedMcpServer;
import io.github.mcpclient.management.McpServerManager;
import reactor.core.publisher.Mono;

/**
 * Manages the servers of a registry.
 */
final class DefaultMcpServerManager implements McpServerManager {

	private final DefaultMcpServerRegistry registry;

	DefaultMcpServerManager(DefaultMcpServerRegistry registry) {
		this.registry = registry;
	}

	@Override
	public List<ManagedMcpServer> servers() {
		return List.copyOf(this.registry.all());
	}

	@Override
	public ManagedMcpServer server(String name) {
		return this.registry.get(name);
	}

	@Override
	public Optional<ManagedMcpServer> find(String name) {
		return Optional.ofNullable(this.registry.getIfPresent(name));
	}

	@Override
	public Mono<McpServerStatus> add(McpServerDefinition definition) {
		return this.registry.add(definition);
	}

	@Override
	public Mono<McpServerStatus> replace(McpServerDefinition definition) {
		return this.registry.replace(definition);
	}

	@Override
	public Mono<Void> remove(String name) {
		return this.registry.remove(name);
	}

	@Override
	public Mono<McpServerStatus> enable(String name) {
		return this.registry.enable(name);
	}

	@Override
	public Mono<McpServerStatus> disable(String name) {
		return this.registry.disable(name);
	}

}
