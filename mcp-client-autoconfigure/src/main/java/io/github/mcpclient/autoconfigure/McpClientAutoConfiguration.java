package io.github.mcpclient.autoconfigure;

import io.github.mcpclient.McpHeadersProvider;
import io.github.mcpclient.McpServerCustomizer;
import io.github.mcpclient.McpServerDefinition;
import io.github.mcpclient.McpServerDefinitionSource;
import io.github.mcpclient.McpServerRegistry;
import io.github.mcpclient.McpToolCatalog;
import io.github.mcpclient.McpToolExecutor;
import io.github.mcpclient.McpToolInterceptor;
import io.github.mcpclient.McpToolNamingStrategy;
import io.github.mcpclient.config.McpProperties;
import io.github.mcpclient.config.McpServerDefinitions;
import io.github.mcpclient.config.McpServersConfig;
import io.github.mcpclient.connection.McpConnectionFactory;
import io.github.mcpclient.registry.DefaultMcpServerRegistry;
import io.github.mcpclient.registry.NamedTools;
import io.github.mcpclient.registry.OwnPort;
import io.github.mcpclient.registry.RegistrySettings;
import io.github.mcpclient.session.McpSchemaRuntimeHints;
import io.github.mcpclient.session.McpSessionFactory;
import io.github.mcpclient.support.ClientScheduler;
import io.github.mcpclient.tool.CheckThreads;
import io.github.mcpclient.tool.ToolExecutor;
import io.github.mcpclient.tool.ToolInterceptors;
import io.github.mcpclient.tool.ToolSettings;
import io.github.mcpclient.transport.McpTransportFactories;
import io.github.mcpclient.transport.McpTransportFactory;
import io.github.mcpclient.transport.ProvidedHeaders;
import io.github.mcpclient.transport.http.HttpTransportFactory;
import io.github.mcpclient.transport.http.McpHttpClientCustomizer;
import io.github.mcpclient.transport.http.McpHttpClients;
import io.github.mcpclient.transport.stdio.StdioTransportFactory;
import io.modelcontextprotocol.json.jackson3.JacksonMcpJsonMapper;
import io.modelcontextprotocol.spec.McpSchema.Implementation;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.support.AbstractBeanDefinition;
import org.springframework.beans.factory.support.AutowireCandidateQualifier;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.http.client.HttpClientSettings;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.boot.web.server.context.WebServerInitializedEvent;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.ImportBeanDefinitionRegistrar;
import org.springframework.context.annotation.ImportRuntimeHints;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotationMetadata;
import org.springframework.http.client.ReactorResourceFactory;

/**
 * Auto-configuration of the MCP client: the registry with its transports, the catalog of
 * tools, and the executor for agent loops.
 */
@AutoConfiguration(afterName = { "org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration",
		"org.springframework.boot.http.client.autoconfigure.HttpClientAutoConfiguration",
		"org.springframework.boot.http.client.autoconfigure.reactive.ReactiveHttpClientAutoConfiguration" })
@ConditionalOnBooleanProperty(name = "mcp.enabled", matchIfMissing = true)
@Import({ McpPropertiesConfiguration.class, McpSchedulerConfiguration.class,
		McpClientAutoConfiguration.Selections.class })
@ImportRuntimeHints(McpSchemaRuntimeHints.class)
public final class McpClientAutoConfiguration {

	/**
	 * As many servers, at least, may have a transport factory that hangs before others
	 * wait: each has one thread at most.
	 */
	private static final int CONNECT_THREADS = 128;

	private static final int BLOCKING_THREADS = 256;

	private static final int BLOCKING_QUEUE = 1024;

	/**
	 * Runs the beginning of connections, where code may block that is not ours.
	 */
	@Bean(defaultCandidate = false, destroyMethod = "dispose")
	Scheduler mcpConnectScheduler() {
		return Schedulers.newBoundedElastic(CONNECT_THREADS, Integer.MAX_VALUE, "mcp-connect", 10, true);
	}

