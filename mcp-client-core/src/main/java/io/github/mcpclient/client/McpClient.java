package io.github.mcpclient.client;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;

import io.github.mcpclient.McpServerRegistrar;
import io.github.mcpclient.McpServerRegistry;
import io.github.mcpclient.McpTool;
import io.github.mcpclient.McpToolCatalog;
import io.github.mcpclient.McpToolInterceptor;
import io.github.mcpclient.McpToolNamingStrategy;
import io.github.mcpclient.answer.ServerRequestHandlers;
import io.github.mcpclient.auth.Authorizers;
import io.github.mcpclient.authorization.McpHeadersProvider;
import io.github.mcpclient.connection.McpConnectionFactory;
import io.github.mcpclient.definition.McpServerCustomizer;
import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.definition.McpServerDefinitionSource;
import io.github.mcpclient.definition.McpToolPolicy;
import io.github.mcpclient.event.McpMessageListener;
import io.github.mcpclient.event.McpServerEvent;
import io.github.mcpclient.registry.DefaultMcpServerRegistry;
import io.github.mcpclient.registry.DefaultMcpServerRegistry.Settings;
import io.github.mcpclient.registry.HostApplication;
import io.github.mcpclient.rules.ConfiguredServers;
import io.github.mcpclient.rules.McpServerDefinitions;
import io.github.mcpclient.schema.CheckThreads;
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
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.util.Assert;

/**
 * An MCP client without Spring Boot: the servers that it is built with, connected in
 * parallel and kept connected until it is closed. Safe for use by many threads.
 */
public final class McpClient implements AutoCloseable {

	private final ClientThreads threads;

	private final CheckThreads checks;

	private final ServerRequestHandlers handlers;

	private final DefaultMcpServerRegistry registry;

	private McpClient(Builder builder) {
		DefaultListableBeanFactory beans = builder.beans;
		this.threads = new ClientThreads();
		this.checks = new CheckThreads(this.threads.scheduler());
		this.handlers = new ServerRequestHandlers(beans, this.checks, this.threads.scheduler(),
				DaemonThreads.blocking("mcp-handler"));
		HeaderSources headers = new HeaderSources(() -> all(beans, McpHeadersProvider.class),
				new Authorizers(beans)::get, this.threads::headers);
		McpTransportFactories transports = new McpTransportFactories(
				Stream.concat(all(beans, McpTransportFactory.class).stream(), transports(beans, headers)).toList(),
				null);
		McpConnectionFactory connections = new McpConnectionFactory(
				new StatefulSessionFactory(this.threads.scheduler(), this.threads.progress()::execute),
				this.threads.scheduler(), this.threads.opening(), this.threads.closing(), builder.info, headers,
				(name) -> false);
		McpServerDefinitions definitions = new McpServerDefinitions(transports.types(), null, Authorizers.types(beans),
				all(beans, McpServerCustomizer.class));
		this.registry = new DefaultMcpServerRegistry(
				new Settings(definitions.of(new ConfiguredServers(List.of(), List.of()), builder.servers,
						all(beans, McpServerDefinitionSource.class)), definitions, false, builder.startupWait),
				(definition, listener) -> connections.create(definition, () -> transports.create(definition), listener,
						this.handlers.of(definition), List.of()),
				tools(beans), this.threads.scheduler(), new Host(builder));
	}

	private Stream<McpTransportFactory> transports(DefaultListableBeanFactory beans, HeaderSources headers) {
		McpHttpClients clients = new McpHttpClients(
				beans.getBeanProvider(McpHttpClientFactory.class).getIfAvailable(McpHttpClientFactory::simple),
				all(beans, McpHttpClientCustomizer.class));
		JsonMapper mapper = JsonMapper.builder().build();
		return Stream.of(new StdioTransportFactory(mapper, this.threads.scheduler()),
				HttpTransportFactory.streamable(clients, headers, mapper, this.threads.scheduler()),
				HttpTransportFactory.sse(clients, headers, mapper, this.threads.scheduler()),
				new WebSocketTransportFactory(clients, headers, mapper, this.threads.scheduler()));
	}

