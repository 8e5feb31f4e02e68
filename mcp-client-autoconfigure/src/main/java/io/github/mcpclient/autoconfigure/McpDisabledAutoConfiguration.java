package io.github.mcpclient.autoconfigure;

import io.github.mcpclient.McpServerRegistry;
import io.github.mcpclient.beans.NamedTools;
import io.github.mcpclient.config.McpServersConfig;
import io.github.mcpclient.registry.DisabledMcpServerRegistry;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.ConfigurableEnvironment;

/**
 * {@link AutoConfiguration Auto-configuration} of a disabled MCP client: everything that
 * applications inject is present, without servers and tools.
 */
@AutoConfiguration(before = McpClientAutoConfiguration.class)
@ConditionalOnBooleanProperty(name = "mcp.enabled", havingValue = false)
@Import(McpToolsConfiguration.class)
public final class McpDisabledAutoConfiguration {

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnMissingBean(McpServerRegistry.class)
	static class RegistryConfiguration {

		@Bean
		static NamedTools mcpNamedTools() {
			return new NamedTools();
		}

		@Bean
		DisabledMcpServerRegistry mcpServerRegistry(ConfigurableEnvironment environment) {
			McpServersConfig.warnOfUnknown(environment);
			return new DisabledMcpServerRegistry();
		}

	}

}