	/**
	 * Runs the end of connections: those that hang as they begin must not keep others
	 * from ending.
	 */
	@Bean(defaultCandidate = false, destroyMethod = "dispose")
	Scheduler mcpCloseScheduler() {
		return Schedulers.newBoundedElastic(CONNECT_THREADS, Integer.MAX_VALUE, "mcp-close", 10, true);
	}

	@Bean
	@Order(Ordered.LOWEST_PRECEDENCE)
	McpTransportFactory stdioMcpTransportFactory(@Qualifier("mcpScheduler") Scheduler scheduler) {
		return new StdioTransportFactory(mapper(), scheduler);
	}

	@Bean(defaultCandidate = false)
	McpHttpClients mcpHttpClients(ObjectProvider<HttpClientSettings> settings,
			ObjectProvider<ReactorResourceFactory> resources, ObjectProvider<SslBundles> sslBundles,
			McpServersConfig config, ObjectProvider<McpHttpClientCustomizer> customizers) {
		return new McpHttpClients(settings.getIfAvailable(), resources.getIfAvailable(), sslBundles.getIfAvailable(),
				config.sslBundles(), customizers.orderedStream().toList());
	}

	@Bean
	@Order(Ordered.LOWEST_PRECEDENCE)
	McpTransportFactory streamableHttpMcpTransportFactory(@Qualifier("mcpHttpClients") McpHttpClients clients,
			ProvidedHeaders headers, @Qualifier("mcpScheduler") Scheduler scheduler) {
		return HttpTransportFactory.streamable(clients, headers, mapper(), scheduler);
	}

	@Bean
	@Order(Ordered.LOWEST_PRECEDENCE)
	McpTransportFactory sseMcpTransportFactory(@Qualifier("mcpHttpClients") McpHttpClients clients,
			ProvidedHeaders headers, @Qualifier("mcpScheduler") Scheduler scheduler) {
		return HttpTransportFactory.sse(clients, headers, mapper(), scheduler);
	}

	/**
	 * Runs interceptors for callers who must not block, and consumers of progress. Of its
	 * own, since an approval may keep its thread for minutes.
	 */
	@Bean(defaultCandidate = false, destroyMethod = "dispose")
	@Lazy
	Scheduler mcpBlockingScheduler() {
		return Schedulers.newBoundedElastic(BLOCKING_THREADS, BLOCKING_QUEUE, "mcp-blocking", 60, true);
	}

	/**
	 * Runs providers of headers for callers who must not block, and for requests without
	 * a caller: approvals that wait must keep no server from being connected.
	 */
	@Bean(defaultCandidate = false, destroyMethod = "dispose")
	@Lazy
	Scheduler mcpHeadersScheduler() {
		return Schedulers.newBoundedElastic(BLOCKING_THREADS, BLOCKING_QUEUE, "mcp-headers", 60, true);
	}

	@Bean
	ProvidedHeaders mcpProvidedHeaders(ObjectProvider<McpHeadersProvider> providers,
			@Qualifier("mcpHeadersScheduler") ObjectProvider<Scheduler> scheduler) {
		return new ProvidedHeaders(() -> providers.orderedStream().toList(), scheduler::getObject);
	}

	@Bean
	ToolInterceptors mcpToolInterceptors(ObjectProvider<McpToolInterceptor> interceptors,
			@Qualifier("mcpBlockingScheduler") ObjectProvider<Scheduler> scheduler) {
		return new ToolInterceptors(() -> interceptors.orderedStream().toList(), scheduler::getObject);
	}

	/**
	 * Runs checks against schemas; a bean, so that it is stopped after the registry is.
	 */
	@Bean(defaultCandidate = false, destroyMethod = "dispose")
	CheckThreads mcpCheckThreads(@Qualifier("mcpScheduler") Scheduler scheduler) {
		return new CheckThreads(scheduler);
	}