	private ToolSettings tools(DefaultListableBeanFactory beans) {
		McpToolNamingStrategy naming = beans.getBeanProvider(McpToolNamingStrategy.class).getIfAvailable();
		return new ToolSettings(List.of(), McpToolPolicy.UNRESTRICTED,
				(naming != null) ? new NamesAhead(naming, this.threads.naming()) : null, new ToolInterceptors(
						() -> all(beans, McpToolInterceptor.class), this.threads::interceptors, this.checks),
				Map.of());
	}

	private static <T> List<T> all(DefaultListableBeanFactory beans, Class<T> type) {
		return beans.getBeanProvider(type).orderedStream().toList();
	}

	/**
	 * Return a builder of a client.
	 */
	public static Builder builder() {
		return new Builder();
	}

	/**
	 * Return the servers.
	 */
	public McpServerRegistry registry() {
		return this.registry;
	}

	/**
	 * Return what adds, replaces and removes servers.
	 */
	public McpServerRegistrar registrar() {
		return this.registry;
	}

	/**
	 * Return the tools of all servers.
	 */
	public McpToolCatalog tools() {
		return this.registry.tools();
	}

	/**
	 * Close the connections, end the child processes, and stop all threads. Takes some
	 * seconds at most, whatever the servers do.
	 */
	@Override
	public void close() {
		this.registry.destroy();
		this.handlers.close();
		this.checks.dispose();
		this.threads.dispose();
	}

	/**
	 * Builds a client. Not safe for use by many threads.
	 */
	public static final class Builder {

		private final DefaultListableBeanFactory beans = new DefaultListableBeanFactory();

		private final List<McpServerDefinition> servers = new ArrayList<>();

		private final List<Consumer<McpServerEvent>> listeners = new ArrayList<>();

		private Implementation info = Implementation.builder("mcp-client", "unknown").build();

		private Duration startupWait = Duration.ofSeconds(5);

		private Builder() {
		}

		/**
		 * Set the name and version that servers get to know; {@code mcp-client} and
		 * {@code unknown} by default.
		 */
		public Builder info(String name, String version) {
			this.info = Implementation.builder(name, version).build();
			return this;
		}

		/**
		 * Add a server.
		 */
		public Builder server(McpServerDefinition definition) {
			this.servers.add(definition);
			return this;
		}

		/**
		 * Set how long {@link #build()} waits for the first attempts to connect; five
		 * seconds by default.
		 */
		public Builder startupWait(Duration wait) {
			Assert.isTrue(!wait.isNegative(), "'wait' must not be negative");
			this.startupWait = wait;
			return this;
		}

		/**
		 * Add what would be a bean in a Spring Boot application: an interceptor, a
		 * handler, a provider of headers, a customizer, a transport or another interface
		 * of the API. Annotated methods of handlers are found, too.
		 */
		public Builder add(Object bean) {
			return add(bean.getClass().getName() + "#" + this.beans.getSingletonCount(), bean);
		}

		/**
		 * Add what would be a bean of a name, such as an authorizer, whose name is its
		 * type.
		 */
		public Builder add(String name, Object bean) {
			this.beans.registerSingleton(name, bean);
			return this;
		}

		/**
		 * Add a listener to what is published of servers. It is called on a thread that
		 * may block.
		 */
		public Builder listener(Consumer<McpServerEvent> listener) {
			this.listeners.add(listener);
			return this;
		}

		/**
		 * Build a client, and connect it.
		 * @throws io.github.mcpclient.rules.InvalidMcpConfigurationException with all
		 * mistakes in the definitions
		 */
		public McpClient build() {
			McpClient client = new McpClient(this);
			try {
				client.handlers.afterSingletonsInstantiated();
				client.registry.start();
				return client;
			}
			catch (Throwable ex) {
				client.close();
				throw ex;
			}
		}

	}

	private static final class Host implements HostApplication {

		private final Builder builder;

		private Host(Builder builder) {
			this.builder = builder;
		}

		@Override
		public void publish(McpServerEvent event) {
			this.builder.listeners.forEach((listener) -> listener.accept(event));
		}

		@Override
		public List<McpMessageListener> listeners() {
			return all(this.builder.beans, McpMessageListener.class);
		}

		@Override
		public boolean listensToProgress() {
			return !this.builder.listeners.isEmpty();
		}

		@Override
		public void showTools(Supplier<Map<String, McpTool>> listed) {
			// the catalog shows them
		}

		@Override
		public @Nullable String refusal(McpTool tool) {
			return null;
		}

		@Override
		public boolean isInCreation() {
			return false;
		}

	}

}
