package io.github.mcpclient.autoconfigure;

import io.github.mcpclient.McpServerRegistry;
import io.github.mcpclient.actuate.McpEndpoint;
import io.github.mcpclient.actuate.McpEndpointWebExtension;
import reactor.core.scheduler.Scheduler;

import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.autoconfigure.endpoint.expose.EndpointExposure;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.Environment;

/**
 * {@link AutoConfiguration Auto-configuration} for {@link McpEndpoint}.
 */
@AutoConfiguration(afterName = "io.github.mcpclient.autoconfigure.McpClientAutoConfiguration")
@ConditionalOnClass(ConditionalOnAvailableEndpoint.class)
@ConditionalOnBean(McpServerRegistry.class)
@ConditionalOnAvailableEndpoint(McpEndpoint.class)
@Import(McpSchedulerConfiguration.class)
public final class McpEndpointAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean
	McpEndpoint mcpEndpoint(McpServerRegistry registry, @Qualifier("mcpScheduler") Scheduler timer,
			Environment environment) {
		return new McpEndpoint(registry, timer, environment.getProperty("mcp.enabled", Boolean.class, true));
	}

	@Bean
	@ConditionalOnMissingBean
	@ConditionalOnAvailableEndpoint(endpoint = McpEndpoint.class, exposure = EndpointExposure.WEB)
	McpEndpointWebExtension mcpEndpointWebExtension(McpEndpoint endpoint) {
		return new McpEndpointWebExtension(endpoint);
	}

}
