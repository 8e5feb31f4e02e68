package io.github.mcpclient.config;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.boot.env.PropertySourceInfo;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.core.env.PropertySource;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/**
 * All properties below {@code mcp}, by source.
 */
final class McpPropertySources {

	private static final String PREFIX = "mcp";

	private static final String SERVERS = "servers";

	private static final String SELECTIONS = "selections";

	private final List<Source> sources;

	private final Placeholders placeholders;

	private McpPropertySources(List<Source> sources, Placeholders placeholders) {
		this.sources = sources;
		this.placeholders = placeholders;
	}

	static McpPropertySources of(ConfigurableEnvironment environment) {
		List<Source> sources = new ArrayList<>();
		for (ConfigurationPropertySource source : ConfigurationPropertySources.from(environment.getPropertySources())) {
			sources.add(new Source(source,
					(source instanceof IterableConfigurationPropertySource) ? properties(source) : List.of()));
		}
		return new McpPropertySources(sources, new Placeholders(environment.getPropertySources()));
	}

	/**
	 * Return the settings at {@code mcp.<part>}.
	 * @param part the part
	 * @return the settings
	 */
	Settings settings(String part) {
		String name = PREFIX + "." + part;
		return settings(name, ConfigurationPropertyName.of(name), (property) -> property.after(part));
	}

	/**
	 * Return the settings at {@code mcp} itself.
	 * @return the settings
	 */
	Settings settings() {
		return settings(PREFIX, ConfigurationPropertyName.of(PREFIX), (property) -> property);
	}

	/**
	 * Return the settings of a server.
	 * @param server the server
	 * @return the settings
	 */
	Settings settings(ServerName server) {
		return settings(server.property(), ConfigurationPropertyName.adapt(server.property(), '.'), (property) -> {
			RawProperty below = property.after(SERVERS);
			return (below != null) ? below.after(server.key()) : null;
		});
	}

	/**
	 * Return the names of all servers. A name that is spelled in several ways is one
	 * server, with the spelling and at the place of the source of lowest precedence.
	 * Environment variables come last, since they have no order and no exact spelling;
	 * one that can belong to a server that is known already names no other.
	 * @return the names, in the order of declaration
	 */
	List<ServerName> serverNames() {
		return names(SERVERS, (path) -> path.size() > 1);
	}

	/**
	 * Return the names of all selections, as those of servers.
	 * @return the names, in the order of declaration
	 */
	List<ServerName> selectionNames() {
		// Kubernetes sets variables such as MCP_SELECTIONS_SERVICE_HOST for a service
		return names(SELECTIONS,
				(path) -> path.size() == 1 || (path.size() == 2 && path.parts().get(1).matches("\\d+")));
	}

	/**
	 * Return the patterns of the selections.
	 * @return the settings at {@code mcp.selections}
	 */
	Settings selections() {
		return settings(SELECTIONS);
	}

	private List<ServerName> names(String part, Predicate<PropertyPath> variables) {
		Map<String, ServerName> names = new LinkedHashMap<>();
		for (int i = this.sources.size() - 1; i >= 0; i--) {
			Map<String, String> spellings = new HashMap<>();
			for (RawProperty property : this.sources.get(i).below(part)) {
				if (!property.path().variable() && !property.path().isEmpty()) {
					String name = property.path().first();
					String key = PropertyPath.uniform(name);
					ServerName known = names.computeIfAbsent(key,
							(absent) -> new ServerName(name, key, true, property.origin(), null));
					if (!spellings.computeIfAbsent(key, (absent) -> name).equals(name)) {
						names.put(key, known.alsoSpelled(name));
					}
				}
			}
		}
		namesOfVariables(part, names, variables).forEach(names::putIfAbsent);
		return List.copyOf(names.values());
	}

	private Map<String, ServerName> namesOfVariables(String part, Map<String, ServerName> known,
			Predicate<PropertyPath> naming) {
		Map<String, ServerName> names = new TreeMap<>();
		for (Source source : this.sources) {
			for (RawProperty property : source.below(part)) {
				PropertyPath path = property.path();
				if (path.variable() && naming.test(path)
						&& known.keySet().stream().noneMatch((key) -> path.after(key) != null)) {
					String name = PropertyPath.uniform(path.first());
					names.putIfAbsent(name, new ServerName(name, name, false, property.origin(), null));
				}
			}
		}
		return names;
	}

	private Settings settings(String name, ConfigurationPropertyName propertyName,
			Function<RawProperty, @Nullable RawProperty> locate) {
		List<SettingsSource> located = new ArrayList<>();
		for (Source source : this.sources) {
			List<RawProperty> properties = source.properties.stream().map(locate).filter(Objects::nonNull).toList();
			located.add(new SettingsSource(source.source, propertyName, properties));
		}
		return new Settings(name, located, this.placeholders);
	}

	private static List<RawProperty> properties(ConfigurationPropertySource adapted) {
		List<RawProperty> properties = new ArrayList<>();
		if (adapted.getUnderlyingSource() instanceof EnumerablePropertySource<?> source) {
			for (String name : source.getPropertyNames()) {
				PropertyPath path = path(source, name);
				RawProperty property = (path != null) ? new RawProperty(source, name, path).after(PREFIX) : null;
				if (property != null) {
					properties.add(property);
				}
			}
		}
		return properties;
	}

	private static @Nullable PropertyPath path(PropertySource<?> source, String name) {
		if (!(source instanceof SystemEnvironmentPropertySource) || name.indexOf('.') != -1) {
			return PropertyPath.of(name);
		}
		String prefix = (source instanceof PropertySourceInfo info) ? info.getPrefix() : null;
		PropertyPath path = PropertyPath.ofVariable(name);
		return (prefix != null) ? path.after(PropertyPath.uniform(prefix)) : path;
	}

	private record Source(ConfigurationPropertySource source, List<RawProperty> properties) {

		List<RawProperty> below(String part) {
			return this.properties.stream().map((property) -> property.after(part)).filter(Objects::nonNull).toList();
		}

	}

}
