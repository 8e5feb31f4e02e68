package io.github.mcpclient.test;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

import io.github.mcpclient.test.server.McpTestServer;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.support.AutowireCandidateQualifier;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.PlaceholdersResolver;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.PropertySource;
import org.springframework.test.context.ContextCustomizer;
import org.springframework.test.context.MergedContextConfiguration;
import org.springframework.util.PlaceholderResolutionException;

/**
 * Replaces servers of an application.
 *
 * @param declarations the servers
 * @param slice whether other configured servers are disabled
 */
record MockServerContextCustomizer(Collection<MockServerDeclaration> declarations,
		boolean slice) implements ContextCustomizer {

	private static final String PREFIX = "mcp.servers.";

	@Override
	public void customizeContext(ConfigurableApplicationContext context, MergedContextConfiguration mergedConfig) {
		Map<String, McpTestServer> servers = new LinkedHashMap<>();
		this.declarations.forEach((declaration) -> servers.put(declaration.name(), declaration.toServer()));
		addProperties(context.getEnvironment(), servers);
		MockServers mocks = new MockServers(servers);
		context.getBeanFactory().addBeanPostProcessor(new MockTransports(mocks));
		BeanDefinitionRegistry registry = (BeanDefinitionRegistry) context.getBeanFactory();
		RootBeanDefinition definition = new RootBeanDefinition(MockServers.class, () -> mocks);
		registry.registerBeanDefinition(MockServers.BEAN_NAME, definition);
		for (MockServerDeclaration declaration : this.declarations) {
			registry.registerBeanDefinition("mockMcpServer." + declaration.name(),
					definition(declaration, mocks.get(declaration.name())));
		}
	}

	private static RootBeanDefinition definition(MockServerDeclaration declaration, McpTestServer server) {
		RootBeanDefinition definition = new RootBeanDefinition(McpTestServer.class, () -> server);
		definition.addQualifier(new AutowireCandidateQualifier(Qualifier.class, declaration.name()));
		// a server of a static field may be started again for another context
		definition.setDestroyMethodName((declaration.server() != null) ? "stop" : "close");
		return definition;
	}

	private void addProperties(ConfigurableEnvironment environment, Map<String, McpTestServer> servers) {
		Map<String, Object> overrides = new LinkedHashMap<>();
		Map<String, Object> additions = new LinkedHashMap<>();
		Map<String, Map<?, ?>> configured = configured(environment);
		configured.forEach((name, settings) -> {
			boolean replaced = find(servers.keySet(), name) != null;
			if (replaced || this.slice) {
				overrides.put(PREFIX + "[" + name + "].enabled", replaced);
			}
			if (replaced) {
				addResolved(environment, name, overrides);
			}
		});
		servers.forEach((name, server) -> {
			String known = find(configured.keySet(), name);
			Map<?, ?> settings = configured.getOrDefault(known, Map.of());
			if (Stream.of("url", "command", "package").noneMatch(settings::containsKey)) {
				additions.put(PREFIX + "[" + ((known != null) ? known : name) + "].url", server.url());
			}
		});
		environment.getPropertySources().addFirst(new MapPropertySource("mockMcpServers", overrides));
		environment.getPropertySources().addLast(new MapPropertySource("addedMockMcpServers", additions));
	}

	private static @Nullable String find(Set<String> names, String name) {
		return names.stream()
			.filter((other) -> MockServerDeclaration.key(other).equals(MockServerDeclaration.key(name)))
			.findFirst()
			.orElse(null);
	}

	private static Map<String, Map<?, ?>> configured(ConfigurableEnvironment environment) {
		Map<String, Map<?, ?>> servers = new LinkedHashMap<>();
		new Binder(ConfigurationPropertySources.get(environment), PlaceholdersResolver.NONE)
			.bind("mcp.servers", Bindable.mapOf(String.class, Object.class))
			.orElse(Map.of())
			.forEach((name, settings) -> servers.put(name, (settings instanceof Map<?, ?> map) ? map : Map.of()));
		return servers;
	}

	/**
	 * Replace unresolved placeholders: secrets of replaced servers are not available.
	 */
	private static void addResolved(ConfigurableEnvironment environment, String name, Map<String, Object> overrides) {
		for (PropertySource<?> source : environment.getPropertySources()) {
			for (String property : (source instanceof EnumerablePropertySource<?> names) ? names.getPropertyNames()
					: new String[0]) {
				if (MockServerDeclaration.key(property).startsWith("mcpservers" + MockServerDeclaration.key(name))
						&& source.getProperty(property) instanceof CharSequence value
						&& !isResolvable(environment, value.toString())) {
					overrides.putIfAbsent(property,
							environment.resolvePlaceholders(value.toString()).replaceAll("\\$\\{[^}]*}", ""));
				}
			}
		}
	}

	private static boolean isResolvable(ConfigurableEnvironment environment, String value) {
		try {
			environment.resolveRequiredPlaceholders(value);
			return true;
		}
		catch (PlaceholderResolutionException ex) {
			return false;
		}
	}

}
