package io.github.mcpclient.config;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.mcpclient.config.PropertyGroup.Property;
import io.github.mcpclient.config.PropertyGroup.Unknown;
import io.github.mcpclient.definition.InvalidMcpConfigurationException.Problem;
import io.github.mcpclient.internal.support.NearestNames;
import io.github.mcpclient.internal.support.PropertyNames;
import io.github.mcpclient.internal.validation.McpServerDefinitions.ServerNames;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.annotation.ImportCandidates;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.ConfigurationPropertyState;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.boot.env.PropertySourceInfo;
import org.springframework.boot.origin.PropertySourceOrigin;
import org.springframework.boot.origin.TextResourceOrigin;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.core.env.PropertySource;
import org.springframework.core.env.SystemEnvironmentPropertySource;
import org.springframework.util.ClassUtils;

/**
 * All properties below {@code mcp}, by the {@link PropertyGroup groups} that they are
 * bound to.
 *
 * <p>
 * Spring Boot's binding of a map is not sufficient for servers: it treats
 * {@code MCP_SERVERS_MYSERVER_URL} and {@code my-server} as two servers, moves overridden
 * servers to the front, and reads {@code bad/name} as {@code badname}. This class treats
 * names that differ only in case, {@code -}, {@code _} and {@code .} as one server, with
 * the spelling and position of the source of lowest precedence. Servers that only
 * environment variables name are last. The same applies to selections of tools.
 */
final class McpPropertySources {

	// the properties below mcp, except for properties that other classes read
	private static final Map<String, ResolvableType> PARTS = parts(McpPropertySources.class.getClassLoader());

	private static final Set<String> OWN = PropertyTarget.components(McpProperties.class)
		.stream()
		.map((part) -> part.name())
		.collect(Collectors.toSet());

	private static final List<String> KEYS = Stream
		.concat(PARTS.keySet().stream(), Stream.of("console", "inputs", "langchain4j", "springai"))
		.toList();

	private static final ResolvableType LIST = ResolvableType.forClassWithGenerics(List.class, String.class);

	private static final ResolvableType SERVER = ResolvableType.forClass(McpServerProperties.class);

	private static final ConfigurationPropertyName ROOT = ConfigurationPropertyName.of("mcp");

	private static final List<ConfigurationPropertyName> OF_SPRING_AI = Stream.of("stdio", "sse", "streamable-http")
		.map((transport) -> ConfigurationPropertyName.of("spring.ai.mcp.client." + transport + ".connections"))
		.toList();

	private static final Pattern UNQUOTED = Pattern.compile("\\[(true|false)\\]");

	private final ConfigurableEnvironment environment;

	private final List<ConfigurationPropertySource> sources = new ArrayList<>();

	// all that can be listed, in ascending precedence
	private final List<Property> properties = new ArrayList<>();

	private final PropertyGroupBinder binder;

	private final Map<String, PropertyGroup> groups = new LinkedHashMap<>();

	// properties of no group that resemble a property of a group
	private final List<Unknown> strays = new ArrayList<>();

	private final Map<String, Problem> problems = new LinkedHashMap<>();

	private final Map<String, ServerName> servers;

	private final Map<String, ServerName> selections;

	McpPropertySources(ConfigurableEnvironment environment) {
		this.environment = environment;
		this.binder = new PropertyGroupBinder(new Placeholders(environment.getPropertySources()));
		ConfigurationPropertySources.from(environment.getPropertySources()).forEach(this.sources::add);
		for (int i = this.sources.size() - 1; i >= 0; i--) {
			list(i, this.sources.get(i));
		}
		this.servers = names("servers", SERVER);
		this.selections = names("selections", LIST);
		PARTS.forEach((part, type) -> {
			if (type.toClass().isRecord() || type.toClass() == List.class) {
				this.groups.put(part, group("mcp." + part, type));
			}
		});
		this.properties.forEach(this::add);
	}

