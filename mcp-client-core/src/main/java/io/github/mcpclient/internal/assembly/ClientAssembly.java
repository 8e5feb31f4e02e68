package io.github.mcpclient.internal.assembly;

import java.time.Duration;
import java.util.Collection;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ThreadFactory;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.mcpclient.McpTool;
import io.github.mcpclient.McpToolInterceptor;
import io.github.mcpclient.McpToolNamingStrategy;
import io.github.mcpclient.authorization.McpHeadersProvider;
import io.github.mcpclient.definition.McpServerCustomizer;
import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.definition.McpServerDefinitionSource;
import io.github.mcpclient.definition.McpToolPolicy;
import io.github.mcpclient.event.McpMessageListener;
import io.github.mcpclient.event.McpServerEvent;
import io.github.mcpclient.internal.answer.ServerRequestHandlers;
import io.github.mcpclient.internal.connection.ConnectionObserver;
import io.github.mcpclient.internal.connection.McpConnection;
import io.github.mcpclient.internal.connection.McpConnectionFactory;
import io.github.mcpclient.internal.connection.McpConnectionListener;
import io.github.mcpclient.internal.registry.DefaultMcpServerRegistry;
import io.github.mcpclient.internal.registry.DefaultMcpServerRegistry.ServerConnector;
import io.github.mcpclient.internal.schema.SchemaCheck;
import io.github.mcpclient.internal.session.DefaultSessionFactory;
import io.github.mcpclient.internal.support.ClientScheduler;
import io.github.mcpclient.internal.support.ClientThreads;
import io.github.mcpclient.internal.support.JsonValues;
import io.github.mcpclient.internal.tool.ToolSettings;
import io.github.mcpclient.internal.transport.HeaderSources;
import io.github.mcpclient.internal.transport.http.HttpTransportFactory;
import io.github.mcpclient.internal.transport.http.McpHttpClients;
import io.github.mcpclient.internal.transport.stdio.StdioTransportFactory;
import io.github.mcpclient.internal.validation.McpServerDefinitions;
import io.github.mcpclient.internal.validation.McpServerDefinitions.DefinedServer;
import io.github.mcpclient.management.McpDiagnosis;
import io.github.mcpclient.spi.McpHttpClientCustomizer;
import io.github.mcpclient.spi.McpHttpClientFactory;
import io.github.mcpclient.spi.McpJsonMapperCustomizer;
import io.github.mcpclient.spi.McpMessageRecording;
import io.github.mcpclient.spi.McpToolListingCustomizer;
import io.github.mcpclient.spi.McpTransportFactory;
import io.modelcontextprotocol.spec.McpClientTransport;
import io.modelcontextprotocol.spec.McpSchema.Implementation;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.util.function.SingletonSupplier;

/**
 * Assembles the parts of a client with the beans of an application. Must be closed after
 * the registry that it created.
 */
public final class ClientAssembly implements SmartInitializingSingleton, AutoCloseable {

	private final ConfigurableListableBeanFactory beans;

	private final ClientThreads threads;

	private final SchemaCheck.Threads checks;

	private final ServerRequestHandlers handlers;

	/**
	 * Create an assembly, which does not use any bean yet.
	 * @param threads the threads of the client, which must outlive the assembly
	 * @param handlers creates the threads on which handlers run
	 */
	public ClientAssembly(ConfigurableListableBeanFactory beans, ClientThreads threads, ThreadFactory handlers) {
		this.beans = beans;
		this.threads = threads;
		this.checks = new SchemaCheck.Threads(threads.scheduler());
		this.handlers = new ServerRequestHandlers(beans, this.checks, threads.scheduler(), handlers);
	}

