package io.github.mcpclient.config;

import java.nio.charset.Charset;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.mcpclient.config.InvalidMcpConfigurationException.Problem;
import io.github.mcpclient.config.mcpjson.ImportedProperties;
import io.github.mcpclient.config.mcpjson.UnusableValue;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.bind.BindContext;
import org.springframework.boot.context.properties.bind.BindHandler;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.PlaceholdersResolver;
import org.springframework.boot.context.properties.bind.UnboundConfigurationPropertiesException;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.origin.Origin;
import org.springframework.boot.origin.PropertySourceOrigin;
import org.springframework.util.PlaceholderResolutionException;
import org.springframework.util.unit.DataSize;

/**
 * Settings that belong together, such as those of one server, from all sources. What
 * cannot be read is noted, and is absent from the result.
 */
final class Settings implements Place {

	/**
	 * Maps whose keys are kept exactly.
	 */
	private static final List<String> MAPS = List.of("headers", "env", "config");

	/**
	 * Where the values are that an editor would ask its user for.
	 */
	private static final String INPUTS = "mcp.inputs.";

	private static final int LONGEST_VALUE = 40;

	/**
	 * The name in a placeholder.
	 */
	private static final Pattern NAME = Pattern.compile("\\$\\{([^${}:]+)");

	private final String name;

	private final List<SettingsSource> sources;

	private final Placeholders placeholders;

	private final Problems problems = new Problems();

	private boolean used;

	/**
	 * Create settings.
	 * @param name the name of the property that holds them
	 * @param sources the sources, that of highest precedence first
	 * @param placeholders resolves placeholders
	 */
	Settings(String name, List<SettingsSource> sources, Placeholders placeholders) {
		this.name = name;
		this.sources = sources;
		this.placeholders = placeholders;
	}

	/**
	 * Bind the settings, but for the maps among them.
	 * @param type what to bind them to
	 * @param <T> the type
	 * @return a new instance of the type
	 */
	<T> T bind(Class<T> type) {
		return binder(MAPS).bindOrCreate(SettingsSource.ROOT, Bindable.of(type), handler());
	}

	/**
	 * Read a setting that is a list.
	 * @param setting the uniform name of the setting
	 * @return the items
	 */
	List<String> list(String setting) {
		return binder(List.of()).bind(SettingsSource.ROOT.append(setting), Bindable.listOf(String.class), handler())
			.orElse(List.of());
	}

	private Binder binder(List<String> maps) {
		List<ConfigurationPropertySource> sources = new ArrayList<>();
		this.sources.forEach((source) -> sources.add(source.forBinding(maps, this::resolve)));
		return new Binder(sources, PlaceholdersResolver.NONE);
	}

	private BindHandler handler() {
		return new BindHandler() {

			@Override
			public @Nullable Object onFailure(ConfigurationPropertyName name, Bindable<?> target, BindContext context,
					Exception error) throws Exception {
				if (name.equals(SettingsSource.ROOT)) {
					throw error;
				}
				unreadable(name, target.getType().resolve(Object.class), error);
				return null;
			}

		};
	}

	/**
	 * Read the headers.
	 * @return the headers, in the order of declaration
	 */
	Map<String, String> headers() {
		Map<String, RawProperty> entries = new LinkedHashMap<>();
		Map<String, String> spelling = new LinkedHashMap<>();
		for (RawProperty entry : entries("headers")) {
			// a variable cannot have a dash
			String header = entry.path().variable() ? entry.path().joined().replace('_', '-') : entry.path().joined();
			entries.put(spelling.computeIfAbsent(header.toLowerCase(Locale.ROOT), (absent) -> header), entry);
		}
		return values("headers", entries);
	}

	/**
	 * Read the environment variables.
	 * @return the variables, in the order of declaration
	 */
	Map<String, String> env() {
		Map<String, RawProperty> entries = new LinkedHashMap<>();
		entries("env").forEach((entry) -> entries.put(entry.path().joined(), entry));
		return values("env", entries);
	}