	/**
	 * Return the types that this module and optional modules bind. Each optional module
	 * names its records in a file of {@link ImportCandidates}.
	 */
	private static Map<String, ResolvableType> parts(@Nullable ClassLoader loader) {
		Map<String, ResolvableType> parts = new LinkedHashMap<>();
		PropertyTarget.components(McpProperties.class).forEach((part) -> parts.put(part.name(), part.type()));
		ImportCandidates.load(McpProperties.class, loader).forEach((name) -> {
			Class<?> type = ClassUtils.resolveClassName(name, loader);
			MergedAnnotation<?> prefix = MergedAnnotations.from(type).get(ConfigurationProperties.class);
			parts.put(prefix.getString("prefix").substring("mcp.".length()), ResolvableType.forClass(type));
		});
		return parts;
	}

	private void list(int index, ConfigurationPropertySource adapted) {
		if (!(adapted instanceof IterableConfigurationPropertySource)
				|| !(adapted.getUnderlyingSource() instanceof EnumerablePropertySource<?> source)) {
			return;
		}
		boolean servers = !ImportedProperties.isFrom(source)
				&& Stream.of(source.getPropertyNames()).anyMatch((name) -> name.startsWith("mcp.servers[0]"));
		for (String name : source.getPropertyNames()) {
			if (servers && name.startsWith("mcp.servers[")) {
				rejectList(source, name);
				continue;
			}
			boolean variable = source instanceof SystemEnvironmentPropertySource && name.indexOf('.') == -1;
			List<String> parts = variable ? List.of(name.split("_", -1)) : PropertyTarget.parts(name);
			if (variable && source instanceof PropertySourceInfo info && info.getPrefix() != null) {
				parts = after(PropertyNames.uniform(info.getPrefix()), parts, true);
			}
			parts = (parts != null) ? after("mcp", parts, variable) : null;
			if (parts != null && !parts.isEmpty() && !isUnquoted(source, name)) {
				this.properties.add(new Property(index, source, name, parts, variable));
			}
		}
	}

	/**
	 * Return whether a name in YAML has a part that YAML did not read as text, which is
	 * an error.
	 */
	private boolean isUnquoted(PropertySource<?> source, String name) {
		Matcher matcher = UNQUOTED.matcher(name);
		if (ImportedProperties.isFrom(source) || !matcher.find()
				|| !(PropertySourceOrigin.get(source, name) instanceof PropertySourceOrigin origin)
				|| !(origin.getOrigin() instanceof TextResourceOrigin)) {
			return false;
		}
		String property = name.substring(0, matcher.end());
		this.problems.putIfAbsent(property,
				new Problem(property,
						"YAML reads " + (matcher.group(1).equals("true") ? "on, yes and true" : "off, no and false")
								+ " without quotes as the value " + matcher.group(1) + ". Write the name in quotes.",
						origin));
		return true;
	}

	private void rejectList(PropertySource<?> source, String property) {
		Object name = source.getProperty("mcp.servers[0].name");
		String key = (name instanceof String text && ServerNames.isValid(text)) ? text : "name";
		this.problems.put("mcp.servers",
				new Problem("mcp.servers",
						"This is a list, but servers are a map, with the name of each as its key. Write 'servers: { "
								+ key + ": { url: ... } }', not 'servers: [ { name: " + key + ", url: ... } ]'.",
						PropertySourceOrigin.get(source, property)));
	}

	/**
	 * Return the parts that follow a name, or {@code null} if they begin with another
	 * name.
	 */
	private static @Nullable List<String> after(String uniform, List<String> parts, boolean variable) {
		String name = "";
		for (int i = 0; i < (variable ? parts.size() : Math.min(1, parts.size())); i++) {
			name += PropertyNames.uniform(parts.get(i));
			if (name.equals(uniform)) {
				return parts.subList(i + 1, parts.size());
			}
			if (name.length() > uniform.length()) {
				return null;
			}
		}
		return null;
	}

