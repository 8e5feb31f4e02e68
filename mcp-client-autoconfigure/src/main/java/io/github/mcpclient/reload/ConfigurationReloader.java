package io.github.mcpclient.reload;

import java.util.Optional;
import java.util.function.Supplier;

import io.github.mcpclient.config.McpServersConfig;
import io.github.mcpclient.internal.registry.DefaultMcpServerRegistry;
import io.github.mcpclient.management.McpReload;
import io.github.mcpclient.management.McpReloadFailure;
import io.github.mcpclient.management.McpServerReloader;
import reactor.core.publisher.Mono;

import org.springframework.beans.factory.DisposableBean;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.core.env.ConfigurableEnvironment;

/**
 * Binds the configuration of another environment, and has the registry make what differs
 * so.
 */
final class ConfigurationReloader implements McpServerReloader, DisposableBean {

	ConfigurationReloader(Supplier<ConfigurableEnvironment> environment, McpServersConfig config,
			DefaultMcpServerRegistry registry, ApplicationEventPublisher publisher) {
	}

	@Override
	public McpReload reload() {
		throw new UnsupportedOperationException();
	}

	@Override
	public Mono<McpReload> reloadAsync() {
		return Mono.fromCallable(this::reload);
	}

	@Override
	public Optional<McpReloadFailure> failure() {
		return Optional.empty();
	}

	@Override
	public void destroy() {
	}

}
