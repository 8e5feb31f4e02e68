package io.github.mcpclient.autoconfigure;

import io.github.mcpclient.McpHeadersProvider;
import io.github.mcpclient.auth.Authorizers;
import io.github.mcpclient.support.ClientThreads;
import io.github.mcpclient.transport.HeaderSources;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * The headers that the application provides for requests, and their authorization.
 */
@Configuration(proxyBeanMethods = false)
class McpAuthConfiguration {

	@Bean
	Authorizers mcpAuthorizers(BeanFactory beanFactory) {
		return new Authorizers(beanFactory);
	}

	@Bean
	HeaderSources mcpHeaderSources(ObjectProvider<McpHeadersProvider> providers, Authorizers authorizers,
			ClientThreads threads) {
		return new HeaderSources(() -> providers.orderedStream().toList(), authorizers::get, threads::headers);
	}

}