	private static List<String> after(String part, Property property) {
		List<String> rest = after(part, property.parts(), false);
		return (rest != null) ? rest : List.of();
	}

	private Map<String, ServerName> names(String part, ResolvableType type) {
		Map<String, ServerName> names = new LinkedHashMap<>();
		Map<String, Property> spellings = new HashMap<>();
		for (Property property : this.properties) {
			List<String> rest = property.variable() ? List.of() : after(part, property);
			if (!rest.isEmpty()) {
				String name = rest.get(0);
				String key = PropertyNames.uniform(name);
				names.putIfAbsent(key, new ServerName(name, key, true, property.origin(), null));
				Property other = spellings.put(property.index() + ":" + key, property);
				if (other != null && !after(part, other).get(0).equals(name)) {
					names.computeIfPresent(key, (same, known) -> known.alsoSpelled(name));
				}
			}
		}
		Map<String, ServerName> ofVariables = new TreeMap<>();
		for (Property property : this.properties) {
			List<String> rest = property.variable() ? after(part, property) : List.of();
			if (!rest.isEmpty() && owners(names.keySet(), rest).isEmpty()) {
				String name = PropertyNames.uniform(rest.get(0));
				PropertyTarget target = PropertyTarget.of(type, rest.subList(1, rest.size()), true);
				if (!name.isEmpty() && (target.isUsable() || ServerSettingsValidator.isMisplaced(target))) {
					ofVariables.putIfAbsent(name, new ServerName(name, name, false, property.origin(), null));
				}
			}
		}
		names.putAll(ofVariables);
		names.forEach((key, name) -> this.groups.put(part + ":" + key, group(name.property("mcp." + part), type)));
		return names;
	}

	/**
	 * Return the names that a variable can belong to, with what follows them:
	 * {@code GITHUB_TOOLS_MAX} may be of {@code github} or of {@code github-tools}.
	 */
	private static Map<String, List<String>> owners(Collection<String> names, List<String> parts) {
		Map<String, List<String>> owners = new LinkedHashMap<>();
		StringBuilder name = new StringBuilder();
		for (int i = 0; i < parts.size(); i++) {
			name.append(PropertyNames.uniform(parts.get(i)));
			if (names.contains(name.toString())) {
				owners.putIfAbsent(name.toString(), parts.subList(i + 1, parts.size()));
			}
		}
		return owners;
	}

	private void add(Property property) {
		String part = PropertyNames.uniform(property.parts().get(0));
		PropertyGroup group = this.groups.get(part);
		List<String> rest = property.parts().subList(1, property.parts().size());
		if (group != null) {
			group.add(property, rest);
			return;
		}
		Map<String, ServerName> names = part.equals("servers") ? this.servers
				: part.equals("selections") ? this.selections : Map.of();
		String nearest = nearest(part, property);
		if (nearest != null) {
			this.strays.add(new Unknown(property.name(), "mcp." + nearest, property));
		}
		else if (property.variable()) {
			Map<PropertyGroup, PropertyTarget> owners = new LinkedHashMap<>();
			owners(names.keySet(), rest).forEach((key, below) -> {
				PropertyGroup owner = group(part + ":" + key);
				owners.put(owner, owner.target(below, true));
			});
			boolean usable = owners.values().stream().anyMatch(PropertyTarget::isUsable);
			if (owners.isEmpty() && part.equals("servers") && !rest.isEmpty()) {
				this.strays.add(new Unknown(property.name(), null, property));
			}
			owners.forEach((owner, target) -> {
				if (target.isUsable() || !usable) {
					owner.add(property, target);
				}
			});
		}
		else if (!rest.isEmpty() && !names.isEmpty()) {
			group(part + ":" + PropertyNames.uniform(rest.get(0))).add(property, rest.subList(1, rest.size()));
		}
	}

