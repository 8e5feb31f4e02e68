package io.github.mcpclient.autoconfigure;

import java.util.List;

import io.github.mcpclient.McpHeadersProvider;
import io.github.mcpclient.McpServerCustomizer;
import io.github.mcpclient.McpServerDefinition;
import io.github.mcpclient.McpServerDefinitionSource;
import io.github.mcpclient.McpServerRegistry;
import io.github.mcpclient.McpToolInterceptor;
import io.github.mcpclient.McpToolNamingStrategy;
import io.github.mcpclient.auth.Authorizers;
import io.github.mcpclient.beans.ApplicationBeans;
import io.github.mcpclient.beans.NamedTools;
import io.github.mcpclient.beans.OwnPort;
import io.github.mcpclient.config.McpProperties;
import io.github.mcpclient.config.McpServersConfig;
import io.github.mcpclient.connection.McpConnectionFactory;
import io.github.mcpclient.definition.McpServerDefinitions;
import io.github.mcpclient.handler.ServerRequestHandlers;
import io.github.mcpclient.httpclient.BootHttpClientFactory;
import io.github.mcpclient.observation.McpClientObservations;
import io.github.mcpclient.registry.DefaultMcpServerRegistry;
import io.github.mcpclient.registry.DefaultMcpServerRegistry.ConnectionFactory;
import io.github.mcpclient.schema.CheckThreads;
import io.github.mcpclient.session.McpSchemaRuntimeHints;
import io.github.mcpclient.session.McpSessionFactory;
import io.github.mcpclient.support.ClientThreads;
import io.github.mcpclient.support.DaemonThreads;
import io.github.mcpclient.tool.NamesAhead;
import io.github.mcpclient.tool.ToolInterceptors;
import io.github.mcpclient.tool.ToolSettings;
import io.github.mcpclient.transport.HeaderSources;
import io.github.mcpclient.transport.McpTransportFactories;
import io.github.mcpclient.transport.McpTransportFactory;
import io.github.mcpclient.transport.http.HttpTransportFactory;
import io.github.mcpclient.transport.http.McpHttpClientCustomizer;
import io.github.mcpclient.transport.http.McpHttpClientFactory;
import io.github.mcpclient.transport.http.McpHttpClients;
import io.github.mcpclient.transport.stdio.StdioTransportFactory;
import io.github.mcpclient.transport.websocket.WebSocketTransportFactory;
import io.modelcontextprotocol.spec.McpSchema.Implementation;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ListableBeanFactory;
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
import org.springframework.context.annotation.ImportRuntimeHints;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.Environment;
import org.springframework.core.task.VirtualThreadTaskExecutor;
import org.springframework.http.client.ReactorResourceFactory;

/**
 * {@link AutoConfiguration Auto-configuration} of the MCP client: the registry with its
 * transports, the catalog of tools, and the executor for agent loops.
 */
@AutoConfiguration(afterName = { "org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration",
		"org.springframework.boot.http.client.autoconfigure.HttpClientAutoConfiguration",
		"org.springframework.boot.http.client.autoconfigure.reactive.ReactiveHttpClientAutoConfiguration" })
@ConditionalOnBooleanProperty(name = "mcp.enabled", matchIfMissing = true)
@Import({ McpPropertiesConfiguration.class, McpThreadsConfiguration.class, McpToolsConfiguration.class })
@ImportRuntimeHints(McpSchemaRuntimeHints.class)
public final class McpClientAutoConfiguration {

	@Bean
	Authorizers mcpAuthorizers(BeanFactory beanFactory) {
		return new Authorizers(beanFactory);
	}

	@Bean
	HeaderSources mcpHeaderSources(ObjectProvider<McpHeadersProvider> providers, Authorizers authorizers,
			ClientThreads threads) {
		return new HeaderSources(() -> providers.orderedStream().toList(), authorizers::get, threads::headers);
	}

	@Bean
	@Order(Ordered.LOWEST_PRECEDENCE)
	McpTransportFactory stdioMcpTransportFactory(ClientThreads threads) {
		return new StdioTransportFactory(mapper(), threads.scheduler());
	}

	@Bean
	@ConditionalOnMissingBean
	McpHttpClientFactory mcpHttpClientFactory(ObjectProvider<HttpClientSettings> settings,
			ObjectProvider<ReactorResourceFactory> resources, ObjectProvider<SslBundles> sslBundles,
			McpServersConfig config) {
		return new BootHttpClientFactory(settings.getIfAvailable(), resources.getIfAvailable(),
				sslBundles.getIfAvailable(), config.sslBundles());
	}

	@Bean
	McpHttpClients mcpHttpClients(McpHttpClientFactory factory, ObjectProvider<McpHttpClientCustomizer> customizers) {
		return new McpHttpClients(factory, customizers.orderedStream().toList());
	}

	@Bean
	@Order(Ordered.LOWEST_PRECEDENCE)
	McpTransportFactory streamableHttpMcpTransportFactory(McpHttpClients clients, HeaderSources headers,
			ClientThreads threads) {
		return HttpTransportFactory.streamable(clients, headers, mapper(), threads.scheduler());
	}

