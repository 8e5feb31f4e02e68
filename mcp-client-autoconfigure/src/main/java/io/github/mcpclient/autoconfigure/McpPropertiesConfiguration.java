package io.github.mcpclient.autoconfigure;

import java.util.List;

import io.github.mcpclient.config.McpProperties;
import io.github.mcpclient.config.McpServersConfig;
import io.github.mcpclient.definition.McpToolRule;
import io.github.mcpclient.internal.validation.McpServerDefinitions;
import io.github.mcpclient.service.McpServerConnectionDetails;
import org.jspecify.annotations.Nullable;

import org.springframework.aot.hint.ExecutableMode;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.aot.hint.TypeReference;
import org.springframework.aot.hint.annotation.RegisterReflectionForBinding;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.context.properties.ConfigurationPropertiesBindHandlerAdvisor;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.bind.AbstractBindHandler;
import org.springframework.boot.context.properties.bind.BindContext;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
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
@RegisterReflectionForBinding(McpProperties.class)
@ImportRuntimeHints(McpPropertiesConfiguration.Hints.class)
class McpPropertiesConfiguration {

	/**
	 * Keep Boot from binding what {@link McpServersConfig} has read.
	 */
	@Bean
	static ConfigurationPropertiesBindHandlerAdvisor mcpPropertiesBindHandlerAdvisor() {
		return (handler) -> new AbstractBindHandler(handler) {

			@Override
			public <T> @Nullable Bindable<T> onStart(ConfigurationPropertyName name, Bindable<T> target,
					BindContext context) {
				// nothing is bound without a target
				return (target.getType().resolve() == McpProperties.class) ? null
						: super.onStart(name, target, context);
			}

		};
	}

	@Bean
	McpServersConfig mcpServersConfig(ConfigurableEnvironment environment,
			ObjectProvider<McpServerConnectionDetails> connections, ObjectProvider<HttpClientSettings> http,
			ListableBeanFactory beanFactory) {
		return new McpServersConfig(environment, connections.orderedStream().toList(),
				http.getIfAvailable(HttpClientSettings::defaults).connectTimeout(),
				McpServerDefinitions.authorizationTypes(beanFactory));
	}

	@Bean
	McpProperties mcpProperties(McpServersConfig config) {
		return config.properties();
	}

	static class Hints implements RuntimeHintsRegistrar {

		@Override
		public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
			// where modules register what they bind
			hints.resources().registerPattern("META-INF/spring/" + McpProperties.class.getName() + ".imports");
			// what converts texts
			hints.reflection()
				.registerType(McpToolRule.Rate.class, (rate) -> rate.withMethod("of",
						List.of(TypeReference.of(String.class)), ExecutableMode.INVOKE));
		}

	}

}
