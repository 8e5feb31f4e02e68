package io.github.mcpclient.autoconfigure;

import io.github.mcpclient.McpServerRegistry;
import io.github.mcpclient.actuate.McpEndpoint;
import io.github.mcpclient.actuate.McpEndpointWebExtension;

import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.autoconfigure.endpoint.expose.EndpointExposure;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/**
 * {@link AutoConfiguration Auto-configuration} for {@link McpEndpoint}.
 */
@AutoConfiguration(afterName = "io.github.mcpclient.autoconfigure.McpClientAutoConfiguration")
@ConditionalOnClass(ConditionalOnAvailableEndpoint.class)
@ConditionalOnBean(McpServerRegistry.class)
@ConditionalOnAvailableEndpoint(McpEndpoint.class)
public final class McpEndpointAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean
	McpEndpoint mcpEndpoint(McpServerRegistry registry) {
		return new McpEndpoint(registry);
	}

	@Bean
	@ConditionalOnMissingBean
	@ConditionalOnAvailableEndpoint(endpoint = McpEndpoint.class, exposure = EndpointExposure.WEB)
	McpEndpointWebExtension mcpEndpointWebExtension(McpEndpoint endpoint) {
		return new McpEndpointWebExtension(endpoint);
	}

}