	@Bean
	@Order(Ordered.LOWEST_PRECEDENCE)
	McpTransportFactory sseMcpTransportFactory(McpHttpClients clients, HeaderSources headers, ClientThreads threads) {
		return HttpTransportFactory.sse(clients, headers, mapper(), threads.scheduler());
	}

	@Bean
	@Order(Ordered.LOWEST_PRECEDENCE)
	McpTransportFactory webSocketMcpTransportFactory(McpHttpClients clients, HeaderSources headers,
			ClientThreads threads) {
		return new WebSocketTransportFactory(clients, headers, mapper(), threads.scheduler());
	}

	// a mapper of our own: the application's may be configured for its own data
	private static JsonMapper mapper() {
		return JsonMapper.builder().build();
	}

	/**
	 * The registry, and what is of use to no other.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnMissingBean(McpServerRegistry.class)
	static class RegistryConfiguration {

		@Bean
		static NamedTools mcpNamedTools() {
			return new NamedTools();
		}

		@Bean(destroyMethod = "dispose")
		CheckThreads mcpCheckThreads(ClientThreads threads) {
			return new CheckThreads(threads.scheduler());
		}

		@Bean
		ToolSettings mcpToolSettings(McpServersConfig config, ObjectProvider<McpToolNamingStrategy> naming,
				ObjectProvider<McpToolInterceptor> interceptors, CheckThreads checks, ClientThreads threads) {
			McpProperties properties = config.properties();
			McpToolNamingStrategy strategy = naming.getIfAvailable();
			return new ToolSettings(properties.tools().filter(), properties.tools().toPolicy(),
					(strategy != null) ? new NamesAhead(strategy, threads.naming()) : null,
					new ToolInterceptors(() -> interceptors.orderedStream().toList(), threads::interceptors, checks),
					properties.selections());
		}

		@Bean
		McpTransportFactories mcpTransportFactories(McpServersConfig config,
				ObjectProvider<McpTransportFactory> factories) {
			return new McpTransportFactories(factories.orderedStream().toList(), config.properties().transports());
		}

		@Bean
		McpServerDefinitions mcpServerDefinitions(McpServersConfig config, McpTransportFactories transports,
				ObjectProvider<McpServerCustomizer> customizers, ListableBeanFactory beanFactory) {
			return new McpServerDefinitions(transports.types(), config.properties().transports(),
					Authorizers.types(beanFactory), customizers.orderedStream().toList());
		}

		@Bean
		DefaultMcpServerRegistry.Settings mcpRegistrySettings(McpServersConfig config, McpTransportFactories transports,
				McpServerDefinitions definitions, ObjectProvider<McpServerDefinition> added,
				ObjectProvider<McpServerDefinitionSource> sources) {
			McpProperties.Startup startup = config.properties().startup();
			return new DefaultMcpServerRegistry.Settings(
					definitions.of(config.servers(transports.types()), added.orderedStream().toList(),
							sources.orderedStream().toList()),
					definitions, startup.mode() == McpProperties.Startup.Mode.LAZY, startup.firstAttempts());
		}

		@Bean
		ServerRequestHandlers mcpServerRequestHandlers(ConfigurableListableBeanFactory beanFactory, CheckThreads checks,
				ClientThreads threads, Environment environment) {
			return new ServerRequestHandlers(beanFactory, checks, threads.scheduler(),
					Threading.VIRTUAL.isActive(environment)
							? new VirtualThreadTaskExecutor("mcp-handler-").getVirtualThreadFactory()
							: DaemonThreads.blocking("mcp-handler"));
		}

		@Bean
		McpConnectionFactory mcpConnections(HeaderSources headers, ClientThreads threads, McpServersConfig config,
				Environment environment) {
			return new McpConnectionFactory(new McpSessionFactory(threads.scheduler(), threads.progress()::execute),
					threads.scheduler(), threads.opening(), threads.closing(), clientInfo(environment), headers,
					config.properties().servers()::containsKey);
		}

		@Bean
		ConnectionFactory mcpConnectionFactory(McpConnectionFactory connections, McpTransportFactories transports,
				ServerRequestHandlers handlers, ObjectProvider<McpClientObservations> observations) {
			McpClientObservations observers = observations.getIfAvailable();
			return (definition, listener) -> connections.create(definition, () -> transports.create(definition),
					listener, handlers.of(definition), (observers != null) ? observers.of(definition) : List.of());
		}

		@Bean
		DefaultMcpServerRegistry mcpServerRegistry(DefaultMcpServerRegistry.Settings settings,
				ConnectionFactory connections, ToolSettings tools, ClientThreads threads,
				ConfigurableApplicationContext context) {
			return new DefaultMcpServerRegistry(settings, connections, tools, threads.scheduler(),
					new ApplicationBeans(context));
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
		@ConditionalOnClass(WebServerInitializedEvent.class)
		static class WebServerConfiguration {

			@Bean
			OwnPort mcpOwnPort(ObjectProvider<DefaultMcpServerRegistry> registry) {
				return new OwnPort(registry);
			}

		}

	}

}
