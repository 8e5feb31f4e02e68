package io.github.mcpclient.reload;

import io.github.mcpclient.autoconfigure.McpClientAutoConfiguration;
import io.github.mcpclient.config.McpServersConfig;
import io.github.mcpclient.internal.registry.DefaultMcpServerRegistry;
import io.github.mcpclient.internal.support.ClientThreads;
import io.github.mcpclient.management.McpServerReloader;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;

/**
 * {@link AutoConfiguration Auto-configuration} of the reload of the configuration of the
 * MCP servers. Its beans are created lazily.
 */
@AutoConfiguration(after = McpClientAutoConfiguration.class)
@ConditionalOnMissingBean(McpServerReloader.class)
public final class McpReloadAutoConfiguration {

	// another reloader may record the caller, but a change of a file has no caller
	private static final String OWN = "mcpServerReloader";

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnBean({ DefaultMcpServerRegistry.class, McpServersConfig.class })
	static class EnabledConfiguration {

		@Bean
		@Lazy
		McpServerReloader mcpServerReloader(ConfigurableApplicationContext context, McpServersConfig config,
				DefaultMcpServerRegistry registry, ObjectProvider<FreshEnvironment> watched, ClientThreads threads) {
			return new ConfigurationReloader(watched.getIfAvailable(() -> new FreshEnvironment(context)), config,
					registry, context, threads.scheduler());
		}

		/**
		 * The detection of changes.
		 */
		@Configuration(proxyBeanMethods = false)
		@ConditionalOnBooleanProperty("mcp.reload.enabled")
		static class WatchConfiguration {

			@Bean
			FreshEnvironment mcpFreshEnvironment(ConfigurableApplicationContext context) {
				return new FreshEnvironment(context);
			}

			@Bean
			ConfigurationWatcher mcpConfigurationWatcher(FreshEnvironment environment,
					@Qualifier(OWN) McpServerReloader reloader, McpServersConfig config) {
				// the reloader logs and publishes failures
				return new ConfigurationWatcher(environment, () -> reloader.reloadAsync().onErrorComplete().block(),
						config.properties().reload().interval());
			}

			@Bean
			@ConditionalOnClass(name = EnvironmentChangeListener.EVENT)
			EnvironmentChangeListener mcpEnvironmentChangeListener(FreshEnvironment environment,
					@Qualifier(OWN) McpServerReloader reloader) {
				// the bean of this configuration
				ConfigurationReloader own = (ConfigurationReloader) reloader;
				return new EnvironmentChangeListener(() -> own.reloadAsync(environment.afterChange()));
			}

		}

	}

	/**
	 * There is nothing to reload.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnBooleanProperty(name = "mcp.enabled", havingValue = false)
	static class DisabledConfiguration {

		@Bean
		@Lazy
		McpServerReloader mcpServerReloader() {
			return new DisabledMcpServerReloader();
		}

	}

}
