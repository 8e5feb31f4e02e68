package io.github.mcpclient.declared;

import io.github.mcpclient.McpServerRegistry;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/**
 * {@link AutoConfiguration Auto-configuration} of declared clients.
 */
@AutoConfiguration(afterName = "io.github.mcpclient.autoconfigure.McpClientAutoConfiguration")
@ConditionalOnBean(McpServerRegistry.class)
public final class McpDeclaredClientsAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean
	McpToolClientFactory mcpToolClientFactory(McpServerRegistry registry) {
		return new McpToolClientFactory(registry);
	}

}