	/**
	 * Create the registry, which contacts no server before it is started.
	 */
	public DefaultMcpServerRegistry registry(Settings settings, DefaultMcpServerRegistry.HostApplication application) {
		Authorizers authorizers = new Authorizers(this.beans);
		HeaderSources headers = new HeaderSources(() -> all(McpHeadersProvider.class), authorizers::get,
				this.threads::headers);
		TransportFactories transports = new TransportFactories(
				Stream.concat(all(McpTransportFactory.class).stream(), transports(headers, settings.info().name()))
					.toList(),
				settings.transports());
		McpServerDefinitions.Configured configured = settings.configured().apply(transports.types());
		Supplier<McpConnectionFactory> connections = connections(settings.info(), headers);
		List<ConnectionObserver.Source> observers = all(ConnectionObserver.Source.class);
		List<McpToolListingCustomizer> customizers = all(McpToolListingCustomizer.class);
		Set<String> applied = customizers.stream()
			.flatMap((customizer) -> customizer.settings().stream())
			.collect(Collectors.toSet());
		McpServerDefinitions definitions = new McpServerDefinitions(transports.types(), settings.transports(),
				McpServerDefinitions.authorizationTypes(this.beans), all(McpServerCustomizer.class), applied,
				this::hasBean, (definition) -> httpClients().sslBundles(definition));
		List<DefinedServer> servers = definitions.of(configured, all(McpServerDefinition.class),
				all(McpServerDefinitionSource.class));
		// while the remaining application starts
		if (!settings.lazy() && servers.stream()
			.map(DefinedServer::definition)
			.anyMatch((definition) -> definition.enabled() && definition.http() != null)) {
			this.threads.warmUp();
		}
		Map<McpServerDefinition, Supplier<McpClientTransport>> failed = new IdentityHashMap<>();
		servers.stream()
			.filter(DefinedServer::isFailed)
			.forEach((server) -> failed.put(server.definition(), server::fail));
		DefaultMcpServerRegistry registry = new DefaultMcpServerRegistry(
				new DefaultMcpServerRegistry.Settings(servers, definitions, settings.lazy(), settings.startupWait(),
						all(McpMessageRecording.class).stream().mapToInt(McpMessageRecording::messages).max().orElse(0),
						authorizers::status),
				new ServerConnector() {

					@Override
					public McpConnection create(McpServerDefinition definition, boolean configured,
							McpConnectionListener listener) {
						return connections.get()
							.create(definition, configured, failed.getOrDefault(definition, transports.of(definition)),
									listener, ClientAssembly.this.handlers.of(definition),
									observers.stream().flatMap((source) -> source.of(definition).stream()).toList());
					}

					@Override
					public Mono<McpDiagnosis> check(McpServerDefinition definition, boolean configured, Duration limit,
							Mono<Void> end) {
						return connections.get()
							.check(definition, configured,
									(steps) -> failed
										.getOrDefault(definition, () -> transports.create(definition, steps))
										.get(),
									ClientAssembly.this.handlers.of(definition), limit, end);
					}

				},
				ToolSettings.of(settings.filter(), settings.policy(), settings.selections(),
						this.beans.getBeanProvider(McpToolNamingStrategy.class).getIfAvailable(),
						() -> all(McpToolInterceptor.class), this.threads, this.checks, mapper(), customizers),
				this.threads.scheduler(), new ListeningApplication(application, this.handlers));
		this.handlers.follow(registry);
		return registry;
	}

	// if a customizer fails, the application does not start
	private @Nullable JsonMapper mapper() {
		List<McpJsonMapperCustomizer> customizers = all(McpJsonMapperCustomizer.class);
		return customizers.isEmpty() ? null : JsonValues.mapper(
				customizers.stream().<Consumer<JsonMapper.Builder>>map((customizer) -> customizer::customize).toList());
	}

