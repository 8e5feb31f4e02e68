package io.github.mcpclient.declared;

import java.time.Duration;
import java.util.function.Consumer;

import io.github.mcpclient.McpServerRegistry;
import io.github.mcpclient.McpToolInterceptor;
import io.github.mcpclient.internal.support.ClientThreads;
import io.github.mcpclient.internal.support.JsonValues;
import io.github.mcpclient.management.McpServerManager;
import io.github.mcpclient.spi.McpJsonMapperCustomizer;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

/**
 * {@link AutoConfiguration Auto-configuration} of declared clients.
 */
@AutoConfiguration(afterName = "io.github.mcpclient.autoconfigure.McpClientAutoConfiguration")
@ConditionalOnBean(McpServerRegistry.class)
public final class McpDeclaredClientsAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean
	McpToolClientFactory mcpToolClientFactory(McpServerRegistry registry,
			ObjectProvider<McpJsonMapperCustomizer> customizers, ObjectProvider<McpToolInterceptor> interceptors) {
		return new McpToolClientFactory(registry,
				JsonValues.mapper(customizers
					.orderedStream().<Consumer<JsonMapper.Builder>>map((customizer) -> customizer::customize).toList()),
				interceptors::orderedStream);
	}

	/**
	 * What compares declared clients with their servers.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnBooleanProperty(name = "mcp.enabled", matchIfMissing = true)
	@ConditionalOnBean(ClientThreads.class)
	static class ComparisonConfiguration {

		@Bean
		static ServerListings mcpDeclaredClientListings(ApplicationEventPublisher events) {
			return new ServerListings(events);
		}

		@Bean
		ComparedClients mcpComparedClients(McpToolClientFactory factory, McpServerRegistry registry,
				ObjectProvider<McpServerManager> manager, ServerListings listings, ClientThreads threads) {
			return new ComparedClients(factory, registry, manager.getIfAvailable(), listings, threads);
		}

		@Bean
		RequiredClients mcpRequiredClients(McpToolClientFactory factory, McpServerRegistry registry,
				ObjectProvider<McpServerManager> manager, ComparedClients compared, Environment environment) {
			return new RequiredClients(factory, registry, manager.getIfAvailable(), compared,
					Binder.get(environment).bind("mcp.startup.wait", Duration.class).orElse(Duration.ofSeconds(5)));
		}

	}

}
