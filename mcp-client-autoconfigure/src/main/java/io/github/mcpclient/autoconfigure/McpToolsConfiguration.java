package io.github.mcpclient.autoconfigure;

import io.github.mcpclient.McpServerRegistry;
import io.github.mcpclient.McpToolCatalog;
import io.github.mcpclient.config.McpServersConfig;

import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.support.AbstractBeanDefinition;
import org.springframework.beans.factory.support.AutowireCandidateQualifier;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.ImportBeanDefinitionRegistrar;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotationMetadata;

/**
 * The catalog of tools and its named selections, of any registry.
 */
@Configuration(proxyBeanMethods = false)
@Import(McpToolsConfiguration.Selections.class)
class McpToolsConfiguration {

	@Bean
	@ConditionalOnMissingBean
	McpToolCatalog mcpToolCatalog(McpServerRegistry registry) {
		return registry.tools();
	}

	/**
	 * Registers each selection of tools as a bean with its name as the qualifier. These
	 * beans are not candidates for a catalog without a qualifier.
	 */
	record Selections(Environment environment) implements ImportBeanDefinitionRegistrar {

		@Override
		public void registerBeanDefinitions(AnnotationMetadata metadata, BeanDefinitionRegistry registry) {
			if (this.environment instanceof ConfigurableEnvironment configurable) {
				McpServersConfig.selectionNames(configurable)
					.forEach((name) -> registry.registerBeanDefinition("mcpSelection." + name, definition(name)));
			}
		}

		private static BeanDefinition definition(String name) {
			RootBeanDefinition definition = new RootBeanDefinition(Selections.class);
			definition.setFactoryMethodName("selection");
			definition.setAutowireMode(AbstractBeanDefinition.AUTOWIRE_CONSTRUCTOR);
			definition.getConstructorArgumentValues().addIndexedArgumentValue(1, name);
			definition.addQualifier(new AutowireCandidateQualifier(Qualifier.class, name));
			definition.setDefaultCandidate(false);
			return definition;
		}

		static McpToolCatalog selection(McpToolCatalog catalog, String name) {
			return catalog.selection(name);
		}

	}

}
