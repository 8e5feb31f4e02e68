package io.github.mcpclient.autoconfigure;

import java.util.List;

import io.github.mcpclient.actuate.McpEndpoint;
import io.github.mcpclient.actuate.McpEndpointWebExtension;
import io.github.mcpclient.config.McpServersConfig;
import io.github.mcpclient.internal.support.ClientThreads;
import io.github.mcpclient.management.McpServerManager;
import io.github.mcpclient.management.McpServerReloader;
import io.github.mcpclient.spi.McpToolClientMismatches;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
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
@AutoConfiguration(after = McpClientAutoConfiguration.class)
@ConditionalOnClass(ConditionalOnAvailableEndpoint.class)
@ConditionalOnBean(McpServerManager.class)
@ConditionalOnAvailableEndpoint(McpEndpoint.class)
@Import(McpThreadsConfiguration.class)
public final class McpEndpointAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean
	McpEndpoint mcpEndpoint(McpServerManager manager, Environment environment, BeanFactory beans) {
		// a disabled client has no servers, and so no actions that take time
		Scheduler timer = beans.getBeanProvider(ClientThreads.class)
			.stream()
			.<Scheduler>map(ClientThreads::scheduler)
			.findFirst()
			.orElseGet(Schedulers::immediate);
		ObjectProvider<McpServersConfig> config = beans.getBeanProvider(McpServersConfig.class);
		return new McpEndpoint(manager, timer, environment.getProperty("mcp.enabled", Boolean.class, true),
				() -> config.stream().flatMap((servers) -> servers.warnings().stream()).toList(),
				beans.getBeanProvider(McpToolClientMismatches.class).getIfAvailable(() -> List::of),
				beans.getBeanProvider(McpServerReloader.class)::getIfAvailable);
	}

	@Bean
	@ConditionalOnMissingBean
	@ConditionalOnAvailableEndpoint(endpoint = McpEndpoint.class, exposure = EndpointExposure.WEB)
	McpEndpointWebExtension mcpEndpointWebExtension(McpEndpoint endpoint) {
		return new McpEndpointWebExtension(endpoint);
	}

}
