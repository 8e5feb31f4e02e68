package io.github.mcpclient.autoconfigure;

import java.util.List;

import io.github.mcpclient.McpServerRegistry;
import io.github.mcpclient.authorization.McpCallerIdentity;
import io.github.mcpclient.config.McpProperties;
import io.github.mcpclient.config.McpServersConfig;
import io.github.mcpclient.definition.InvalidMcpConfigurationException;
import io.github.mcpclient.definition.InvalidMcpConfigurationException.Problem;
import io.github.mcpclient.internal.assembly.ClientAssembly;
import io.github.mcpclient.internal.assembly.ClientAssembly.Settings;
import io.github.mcpclient.internal.httpclient.BootHttpClientFactory;
import io.github.mcpclient.internal.registry.DefaultMcpServerRegistry;
import io.github.mcpclient.internal.support.ClientThreads;
import io.github.mcpclient.internal.support.DaemonThreads;
import io.github.mcpclient.management.McpServerManager;
import io.github.mcpclient.spi.McpHttpClientFactory;
import io.github.mcpclient.spi.McpToolListingCustomizer;
import io.modelcontextprotocol.spec.McpSchema.Implementation;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.http.client.HttpClientSettings;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.boot.thread.Threading;
import org.springframework.boot.web.server.context.WebServerInitializedEvent;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.Environment;
import org.springframework.core.task.VirtualThreadTaskExecutor;
import org.springframework.http.client.ReactorResourceFactory;
import org.springframework.security.core.context.SecurityContextHolder;

/**
 * {@link AutoConfiguration Auto-configuration} of the MCP client: the registry with its
 * transports, and the catalog of tools.
 */
@AutoConfiguration(afterName = { "org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration",
		"org.springframework.boot.http.client.autoconfigure.HttpClientAutoConfiguration",
		"org.springframework.boot.http.client.autoconfigure.reactive.ReactiveHttpClientAutoConfiguration" })
@Import({ McpThreadsConfiguration.class, McpToolsConfiguration.class })
public final class McpClientAutoConfiguration {

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnBooleanProperty(name = "mcp.enabled", matchIfMissing = true)
	@Import(McpPropertiesConfiguration.class)
	static class EnabledConfiguration {

		@Bean
		@ConditionalOnMissingBean
		McpHttpClientFactory mcpHttpClientFactory(ObjectProvider<HttpClientSettings> settings,
				ObjectProvider<ReactorResourceFactory> resources, ObjectProvider<SslBundles> sslBundles,
				McpServersConfig config) {
			return new BootHttpClientFactory(settings.getIfAvailable(), resources.getIfAvailable(),
					sslBundles.getIfAvailable(), config.sslBundles());
		}

		/**
		 * The registry, and beans that only this registry uses.
		 */
		@Configuration(proxyBeanMethods = false)
		@ConditionalOnMissingBean(McpServerRegistry.class)
		static class RegistryConfiguration {

			@Bean
			static NamedTools mcpNamedTools() {
				return new NamedTools();
			}

			@Bean
			ClientAssembly mcpClientAssembly(ConfigurableListableBeanFactory beanFactory, ClientThreads threads,
					Environment environment) {
				return new ClientAssembly(beanFactory, threads,
						Threading.VIRTUAL.isActive(environment)
								? new VirtualThreadTaskExecutor("mcp-handler-").getVirtualThreadFactory()
								: DaemonThreads.blocking("mcp-handler"));
			}

			@Bean
			DefaultMcpServerRegistry mcpServerRegistry(ClientAssembly assembly, McpServersConfig config,
					ConfigurableApplicationContext context) {
				McpProperties properties = config.properties();
				McpProperties.Startup startup = properties.startup();
				checkSearch(properties, context.getBeanProvider(McpToolListingCustomizer.class));
				return assembly.registry(
						new Settings(clientInfo(context.getEnvironment()), properties.transports(), config::servers,
								startup.mode() == McpProperties.Startup.Mode.LAZY, startup.firstAttempts(),
								properties.tools().filter(), properties.tools().toPolicy(), properties.selections()),
						new ApplicationBeans(context, properties.tools().beans()));
			}

			@Bean
			McpServerManager mcpServerManager(DefaultMcpServerRegistry registry) {
				return registry.manager();
			}

			private static void checkSearch(McpProperties properties,
					ObjectProvider<McpToolListingCustomizer> customizers) {
				if (properties.tools().search().enabled()
						&& customizers.stream().noneMatch((one) -> one.settings().contains("tools.search"))) {
					throw new InvalidMcpConfigurationException(List.of(new Problem("mcp.tools.search.enabled",
							"This needs a module that is not on the class path. Add the dependency "
									+ "io.github.mcpclient:mcp-client-agents.",
							null)));
				}
			}

			// the name and version of the application, as far as Spring Boot knows them
			private static Implementation clientInfo(Environment environment) {
				String version = environment.getProperty("spring.application.version",
						McpClientAutoConfiguration.class.getPackage().getImplementationVersion());
				return Implementation
					.builder(environment.getProperty("spring.application.name", "mcp-client"),
							(version != null) ? version : "unknown")
					.build();
			}

			@Configuration(proxyBeanMethods = false)
			@ConditionalOnClass(SecurityContextHolder.class)
			static class SecurityConfiguration {

				@Bean
				@ConditionalOnMissingBean
				McpCallerIdentity mcpCallerIdentity() {
					return new SignedInCallers();
				}

			}

			@Configuration(proxyBeanMethods = false)
			@ConditionalOnClass(WebServerInitializedEvent.class)
			static class WebServerConfiguration {

				@Bean
				OwnPort mcpOwnPort(ObjectProvider<DefaultMcpServerRegistry> registry) {
					return new OwnPort(registry);
				}

			}

		}

	}

	/**
	 * The beans that applications inject, without servers and tools.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnBooleanProperty(name = "mcp.enabled", havingValue = false)
	@ConditionalOnMissingBean(McpServerRegistry.class)
	static class DisabledConfiguration {

		@Bean
		static NamedTools mcpNamedTools() {
			return new NamedTools();
		}

		@Bean
		DisabledMcpServerRegistry mcpServerRegistry(ConfigurableEnvironment environment) {
			McpServersConfig.warnOfUnknown(environment);
			return new DisabledMcpServerRegistry();
		}

		@Bean
		DisabledMcpServerManager mcpServerManager() {
			return new DisabledMcpServerManager();
		}

	}

}