	private Stream<McpTransportFactory> transports(HeaderSources headers, String application) {
		ClientScheduler scheduler = this.threads.scheduler();
		// a separate mapper: the mapper of the application may be configured for its own
		// data
		Supplier<JsonMapper> mapper = SingletonSupplier.of(() -> JsonMapper.builder().build());
		return Stream.of(builtIn(McpServerDefinition.STDIO, () -> new StdioTransportFactory(mapper.get(), scheduler)),
				builtIn(HttpTransportFactory.STREAMABLE_TYPES,
						() -> HttpTransportFactory.streamable(clients(application), headers, mapper.get(), scheduler)),
				builtIn(McpServerDefinition.SSE,
						() -> HttpTransportFactory.sse(clients(application), headers, mapper.get(), scheduler)),
				builtIn(HttpTransportFactory.WEB_SOCKET_TYPES,
						() -> HttpTransportFactory.webSocket(clients(application), headers, mapper.get(), scheduler)));
	}

	// not beans, but wrapped like the factories of applications
	private McpTransportFactory builtIn(String types, Supplier<McpTransportFactory> source) {
		return new BuiltInTransport(types, () -> {
			McpTransportFactory factory = source.get();
			return (McpTransportFactory) this.beans.initializeBean(factory, factory.getClass().getName());
		});
	}

	private McpHttpClients clients(String application) {
		return new McpHttpClients(httpClients(), all(McpHttpClientCustomizer.class), this.threads::onEventLoops,
				application);
	}

	private McpHttpClientFactory httpClients() {
		return this.beans.getBeanProvider(McpHttpClientFactory.class).getIfAvailable(McpHttpClientFactory::simple);
	}

	// created with the first connection, since connections need many classes
	private Supplier<McpConnectionFactory> connections(Implementation info, HeaderSources headers) {
		return SingletonSupplier.of(() -> new McpConnectionFactory(
				new DefaultSessionFactory(this.threads.scheduler(), this.threads.progress()::execute),
				this.threads.scheduler(), this.threads.opening(), this.threads.closing(), info, headers));
	}

	private boolean hasBean(Class<?> type) {
		return this.beans.getBeanNamesForType(type, true, false).length > 0;
	}

	private <T> List<T> all(Class<T> type) {
		return ServerRequestHandlers.beans(this.beans, type);
	}

	@Override
	public void afterSingletonsInstantiated() {
		this.handlers.afterSingletonsInstantiated();
	}

	@Override
	public void close() {
		this.handlers.close();
		this.checks.dispose();
	}

	/**
	 * The settings of a client.
	 *
	 * @param info the name and version of the application, sent to servers
	 * @param transports the allowed types of servers, or {@code null} for all
	 * @param configured the configured servers; given the spellings of the types, the
	 * canonical one first
	 * @param lazy whether servers connect on first use
	 * @param startupWait how long startup waits for first attempts
	 * @param filter the patterns for the tools of all servers
	 * @param policy the policy for the tools of all servers
	 * @param selections the patterns of each named selection
	 */
	public record Settings(Implementation info, @Nullable List<String> transports,
			Function<Collection<Set<String>>, McpServerDefinitions.Configured> configured, boolean lazy,
			Duration startupWait, List<String> filter, McpToolPolicy policy, Map<String, List<String>> selections) {
	}

	/**
	 * An application whose annotated methods receive events, too.
	 */
	private record ListeningApplication(DefaultMcpServerRegistry.HostApplication application,
			ServerRequestHandlers handlers) implements DefaultMcpServerRegistry.HostApplication {

		@Override
		public void publish(McpServerEvent event) {
			this.handlers.published(event);
			this.application.publish(event);
		}

		@Override
		public List<McpMessageListener> listeners() {
			return this.application.listeners();
		}

		@Override
		public boolean listensToProgress() {
			return this.handlers.listenToProgress() || this.application.listensToProgress();
		}

		@Override
		public void showTools(Collection<String> names, Supplier<Map<String, McpTool>> listed) {
			this.application.showTools(names, listed);
		}

		@Override
		public @Nullable String refusal(McpTool tool) {
			return this.application.refusal(tool);
		}

		@Override
		public boolean isInCreation() {
			return this.application.isInCreation();
		}

	}

}
