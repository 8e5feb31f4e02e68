package io.github.mcpclient.client;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;

import io.github.mcpclient.McpServerRegistry;
import io.github.mcpclient.McpTool;
import io.github.mcpclient.McpToolCatalog;
import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.definition.McpToolPolicy;
import io.github.mcpclient.event.McpMessageListener;
import io.github.mcpclient.event.McpServerEvent;
import io.github.mcpclient.internal.assembly.ClientAssembly;
import io.github.mcpclient.internal.assembly.ClientAssembly.Settings;
import io.github.mcpclient.internal.registry.DefaultMcpServerRegistry;
import io.github.mcpclient.internal.support.ClientThreads;
import io.github.mcpclient.internal.support.DaemonThreads;
import io.github.mcpclient.internal.validation.McpServerDefinitions;
import io.github.mcpclient.management.McpServerManager;
import io.modelcontextprotocol.spec.McpSchema.Implementation;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.BeanFactoryAware;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.core.OrderComparator;
import org.springframework.util.Assert;

/**
 * An MCP client without Spring Boot. Connects the given servers in parallel, and keeps
 * them connected until it is closed. Thread-safe.
 */
public final class StandaloneMcpClient implements AutoCloseable {

	private final ClientThreads threads = new ClientThreads();

	private final ClientAssembly assembly;

	private final DefaultMcpServerRegistry registry;

	private StandaloneMcpClient(Builder builder) {
		builder.beans.registerSingleton("mcpClientThreads", this.threads);
		this.assembly = new ClientAssembly(builder.beans, this.threads, DaemonThreads.blocking("mcp-handler"));
		this.registry = this.assembly.registry(
				new Settings(builder.info, null, (types) -> new McpServerDefinitions.Configured(List.of(), List.of()),
						false, builder.startupWait, List.of(), McpToolPolicy.UNRESTRICTED, Map.of()),
				new Host(builder));
		builder.beans.registerSingleton("mcpServerManager", this.registry.manager());
	}

	/**
	 * Return a builder of a client.
	 */
	public static Builder builder() {
		return new Builder();
	}

	/**
	 * Return the registry of the servers.
	 */
	public McpServerRegistry registry() {
		return this.registry;
	}

	/**
	 * Return the manager, which adds, replaces and removes servers, and manages each of
	 * them.
	 */
	public McpServerManager manager() {
		return this.registry.manager();
	}

	/**
	 * Return the tools of all servers.
	 */
	public McpToolCatalog tools() {
		return this.registry.tools();
	}

	/**
	 * Close the connections, end the child processes, and stop all threads. Takes at most
	 * a few seconds, regardless of the servers.
	 */
	@Override
	public void close() {
		this.registry.destroy();
		this.assembly.close();
		this.threads.dispose();
	}

	/**
	 * Builder for {@link StandaloneMcpClient}. Not thread-safe.
	 */
	public static final class Builder {

		private final DefaultListableBeanFactory beans = new DefaultListableBeanFactory();

		private final List<Consumer<McpServerEvent>> listeners = new ArrayList<>();

		private Implementation info = Implementation.builder("mcp-client", "unknown").build();

		private Duration startupWait = Duration.ofSeconds(5);

		private Builder() {
			this.beans.setDependencyComparator(OrderComparator.INSTANCE);
		}

		/**
		 * Set the name and version that the client sends to servers; {@code mcp-client}
		 * and {@code unknown} by default. The name is also part of the
		 * {@code User-Agent}.
		 */
		public Builder info(String name, String version) {
			this.info = Implementation.builder(name, version).build();
			return this;
		}

		/**
		 * Add a server.
		 */
		public Builder server(McpServerDefinition definition) {
			return add(definition);
		}

		/**
		 * Set how long {@link #build()} waits for the first attempts to connect; five
		 * seconds by default, zero for no wait.
		 * @throws IllegalArgumentException if it is negative
		 */
		public Builder startupWait(Duration wait) {
			Assert.isTrue(!wait.isNegative(), "'wait' must not be negative");
			this.startupWait = wait;
			return this;
		}

		/**
		 * Add an object that would be a bean in a Spring Boot application: an
		 * interceptor, a handler, a provider of headers, a customizer, a transport or
		 * another interface of the API. Methods that are annotated as handlers are
		 * detected, too.
		 */
		public Builder add(Object bean) {
			return add(bean.getClass().getName() + "#" + this.beans.getSingletonCount(), bean);
		}

		/**
		 * Add an object that would be a named bean, such as an authorizer: its name is
		 * the {@code auth.type} of the servers that use it.
		 */
		public Builder add(String name, Object bean) {
			if (bean instanceof BeanFactoryAware aware) {
				aware.setBeanFactory(this.beans);
			}
			this.beans.registerSingleton(name, bean);
			return this;
		}

		/**
		 * Add a listener for the events of servers. It is called on a thread that may
		 * block.
		 */
		public Builder listener(Consumer<McpServerEvent> listener) {
			this.listeners.add(listener);
			return this;
		}

		/**
		 * Build a client, and connect it.
		 * @throws io.github.mcpclient.definition.InvalidMcpConfigurationException if
		 * definitions are not valid, with all errors
		 */
		public StandaloneMcpClient build() {
			StandaloneMcpClient client = new StandaloneMcpClient(this);
			try {
				client.assembly.afterSingletonsInstantiated();
				client.registry.start();
				return client;
			}
			catch (Throwable ex) {
				client.close();
				throw ex;
			}
		}

	}

	private static final class Host implements DefaultMcpServerRegistry.HostApplication {

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
			return this.builder.beans.getBeanProvider(McpMessageListener.class).orderedStream().toList();
		}

		@Override
		public boolean listensToProgress() {
			return !this.builder.listeners.isEmpty();
		}

		@Override
		public void showTools(Collection<String> names, Supplier<Map<String, McpTool>> listed) {
			// the catalog already contains them
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
