package io.github.mcpclient.config;

import java.nio.charset.Charset;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.mcpclient.config.ImportedProperties.UnusableValue;
import io.github.mcpclient.config.PropertyTarget.Kind;
import io.github.mcpclient.definition.InvalidMcpConfigurationException.Problem;
import io.github.mcpclient.rules.ConfiguredServers.Settings;
import io.github.mcpclient.support.NearestNames;
import io.github.mcpclient.support.PropertyNames;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.bind.BindContext;
import org.springframework.boot.context.properties.bind.BindHandler;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.UnboundConfigurationPropertiesException;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.boot.origin.Origin;
import org.springframework.boot.origin.PropertySourceOrigin;
import org.springframework.core.ResolvableType;
import org.springframework.core.env.PropertySource;
import org.springframework.util.ClassUtils;
import org.springframework.util.unit.DataSize;

/**
 * What all sources have of the properties below one name, such as those of a server, and
 * what is wrong with them.
 */
final class Section implements Settings {

	private static final ConfigurationPropertyName ROOT = ConfigurationPropertyName.of("section");

	private static final String DEFAULTS = "mcp.defaults";

	private static final int LONGEST_VALUE = 40;

	private static final Map<Class<?>, String> UNREADABLE = Map.of(Duration.class,
			" is not a duration. Write for instance 500ms, 30s or 5m.", DataSize.class,
			" is not a size. Write for instance 512KB or 16MB.", Boolean.class, " is neither true nor false.",
			Integer.class, " is not a whole number.", Double.class, " is not a number.", Charset.class,
			" is not a character encoding that this JVM knows. Write for instance UTF-8.");

	private static final Duration SHORTEST_TIMEOUT = Duration.ofMillis(300);

	private static final Pattern NUMBER = Pattern.compile("\\s*\\d+\\s*");

	private static final Pattern OPTION_AND_MORE = Pattern.compile("\\s*-\\S*\\s+\\S");

	private static final Pattern ITEM = Pattern.compile("\\[\\d+\\].*");

	private static final Pattern INDEX = Pattern.compile("\\[(\\d{1,9})\\]");

	// the tenth item comes after the second
	private static final Comparator<String> BY_NAME = Comparator.comparing((setting) -> INDEX.matcher(setting)
		.replaceAll((index) -> "[%09d]".formatted(Integer.parseInt(index.group(1)))));

	private static final Pattern BLANK = Pattern.compile("\\s");

	private final String name;

	private final ResolvableType type;

	private final SectionBinder binder;

	private final Placeholders placeholders;

	private final Map<Integer, ConfigurationPropertySource> sources = new TreeMap<>();

	private final Map<String, Property> entries = new LinkedHashMap<>();

	private final Map<ConfigurationPropertyName, String> written = new HashMap<>();

	private final Map<String, List<String>> keys = new HashMap<>();

	private final Set<String> parents = new HashSet<>();

	private final List<Unknown> unknown = new ArrayList<>();

	private final List<Problem> problems = new ArrayList<>();

	private final List<String> warnings = new ArrayList<>();

	private Set<String> inputs = Set.of();

	Section(String name, ResolvableType type, SectionBinder binder, Placeholders placeholders) {
		this.name = name;
		this.type = type;
		this.binder = binder;
		this.placeholders = placeholders;
	}

	/**
	 * Adds a source that cannot list its properties.
	 */
	void add(int index, ConfigurationPropertySource source) {
		this.sources.put(index, (name) -> {
			String rest = name.subName(1).toString();
			ConfigurationProperty property = source
				.getConfigurationProperty(ConfigurationPropertyName.adapt(PropertyNames.below(this.name, rest), '.'));
			return (property != null) ? new ConfigurationProperty(name, property.getValue(), property.getOrigin())
					: null;
		});
	}

	PropertyTarget target(List<String> parts, boolean variable) {
		PropertyTarget target = PropertyTarget.of(this.type, parts, variable);
		boolean ofOneServer = this.name.equals(DEFAULTS) && ServerRules.TARGETS.contains(target.path());
		return ofOneServer ? new PropertyTarget(Kind.UNKNOWN, "", parts, List.of()) : target;
	}

	void add(Property property, List<String> parts) {
		add(property, target(parts, property.variable()));
	}

	/**
	 * Adds a property. Those of lower precedence come first.
	 */
	void add(Property property, PropertyTarget target) {
		List<String> key = this.keys.computeIfAbsent(target.identity(), (absent) -> target.key());
		String setting = target.written(key);
		Kind kind = target.kind();
		switch (kind) {
			case VALUE, ENTRY -> {
				ConfigurationPropertyName name = ConfigurationPropertyName
					.of(PropertyNames.below(ROOT.toString(), target.bound(key)));
				Listing listing = (Listing) this.sources.computeIfAbsent(property.index(), (absent) -> new Listing());
				if (listing.properties.putIfAbsent(name, property) == null) {
					this.written.put(name, setting);
					this.entries.put(setting, property);
				}
			}
			case PARENT -> {
				this.parents.add(setting);
				this.entries.put(setting, property);
			}
			case UNKNOWN -> this.unknown.add(new Unknown(setting, nearest(target), property));
			default -> {
				this.entries.putIfAbsent(setting, property);
				this.problems.add(problem(setting, kind.mistake()));
			}
		}
	}

