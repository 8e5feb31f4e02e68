package io.github.mcpclient.autoconfigure;

import io.github.mcpclient.internal.support.ClientThreads;

import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * The threads of the client. They are a bean, so that they end after the beans that use
 * them.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnBooleanProperty(name = "mcp.enabled", matchIfMissing = true)
class McpThreadsConfiguration {

	@Bean(destroyMethod = "dispose")
	ClientThreads mcpClientThreads() {
		return new ClientThreads();
	}

}
