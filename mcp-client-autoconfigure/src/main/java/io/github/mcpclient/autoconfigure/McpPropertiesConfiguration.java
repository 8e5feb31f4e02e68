package io.github.mcpclient.autoconfigure;

import io.github.mcpclient.McpServerConnectionDetails;
import io.github.mcpclient.auth.Authorizers;
import io.github.mcpclient.config.McpProperties;
import io.github.mcpclient.config.McpPropertiesBindHandlerAdvisor;
import io.github.mcpclient.config.McpPropertiesRuntimeHints;
import io.github.mcpclient.config.McpServersConfig;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.http.client.HttpClientSettings;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.ImportRuntimeHints;
import org.springframework.core.env.ConfigurableEnvironment;

/**
 * The configuration of the MCP servers, and the bean that shows it.
 */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties
@ImportRuntimeHints(McpPropertiesRuntimeHints.class)
class McpPropertiesConfiguration {

	@Bean
	static McpPropertiesBindHandlerAdvisor mcpPropertiesBindHandlerAdvisor() {
		return new McpPropertiesBindHandlerAdvisor();
	}

	@Bean
	McpServersConfig mcpServersConfig(ConfigurableEnvironment environment,
			ObjectProvider<McpServerConnectionDetails> connections, ObjectProvider<HttpClientSettings> http,
			ListableBeanFactory beanFactory) {
		return new McpServersConfig(environment, connections.orderedStream().toList(),
				http.getIfAvailable(HttpClientSettings::defaults).connectTimeout(), Authorizers.types(beanFactory));
	}

	@Bean
	McpProperties mcpProperties(McpServersConfig config) {
		return config.properties();
	}

}