	private @Nullable String nearest(PropertyTarget target) {
		boolean ofServer = this.type.resolve() == McpServerProperties.class && !target.key().isEmpty();
		String foreign = ofServer ? ForeignNames.find(target.path(), target.key()) : null;
		List<String> nearest = NearestNames.of(target.key().get(0), target.known());
		return (foreign != null) ? foreign : nearest.isEmpty() ? null : nearest.get(0);
	}

	/**
	 * Binds the section. What cannot be read is noted, and absent from the result.
	 */
	<T> T bind(Class<T> type) {
		return bind("", type);
	}

	/**
	 * Binds what is below a setting alone.
	 */
	<T> T bind(String setting, Class<T> type) {
		T bound = binder().bindOrCreate(ROOT.append(setting), Bindable.of(type), new Handler());
		this.inputs = this.placeholders.takeInputs();
		return bound;
	}

	List<String> list() {
		return binder().bind(ROOT, Bindable.listOf(String.class), new Handler()).orElse(List.of());
	}

	private Binder binder() {
		this.entries.forEach((setting, property) -> {
			Object value = this.parents.contains(setting) ? property.value() : null;
			if (value instanceof UnusableValue unusable) {
				this.problems.add(problem(setting, unusable.message()));
			}
			else if (!setting.isEmpty() && value != null && !value.toString().isEmpty()) {
				this.problems.add(problem(setting, "This is a map, not a single value: write a name for each value."));
			}
		});
		return this.binder.of(this.sources.values(), this.placeholders);
	}

	/**
	 * Returns whether a setting is given, in any source and with any value.
	 */
	@Override
	public boolean contains(String setting) {
		return this.entries.containsKey(setting) || entriesBelow(setting).findFirst().isPresent();
	}

	/**
	 * Returns what is set, by its name in the section: of a list the items of the source
	 * that comes first.
	 */
	Map<String, Property> settings() {
		Map<String, Integer> first = new HashMap<>();
		Map<String, Property> settings = new TreeMap<>(BY_NAME);
		this.written.values().forEach((setting) -> {
			Property property = Objects.requireNonNull(this.entries.get(setting));
			first.merge(withoutItem(setting), property.index(), Math::min);
			settings.put(setting, property);
		});
		settings.entrySet()
			.removeIf(
					(setting) -> !Objects.equals(first.get(withoutItem(setting.getKey())), setting.getValue().index()));
		return settings;
	}

	/**
	 * Returns the name of the list for that of an item.
	 */
	static String withoutItem(String setting) {
		return ITEM.matcher(setting).replaceFirst("");
	}

	boolean isEmpty() {
		return this.entries.isEmpty();
	}

	/**
	 * Returns the origin of the first setting from an imported file of servers.
	 */
	@Nullable Origin imported() {
		return this.entries.values()
			.stream()
			.filter((property) -> ImportedProperties.isFrom(property.source()))
			.findFirst()
			.<Origin>map(Property::origin)
			.orElse(null);
	}

	List<Unknown> unknown() {
		return this.unknown;
	}

	List<String> warnings() {
		return this.warnings;
	}

	/**
	 * Returns the values of the inputs that were bound, which may be secret.
	 */
	Set<String> inputs() {
		return this.inputs;
	}

	List<Problem> problems() {
		return this.problems;
	}

	/**
	 * Describes a mistake in a setting. If it is absent, the origin is that of another
	 * one.
	 */
	Problem problem(String setting, String message) {
		Origin origin = Stream
			.of(Stream.ofNullable(this.entries.get(setting)), entriesBelow(setting), this.entries.values().stream())
			.flatMap((entries) -> entries)
			.findFirst()
			.<Origin>map(Property::origin)
			.orElse(null);
		return new Problem(property(setting), message, origin);
	}

	@Override
	public Problem problem(String setting, String message, boolean changed) {
		return problem(setting, message);
	}

	BiConsumer<String, String> reporter(List<Problem> problems) {
		return (setting, message) -> problems.add(problem(setting, message));
	}

	private Stream<Property> entriesBelow(String setting) {
		return this.entries.entrySet()
			.stream()
			.filter((entry) -> entry.getKey().startsWith(setting + ".") || entry.getKey().startsWith(setting + "["))
			.map(Map.Entry::getValue);
	}

	String property(String setting) {
		return PropertyNames.below(this.name, setting);
	}