	/**
	 * Read what the server is told when a connection begins. Numbers and booleans of a
	 * file stay what they are.
	 * @return objects, lists and values by name, in the order of declaration
	 */
	Map<String, Object> config() {
		Map<String, RawProperty> entries = new LinkedHashMap<>();
		Map<String, List<String>> paths = new LinkedHashMap<>();
		for (RawProperty entry : entries("config")) {
			String key = PropertyPath.uniform(entry.path().joined());
			// a variable has upper case only, whatever its name stands for
			paths.putIfAbsent(key,
					entry.path().variable()
							? entry.path().parts().stream().map((part) -> part.toLowerCase(Locale.ROOT)).toList()
							: entry.path().parts());
			entries.put(key, entry);
		}
		ConfigTree tree = new ConfigTree();
		entries.forEach((key, entry) -> {
			this.used = true;
			Object value = resolve(this.name + ".config" + entry.path().suffix(), entry.value(), entry.origin());
			tree.put(paths.getOrDefault(key, List.of(key)),
					(value instanceof Number || value instanceof Boolean) ? value : Objects.toString(value, ""));
		});
		rejectSingle("config");
		return tree.toMap();
	}

	/**
	 * Return whether a setting is given, in any source and with any value.
	 * @param setting the name of the setting
	 * @return whether it is given
	 */
	boolean contains(String setting) {
		return find(SettingsSource.ROOT.append(setting)) != null || properties().map(RawProperty::path)
			.anyMatch((path) -> path.isBelow(setting) && !SettingsSource.isOtherSetting(setting, path));
	}

	/**
	 * Return whether any of the settings that were asked for is given.
	 * @return whether one was found
	 */
	boolean isUsed() {
		return this.used;
	}

	/**
	 * Find a setting where none is looked for: one part further below, as by a name with
	 * a dot that is not in brackets.
	 * @param setting the name of the setting
	 * @return the path of the setting, or {@code null}
	 */
	@Nullable PropertyPath misplaced(String setting) {
		return properties().map(RawProperty::path)
			.filter((path) -> path.size() == 2 && setting.equals(PropertyPath.uniform(path.parts().get(1))))
			.findFirst()
			.orElse(null);
	}

	/**
	 * Find a setting that comes from an imported file of servers.
	 * @return the origin of the first one, or {@code null} if there is none
	 */
	@Nullable Origin imported() {
		return properties().filter((property) -> ImportedProperties.isFrom(property.source()))
			.findFirst()
			.map(RawProperty::origin)
			.orElse(null);
	}

	/**
	 * Return what could not be read.
	 * @return the mistakes
	 */
	Problems problems() {
		return this.problems;
	}

	/**
	 * {@inheritDoc} Of a setting that is not given, the origin is that of another one.
	 */
	@Override
	public Problem problem(String setting, String message) {
		ConfigurationProperty property = find(SettingsSource.ROOT.append(setting));
		Stream<RawProperty> below = properties().filter((candidate) -> candidate.path().isBelow(setting));
		Origin origin = (property != null) ? property.getOrigin()
				: Stream.concat(below, properties()).map(RawProperty::origin).findFirst().orElse(null);
		return new Problem(this.name + "." + setting, message, origin);
	}

	@Override
	public Problem problem(String map, String key, String message) {
		return new Problem(property(map, key), message,
				entries(map).stream()
					.filter((entry) -> PropertyPath.uniform(entry.path().joined()).equals(PropertyPath.uniform(key)))
					.reduce((first, second) -> second)
					.map(RawProperty::origin)
					.orElse(null));
	}

	private Stream<RawProperty> properties() {
		return this.sources.stream().flatMap((source) -> source.properties().stream());
	}

	private List<RawProperty> entries(String map) {
		List<RawProperty> entries = new ArrayList<>();
		for (int i = this.sources.size() - 1; i >= 0; i--) {
			entries.addAll(this.sources.get(i).entries(map));
		}
		return entries;
	}

	private Map<String, String> values(String map, Map<String, RawProperty> entries) {
		Map<String, String> values = new LinkedHashMap<>();
		entries.forEach((key, entry) -> {
			this.used = true;
			values.put(key, String.valueOf(resolve(property(map, key), entry.value(), entry.origin())));
		});
		rejectSingle(map);
		if (entries.containsKey("0")) {
			this.problems.add(problem(map, "This is not a list: below it is a name for each value."));
		}
		return values;
	}

