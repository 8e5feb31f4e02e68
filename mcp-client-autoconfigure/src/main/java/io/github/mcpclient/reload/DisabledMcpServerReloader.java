package io.github.mcpclient.reload;

import java.util.Optional;

import io.github.mcpclient.management.McpReload;
import io.github.mcpclient.management.McpReloadFailure;
import io.github.mcpclient.management.McpServerReloader;
import reactor.core.publisher.Mono;

/**
 * The reloader of a disabled client, which has no servers.
 */
final class DisabledMcpServerReloader implements McpServerReloader {

	@Override
	public McpReload reload() {
		throw new IllegalStateException("The configuration cannot be reloaded: the MCP client is disabled"
				+ " (mcp.enabled is false). To enable it, start the application again");
	}

	@Override
	public Mono<McpReload> reloadAsync() {
		return Mono.fromCallable(this::reload);
	}

	@Override
	public Optional<McpReloadFailure> failure() {
		return Optional.empty();
	}

}