	private static String unreadable(Class<?> type, String value) {
		if (type.isEnum()) {
			return value + " is none of "
					+ Stream.of(type.getEnumConstants())
						.map((constant) -> constant.toString().toLowerCase(Locale.ROOT).replace('_', '-'))
						.collect(Collectors.joining(", "))
					+ ".";
		}
		return UNREADABLE.containsKey(type) ? value + UNREADABLE.get(type) : "The value cannot be read.";
	}

	/**
	 * A property that does not exist.
	 *
	 * @param nearest what may be meant, or {@code null} if that is not clear
	 */
	record Unknown(String setting, @Nullable String nearest, Property property) {
	}

	/**
	 * A property as it stands in its source, before placeholders are resolved.
	 *
	 * @param index the place of the source, from that of highest precedence
	 * @param parts the name in parts, without {@code mcp}
	 * @param variable whether it is an environment variable
	 */
	record Property(int index, PropertySource<?> source, String name, List<String> parts, boolean variable) {

		@Nullable Object value() {
			return this.source.getProperty(this.name);
		}

		PropertySourceOrigin origin() {
			return (PropertySourceOrigin) PropertySourceOrigin.get(this.source, this.name);
		}

	}

	private static final class Listing implements IterableConfigurationPropertySource {

		private final Map<ConfigurationPropertyName, Property> properties = new LinkedHashMap<>();

		@Override
		public Stream<ConfigurationPropertyName> stream() {
			return this.properties.keySet().stream();
		}

		@Override
		public @Nullable ConfigurationProperty getConfigurationProperty(@Nullable ConfigurationPropertyName name) {
			Property property = this.properties.get(name);
			Object value = (property != null) ? property.value() : null;
			return (name != null && property != null && value != null)
					? new ConfigurationProperty(name, value, property.origin()) : null;
		}

	}

	private final class Handler implements BindHandler {

		@Override
		public @Nullable Object onSuccess(ConfigurationPropertyName name, Bindable<?> target, BindContext context,
				Object result) {
			ConfigurationProperty property = context.getConfigurationProperty();
			if (property != null && property.getName().equals(name)) {
				warn(Section.this.written.getOrDefault(name, name.subName(1).toString()), property, result);
			}
			return result;
		}

		private void warn(String setting, ConfigurationProperty property, Object result) {
			if (result instanceof Duration duration && setting.endsWith("timeout")
					&& duration.compareTo(SHORTEST_TIMEOUT) < 0
					&& NUMBER
						.matcher(String.valueOf(Section.this.placeholders.resolvePlaceholders(property.getValue())))
						.matches()) {
				Section.this.warnings.add(property(setting) + " is " + duration.toMillis()
						+ " milliseconds, since a number without a unit is in milliseconds. Write "
						+ duration.toMillis() + "s for seconds.");
			}
			if (setting.equals("args") && result instanceof List<?> args
					&& args.stream().anyMatch((arg) -> OPTION_AND_MORE.matcher(arg.toString()).lookingAt())) {
				Section.this.problems
					.add(problem(setting, "This is a single argument that begins with an option: it is not "
							+ "split at spaces. Write a list, with one argument per item."));
			}
			else if (setting.equals("args") && result instanceof List<?> args
					&& args.stream().anyMatch((arg) -> BLANK.matcher(arg.toString().strip()).find())) {
				Section.this.warnings.add(property(setting) + " is a single string, which is split at commas, but not "
						+ "at spaces. Write a list.");
			}
		}

		@Override
		public @Nullable Object onFailure(ConfigurationPropertyName name, Bindable<?> target, BindContext context,
				Exception error) throws Exception {
			Class<?> type = ClassUtils.resolvePrimitiveIfNecessary(target.getType().resolve(Object.class));
			ConfigurationProperty property = context.getConfigurationProperty();
			// as it stands in its source, since what a placeholder stands for may be a
			// secret
			Object value = (property != null) ? property.getValue() : null;
			String setting = Section.this.written.getOrDefault(name, name.subName(1).toString());
			Section.this.problems.add(problem(setting, message(error, type, value, property)));
			// the items after it are read, too
			return (type == String.class || type == Object.class) ? Objects.toString(value, null) : null;
		}

		private String message(Exception error, Class<?> type, @Nullable Object value,
				@Nullable ConfigurationProperty property) {
			if (error instanceof Placeholders.UnresolvedException unresolved) {
				return unresolved.message((property != null) ? property.getOrigin() : null);
			}
			if (error instanceof UnboundConfigurationPropertiesException) {
				return "The indexes of the list have a gap.";
			}
			String text = String.valueOf(value);
			String shown = (text.length() > LONGEST_VALUE) ? text.substring(0, LONGEST_VALUE) + "..." : text;
			return unreadable(type, (value != null) ? "'" + shown + "'" : "This");
		}

	}

}