	private void rejectSingle(String map) {
		ConfigurationProperty single = find(SettingsSource.ROOT.append(map));
		if (single != null && single.getValue() instanceof UnusableValue unusable) {
			this.problems.add(problem(map, unusable.message()));
		}
		else if (single != null && !single.getValue().toString().isEmpty()) {
			this.problems.add(problem(map, "This is not a single value: below it is a name for each value."));
		}
	}

	private @Nullable ConfigurationProperty find(ConfigurationPropertyName name) {
		return this.sources.stream()
			.map((source) -> source.find(name))
			.filter(Objects::nonNull)
			.findFirst()
			.orElse(null);
	}

	private ConfigurationProperty resolve(ConfigurationProperty property) {
		this.used = true;
		Object value = resolve(this.name + "." + setting(property.getName()), property.getValue(),
				property.getOrigin());
		return new ConfigurationProperty(property.getName(), (value != null) ? value : "", property.getOrigin());
	}

	private @Nullable Object resolve(String property, @Nullable Object value, @Nullable Origin origin) {
		if (value instanceof UnusableValue unusable) {
			this.problems.add(new Problem(property, unusable.message(), origin));
			return "";
		}
		try {
			return this.placeholders.resolvePlaceholders(value);
		}
		catch (PlaceholderResolutionException ex) {
			this.problems.add(new Problem(property, unresolved(String.valueOf(value), ex, isImported(origin)), origin));
			return value;
		}
	}

	private static boolean isImported(@Nullable Origin origin) {
		return origin instanceof PropertySourceOrigin source && ImportedProperties.isFrom(source.getPropertySource());
	}

	private static String unresolved(String value, PlaceholderResolutionException ex, boolean imported) {
		String placeholder = ex.getPlaceholder();
		if (!value.contains("${" + placeholder)) {
			// what a placeholder stands for may be a secret
			return "The value of "
					+ NAME.matcher(value).results().map((result) -> result.group(1)).collect(Collectors.joining(" or "))
					+ " has a placeholder that nothing resolves.";
		}
		if (imported && placeholder.startsWith(INPUTS)) {
			return "Nothing gives the input that the file asks for. Set " + placeholder
					+ ", as the environment variable "
					+ placeholder.toUpperCase(Locale.ROOT).replace("-", "").replace('.', '_') + " for instance.";
		}
		return "Nothing resolves the placeholder ${" + placeholder + "}. Set " + placeholder
				+ ", as an environment variable for instance, or give a default: ${" + placeholder
				+ (imported ? ":-" : ":") + "...}.";
	}

	private void unreadable(ConfigurationPropertyName name, Class<?> type, Exception error) {
		ConfigurationProperty property = find(name);
		String message = (error instanceof UnboundConfigurationPropertiesException)
				? "The numbers of the items have a gap." : message(type, property);
		this.problems.add(problem(setting(name), message));
	}

	private static String message(Class<?> type, @Nullable ConfigurationProperty property) {
		// as it stands in its source, since what a placeholder stands for may be a secret
		String value = (property != null) ? "'" + shortened(property.getValue().toString()) + "'" : "This";
		if (type == Duration.class) {
			return value + " is not a duration. Write for instance 500ms, 30s or 5m.";
		}
		if (type == DataSize.class) {
			return value + " is not a size. Write for instance 512KB or 16MB.";
		}
		if (type == Boolean.class) {
			return value + " is neither true nor false.";
		}
		if (type == Integer.class) {
			return value + " is not a whole number.";
		}
		if (type == Double.class) {
			return value + " is not a number.";
		}
		if (type == Charset.class) {
			return value + " is not a character encoding that this JVM knows. Write for instance UTF-8.";
		}
		if (type.isEnum()) {
			return value + " is none of "
					+ Stream.of(type.getEnumConstants())
						.map((constant) -> constant.toString().toLowerCase(Locale.ROOT).replace('_', '-'))
						.collect(Collectors.joining(", "))
					+ ".";
		}
		return "The value cannot be read.";
	}

	private static String setting(ConfigurationPropertyName name) {
		return name.subName(SettingsSource.ROOT.getNumberOfElements()).toString();
	}

	private static String shortened(String value) {
		return (value.length() > LONGEST_VALUE) ? value.substring(0, LONGEST_VALUE) + "..." : value;
	}

	private String property(String map, String key) {
		return this.name + "." + map + ((key.indexOf('.') != -1) ? "[" + key + "]" : "." + key);
	}

}