	/**
	 * Return the property that a property of no group most likely means. Other properties
	 * may belong to the application.
	 */
	private @Nullable String nearest(String part, Property property) {
		for (String key : KEYS) {
			if (NearestNames.distance(part, key, 1) == 1) {
				return key;
			}
			PropertyGroup group = this.groups.get(key);
			if (group != null && part.startsWith(key) && !property.variable()) {
				PropertyTarget below = group.target(List.of(part.substring(key.length())), false);
				if (below.isUsable()) {
					return key + "." + below.path();
				}
			}
		}
		if (property.variable()) {
			return null;
		}
		PropertyTarget setting = group("defaults").target(property.parts(), false);
		String other = part.equals("timeout") ? ForeignNames.find("", property.parts()) : null;
		// a name of one word may well belong to the application
		boolean clear = setting.isUsable() && setting.path().matches(".*[-.].*");
		return (other != null) ? "defaults." + other : clear ? "defaults." + setting.path() : null;
	}

	private PropertyGroup group(String name, ResolvableType type) {
		PropertyGroup group = new PropertyGroup(name, type, this.binder);
		for (int i = 0; i < this.sources.size(); i++) {
			ConfigurationPropertySource source = this.sources.get(i);
			// in that of random values, the binder would look for each setting of each
			// server
			if (!(source instanceof IterableConfigurationPropertySource)
					&& source.containsDescendantOf(ROOT) != ConfigurationPropertyState.ABSENT) {
				group.add(i, source);
			}
		}
		return group;
	}

	PropertyGroup group(String part) {
		return Objects.requireNonNull(this.groups.get(part));
	}

	PropertyGroup server(ServerName name) {
		return this.groups.computeIfAbsent("servers:" + name.key(),
				(absent) -> group(name.property("mcp.servers"), SERVER));
	}

	PropertyGroup selection(ServerName name) {
		return group("selections:" + name.key());
	}

	/**
	 * Return the groups of no server, except for the defaults of servers.
	 */
	Stream<PropertyGroup> parts() {
		return PARTS.keySet()
			.stream()
			.filter((part) -> !part.equals("defaults"))
			.flatMap((part) -> Stream.ofNullable(this.groups.get(part)));
	}

	/**
	 * Return the values of the properties that other modules bind.
	 */
	Map<String, Map<String, String>> ofModules() {
		Map<String, Map<String, String>> others = new HashMap<>();
		PARTS.keySet()
			.stream()
			.filter((part) -> !OWN.contains(part))
			.forEach((part) -> others.put("mcp." + part, group(part).values()));
		return others;
	}

	/**
	 * Return whether there are settings of the console, but no console.
	 */
	boolean lacksConsole() {
		return !this.groups.containsKey("console") && this.properties.stream()
			.anyMatch((property) -> !property.variable()
					&& PropertyNames.uniform(property.parts().get(0)).equals("console"));
	}

	/**
	 * Return whether there are servers of Spring AI's MCP client, but no such client.
	 */
	boolean lacksClientOfSpringAi() {
		return OF_SPRING_AI.stream()
			.anyMatch((connections) -> this.sources.stream()
				.anyMatch((source) -> source.containsDescendantOf(connections) == ConfigurationPropertyState.PRESENT))
				&& !ClassUtils.isPresent(
						"org.springframework.ai.mcp.client.common.autoconfigure.McpClientAutoConfiguration", null);
	}

	ConfigurableEnvironment environment() {
		return this.environment;
	}

	void forgetServers() {
		this.properties.clear();
		this.servers.keySet().forEach((key) -> this.groups.remove("servers:" + key));
	}

	Collection<PropertyGroup> groups() {
		return this.groups.values();
	}

	List<Unknown> strays() {
		return this.strays;
	}

	/**
	 * Return the errors in the names of properties.
	 */
	Collection<Problem> problems() {
		return this.problems.values();
	}

	List<ServerName> serverNames() {
		return List.copyOf(this.servers.values());
	}

	List<ServerName> selectionNames() {
		return List.copyOf(this.selections.values());
	}

}
