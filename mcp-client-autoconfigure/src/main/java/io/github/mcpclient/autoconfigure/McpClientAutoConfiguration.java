package io.github.mcpclient.autoconfigure;

import java.util.List;

import io.github.mcpclient.McpServerRegistry;
import io.github.mcpclient.McpToolInterceptor;
import io.github.mcpclient.McpToolNamingStrategy;
import io.github.mcpclient.answer.ServerRequestHandlers;
import io.github.mcpclient.auth.Authorizers;
import io.github.mcpclient.authorization.McpHeadersProvider;
import io.github.mcpclient.beans.ApplicationBeans;
import io.github.mcpclient.beans.NamedTools;
import io.github.mcpclient.beans.OwnPort;
import io.github.mcpclient.config.McpProperties;
import io.github.mcpclient.config.McpServersConfig;
import io.github.mcpclient.connection.McpConnectionFactory;
import io.github.mcpclient.definition.McpServerCustomizer;
import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.definition.McpServerDefinitionSource;
import io.github.mcpclient.httpclient.BootHttpClientFactory;
import io.github.mcpclient.observation.McpClientObservations;
import io.github.mcpclient.registry.DefaultMcpServerRegistry;
import io.github.mcpclient.registry.DefaultMcpServerRegistry.ServerConnector;
import io.github.mcpclient.registry.DefaultMcpServerRegistry.Settings;
import io.github.mcpclient.rules.McpServerDefinitions;
import io.github.mcpclient.schema.CheckThreads;
import io.github.mcpclient.session.McpSchemaRuntimeHints;
import io.github.mcpclient.session.StatefulSessionFactory;
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
	HeaderSources mcpHeaderSources(ObjectProvider<McpHeadersProvider> providers, BeanFactory beanFactory,
			ClientThreads threads) {
		return new HeaderSources(() -> providers.orderedStream().toList(), new Authorizers(beanFactory)::get,
				threads::headers);
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

		private final McpServersConfig config;

		private final ClientThreads threads;

		RegistryConfiguration(McpServersConfig config, ClientThreads threads) {
			this.config = config;
			this.threads = threads;
		}

		@Bean
		static NamedTools mcpNamedTools() {
			return new NamedTools();
		}

		@Bean(destroyMethod = "dispose")
		CheckThreads mcpCheckThreads() {
			return new CheckThreads(this.threads.scheduler());
		}

		@Bean
		ToolSettings mcpToolSettings(ObjectProvider<McpToolNamingStrategy> naming,
				ObjectProvider<McpToolInterceptor> interceptors, CheckThreads checks) {
			McpProperties properties = this.config.properties();
			McpToolNamingStrategy strategy = naming.getIfAvailable();
			return new ToolSettings(properties.tools().filter(), properties.tools().toPolicy(),
					(strategy != null) ? new NamesAhead(strategy, this.threads.naming()) : null,
					new ToolInterceptors(() -> interceptors.orderedStream().toList(), this.threads::interceptors,
							checks),
					properties.selections());
		}

		@Bean
		McpTransportFactories mcpTransportFactories(ObjectProvider<McpTransportFactory> factories) {
			return new McpTransportFactories(factories.orderedStream().toList(), this.config.properties().transports());
		}

		@Bean
		ServerRequestHandlers mcpServerRequestHandlers(ConfigurableListableBeanFactory beanFactory, CheckThreads checks,
				Environment environment) {
			return new ServerRequestHandlers(beanFactory, checks, this.threads.scheduler(),
					Threading.VIRTUAL.isActive(environment)
							? new VirtualThreadTaskExecutor("mcp-handler-").getVirtualThreadFactory()
							: DaemonThreads.blocking("mcp-handler"));
		}

		@Bean
		ServerConnector mcpServerConnector(HeaderSources headers, McpTransportFactories transports,
				ServerRequestHandlers handlers, ObjectProvider<McpClientObservations> observations,
				Environment environment) {
			McpConnectionFactory connections = new McpConnectionFactory(
					new StatefulSessionFactory(this.threads.scheduler(), this.threads.progress()::execute),
					this.threads.scheduler(), this.threads.opening(), this.threads.closing(), clientInfo(environment),
					headers, this.config.properties().servers()::containsKey);
			McpClientObservations observers = observations.getIfAvailable();
			return (definition, listener) -> connections.create(definition, () -> transports.create(definition),
					listener, handlers.of(definition), (observers != null) ? observers.of(definition) : List.of());
		}

		@Bean
		DefaultMcpServerRegistry mcpServerRegistry(McpTransportFactories transports, ServerConnector connector,
				ToolSettings tools, ConfigurableApplicationContext context) {
			McpServerDefinitions definitions = new McpServerDefinitions(transports.types(),
					this.config.properties().transports(), Authorizers.types(context),
					all(context, McpServerCustomizer.class));
			McpProperties.Startup startup = this.config.properties().startup();
			return new DefaultMcpServerRegistry(
					new Settings(definitions.of(this.config.servers(transports.types()),
							all(context, McpServerDefinition.class), all(context, McpServerDefinitionSource.class)),
							definitions, startup.mode() == McpProperties.Startup.Mode.LAZY, startup.firstAttempts()),
					connector, tools, this.threads.scheduler(), new ApplicationBeans(context));
		}

		private static <T> List<T> all(BeanFactory beanFactory, Class<T> type) {
			return beanFactory.getBeanProvider(type).orderedStream().toList();
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
