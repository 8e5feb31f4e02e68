package io.github.mcpclient.autoconfigure;

import io.github.mcpclient.internal.support.ClientThreads;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * The threads of the client; a bean, so that they end after whatever uses them.
 */
@Configuration(proxyBeanMethods = false)
class McpThreadsConfiguration {

	@Bean(destroyMethod = "dispose")
	ClientThreads mcpClientThreads() {
		return new ClientThreads();
	}

}
