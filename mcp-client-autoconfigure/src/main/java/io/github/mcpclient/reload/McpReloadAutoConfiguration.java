package io.github.mcpclient.reload;

import io.github.mcpclient.autoconfigure.McpClientAutoConfiguration;
import io.github.mcpclient.config.McpServersConfig;
import io.github.mcpclient.internal.registry.DefaultMcpServerRegistry;
import io.github.mcpclient.management.McpServerReloader;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.env.ConfigurableEnvironment;

/**
 * {@link AutoConfiguration Auto-configuration} of what reloads the configuration of the
 * MCP servers. Nothing of it is created before somebody asks for it.
 */
@AutoConfiguration(after = McpClientAutoConfiguration.class)
@ConditionalOnMissingBean(McpServerReloader.class)
public final class McpReloadAutoConfiguration {

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnBean({ DefaultMcpServerRegistry.class, McpServersConfig.class })
	static class EnabledConfiguration {

		@Bean
		@Lazy
		McpServerReloader mcpServerReloader(ConfigurableEnvironment environment, McpServersConfig config,
				DefaultMcpServerRegistry registry, ApplicationEventPublisher publisher) {
			return new ConfigurationReloader(() -> environment, config, registry, publisher);
		}

	}

	/**
	 * There is nothing to reload.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnBooleanProperty(name = "mcp.enabled", havingValue = false)
	static class DisabledConfiguration {

		@Bean
		@Lazy
		McpServerReloader mcpServerReloader() {
			return new DisabledMcpServerReloader();
		}

	}

}