	/**
	 * Only where the registry below is: another one may have another kind of catalog.
	 */
	@Bean
	@ConditionalOnMissingBean(McpServerRegistry.class)
	static NamedTools mcpNamedTools() {
		return new NamedTools();
	}

	@Bean
	@ConditionalOnMissingBean(McpServerRegistry.class)
	DefaultMcpServerRegistry mcpServerRegistry(McpServersConfig config, ObjectProvider<McpTransportFactory> factories,
			ObjectProvider<McpServerDefinition> definitions, ObjectProvider<McpServerDefinitionSource> sources,
			ObjectProvider<McpServerCustomizer> customizers, ObjectProvider<McpToolNamingStrategy> naming,
			ToolInterceptors interceptors, @Qualifier("mcpCheckThreads") CheckThreads checks, ProvidedHeaders headers,
			@Qualifier("mcpScheduler") ClientScheduler scheduler,
			@Qualifier("mcpConnectScheduler") Scheduler connecting, @Qualifier("mcpCloseScheduler") Scheduler closing,
			@Qualifier("mcpBlockingScheduler") ObjectProvider<Scheduler> blocking, Environment environment,
			DefaultListableBeanFactory beanFactory, ApplicationEventPublisher publisher) {
		McpTransportFactories transports = new McpTransportFactories(factories.orderedStream().toList(),
				config.properties().transports());
		McpConnectionFactory connections = new McpConnectionFactory(
				new McpSessionFactory(scheduler, blocking::getObject), scheduler, connecting, closing,
				clientInfo(environment), headers);
		McpProperties properties = config.properties();
		RegistrySettings settings = new RegistrySettings(properties.startup().mode() == McpProperties.Startup.Mode.LAZY,
				properties.startup().firstAttempts(), new ToolSettings(properties.tools().filter(),
						properties.tools().toPolicy(), naming.getIfAvailable(), interceptors, checks,
						properties.selections()));
		McpServerDefinitions servers = new McpServerDefinitions(transports.types(), config.properties().transports(),
				customizers.orderedStream().toList());
		return new DefaultMcpServerRegistry(
				servers.of(config.definitions(transports.types()), definitions.orderedStream().toList(),
						sources.orderedStream().toList()),
				servers,
				(definition, listener) -> connections.create(definition, () -> transports.create(definition), listener),
				scheduler, settings, new JacksonMcpJsonMapper(mapper()), beanFactory, publisher);
	}

	@Bean
	@ConditionalOnMissingBean
	McpToolCatalog mcpToolCatalog(McpServerRegistry registry) {
		return registry.tools();
	}

	@Bean
	@ConditionalOnMissingBean
	McpToolExecutor mcpToolExecutor(McpToolCatalog catalog) {
		return new ToolExecutor(catalog);
	}

	/**
	 * Return what servers are told of this client: the application's name and version, as
	 * far as Spring Boot knows them.
	 */
	private static Implementation clientInfo(Environment environment) {
		String version = environment.getProperty("spring.application.version",
				McpClientAutoConfiguration.class.getPackage().getImplementationVersion());
		return Implementation
			.builder(environment.getProperty("spring.application.name", "mcp-client"),
					(version != null) ? version : "unknown")
			.build();
	}

	/**
	 * A mapper of our own: the application's may be configured for its own data.
	 */
	private static JsonMapper mapper() {
		return JsonMapper.builder().build();
	}

	/**
	 * Makes each selection of tools a bean by its name as the qualifier. They are no
	 * candidates where a catalog is injected without one.
	 */
	static final class Selections implements ImportBeanDefinitionRegistrar {

		private final Environment environment;

		Selections(Environment environment) {
			this.environment = environment;
		}

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

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(WebServerInitializedEvent.class)
	static class WebServerConfiguration {

		@Bean
		OwnPort mcpOwnPort(ObjectProvider<DefaultMcpServerRegistry> registry) {
			return new OwnPort(registry);
		}

	}

}
