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
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.mcpclient.config.ImportedProperties.UnusableValue;
import io.github.mcpclient.config.McpServerProperties.Tools;
import io.github.mcpclient.config.PropertyTarget.Kind;
import io.github.mcpclient.definition.InvalidMcpConfigurationException.Problem;
import io.github.mcpclient.definition.McpToolRule;
import io.github.mcpclient.internal.support.NearestNames;
import io.github.mcpclient.internal.support.PropertyNames;
import io.github.mcpclient.internal.validation.McpServerDefinitions.Configured.Settings;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.bind.BindContext;
import org.springframework.boot.context.properties.bind.BindHandler;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.UnboundConfigurationPropertiesException;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertyState;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.boot.origin.Origin;
import org.springframework.boot.origin.PropertySourceOrigin;
import org.springframework.core.ResolvableType;
import org.springframework.core.env.PropertySource;
import org.springframework.util.ClassUtils;
import org.springframework.util.unit.DataSize;

/**
 * The properties below one name, such as the properties of a server, from all sources,
 * and their errors.
 */
final class PropertyGroup implements Settings {

	private static final ConfigurationPropertyName ROOT = ConfigurationPropertyName.of("section");

	private static final String DEFAULTS = "mcp.defaults";

	// the list of records
	private static final ConfigurationPropertyName RULES = name("tools.rules");

	private static final int MOST_ENTRIES = 1000;

	private static final int LONGEST_VALUE = 40;

	private static final Map<Class<?>, String> UNREADABLE = Map.of(Duration.class,
			" is not a duration. Write for instance 500ms, 30s or 5m.", DataSize.class,
			" is not a size. Write for instance 512KB or 16MB.", Boolean.class, " is neither true nor false.",
			Integer.class, " is not a whole number.", Double.class, " is not a number.", Charset.class,
			" is not a character encoding that this JVM knows. Write for instance UTF-8.", McpToolRule.Rate.class,
			"This is not a rate. Write for instance 60/m, 5/s or 10/30s.");

	private static final Duration SHORTEST_TIMEOUT = Duration.ofMillis(300);

	private static final String GAP = "The indexes of the list have a gap.";

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

	private final PropertyGroupBinder binder;

	private final Map<Integer, ConfigurationPropertySource> sources = new TreeMap<>();

	private final Map<String, Property> entries = new LinkedHashMap<>();

	// the first of the entries below each name
	private final Map<String, String> below = new HashMap<>();

	private final Map<ConfigurationPropertyName, String> written = new HashMap<>();

	private final Map<String, List<String>> keys = new HashMap<>();

	private final Set<String> parents = new HashSet<>();

	// of maps, by their names
	private final Map<String, Integer> sizes = new HashMap<>();

	private final List<Unknown> unknown = new ArrayList<>();

	private final List<Problem> problems = new ArrayList<>();

	private final List<String> warnings = new ArrayList<>();

	private Set<String> inputs = Set.of();

	PropertyGroup(String name, ResolvableType type, PropertyGroupBinder binder) {
		this.name = name;
		this.type = type;
		this.binder = binder;
	}

	/**
	 * Add a source that cannot list its properties.
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
		boolean ofOneServer = this.name.equals(DEFAULTS) && ServerSettingsValidator.TARGETS.contains(target.path());
		return ofOneServer ? new PropertyTarget(Kind.UNKNOWN, "", parts, List.of()) : target;
	}

	void add(Property property, List<String> parts) {
		add(property, target(parts, property.variable()));
	}

	/**
	 * Add a property. Properties of lower precedence are added first.
	 */
	void add(Property property, PropertyTarget target) {
		List<String> key = this.keys.computeIfAbsent(target.identity(), (absent) -> target.key());
		String setting = target.written(key);
		Kind kind = target.kind();
		switch (kind) {
			case VALUE, ENTRY -> {
				ConfigurationPropertyName name = name(target.bound(key));
				Listing listing = (Listing) this.sources.computeIfAbsent(property.index(), (absent) -> new Listing());
				if (!isTooMany(target, setting, property) && listing.add(name, property)) {
					this.written.put(name, setting);
					put(setting, property);
				}
			}
			case PARENT -> {
				this.parents.add(setting);
				put(setting, property);
			}
			case UNKNOWN -> this.unknown.add(new Unknown(setting, nearest(target), property));
			default -> {
				if (!this.entries.containsKey(setting)) {
					put(setting, property);
				}
				this.problems.add(problem(setting, kind.error()));
			}
		}
	}

	private static ConfigurationPropertyName name(String setting) {
		return ConfigurationPropertyName.of(PropertyNames.below(ROOT.toString(), setting));
	}

	// a few aliases of YAML can make a million of them
	private boolean isTooMany(PropertyTarget target, String setting, Property property) {
		boolean more = target.kind() == Kind.ENTRY && !this.entries.containsKey(setting);
		int size = more ? this.sizes.merge(target.path(), 1, Integer::sum) : 0;
		if (size == MOST_ENTRIES + 1) {
			put(target.path(), property);
			this.problems.add(problem(target.path(), "There are more than " + MOST_ENTRIES + " values."));
		}
		return size > MOST_ENTRIES;
	}

	private void put(String setting, Property property) {
		this.entries.put(setting, property);
		for (int i = setting.length() - 1; i > 0; i--) {
			if (setting.charAt(i) == '.' || setting.charAt(i) == '[') {
				this.below.putIfAbsent(setting.substring(0, i), setting);
			}
		}
	}

	private @Nullable String nearest(PropertyTarget target) {
		boolean ofServer = this.type.resolve() == McpServerProperties.class && !target.key().isEmpty();
		String other = ofServer ? ForeignNames.find(target.path(), target.key()) : null;
		List<String> nearest = NearestNames.of(target.key().get(0), target.known());
		return (other != null) ? other : nearest.isEmpty() ? null : nearest.get(0);
	}

	/**
	 * Bind the group. A value that cannot be read is reported, and absent from the
	 * result.
	 */
	<T> T bind(Class<T> type) {
		return bind("", type);
	}

	/**
	 * Bind only the properties below a setting.
	 */
	<T> T bind(String setting, Class<T> type) {
		T bound = binder().bindOrCreate(ROOT.append(setting), Bindable.of(type), new Handler());
		this.inputs = this.binder.placeholders().takeInputs();
		return bound;
	}

	/**
	 * Return the unresolved values by the names of the settings.
	 */
	Map<String, String> values() {
		Map<String, String> values = new HashMap<>();
		this.entries.forEach((setting, property) -> values.put(setting, String.valueOf(property.value())));
		return values;
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
		// the first source has all rules
		this.sources.values()
			.stream()
			.filter((source) -> source instanceof Listing listing && !listing.rules.isEmpty())
			.findFirst()
			.ifPresent((source) -> bindRules((Listing) source));
		return this.binder.of(this.sources.values());
	}

	/**
	 * Bind each rule separately, since the binder iterates over all of its names for each
	 * list and map of each rule.
	 */
	private void bindRules(Listing listing) {
		if (listing.rules.lastKey() != listing.rules.size() - 1) {
			this.problems.add(problem(RULES.subName(1).toString(), GAP));
			return;
		}
		List<McpToolRule> rules = new ArrayList<>();
		listing.rules.forEach((index, rule) -> {
			Binder binder = this.binder.of(List.of(rule));
			rules.add(Tools.withLists(binder.bindOrCreate(RULES.append("[" + index + "]"),
					Bindable.of(McpToolRule.class), new Handler())));
		});
		listing.bound = new ConfigurationProperty(RULES, rules, null);
	}

	/**
	 * Return whether a setting is given, in any source and with any value.
	 */
	@Override
	public boolean contains(String setting) {
		return this.entries.containsKey(setting) || this.below.containsKey(setting);
	}

	/**
	 * Return the settings by their name in the group. The items of a list are from the
	 * first source that has the list.
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
	 * Return the name of the list for the name of an item.
	 */
	static String withoutItem(String setting) {
		return ITEM.matcher(setting).replaceFirst("");
	}

	boolean isEmpty() {
		return this.entries.isEmpty();
	}

	/**
	 * Return the origin of the first setting from an imported file of servers.
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
	 * Return the values of the inputs that were bound, which may be secret.
	 */
	Set<String> inputs() {
		return this.inputs;
	}

	List<Problem> problems() {
		return this.problems;
	}

	/**
	 * Describe an error in a setting. If the setting is absent, the origin of another
	 * setting is used.
	 */
	Problem problem(String setting, String message) {
		Origin origin = Stream
			.of(Stream.ofNullable(this.entries.get(setting)),
					Stream.ofNullable(this.below.get(setting)).map(this.entries::get), this.entries.values().stream())
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

	String property(String setting) {
		return PropertyNames.below(this.name, setting);
	}

	private static String unreadable(Class<?> type, String value) {
		if (type.isEnum()) {
			return value + " is not one of "
					+ Stream.of(type.getEnumConstants())
						.map((constant) -> constant.toString().toLowerCase(Locale.ROOT).replace('_', '-'))
						.collect(Collectors.joining(", "))
					+ ".";
		}
		String error = UNREADABLE.getOrDefault(type, "The value cannot be read.");
		return error.startsWith(" ") ? value + error : error;
	}

	/**
	 * A property that does not exist.
	 *
	 * @param nearest the suggested name, or {@code null} if there is no similar name
	 */
	record Unknown(String setting, @Nullable String nearest, Property property) {
	}

	/**
	 * A property in its source, before placeholders are resolved.
	 *
	 * @param index the position of the source, from the highest precedence
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

		private final Set<ConfigurationPropertyName> parents = new HashSet<>();

		private final NavigableMap<Integer, Listing> rules = new TreeMap<>();

		private @Nullable ConfigurationProperty bound;

		boolean add(ConfigurationPropertyName name, Property property) {
			int index = RULES.getNumberOfElements();
			if (RULES.isAncestorOf(name) && name.isNumericIndex(index)) {
				addParents(RULES);
				return this.rules
					.computeIfAbsent(Integer.valueOf(name.getElement(index, Form.ORIGINAL)), (absent) -> new Listing())
					.addOwn(name, property);
			}
			return addOwn(name, property);
		}

		private boolean addOwn(ConfigurationPropertyName name, Property property) {
			addParents(name.getParent());
			return this.properties.putIfAbsent(name, property) == null;
		}

		private void addParents(ConfigurationPropertyName name) {
			ConfigurationPropertyName parent = name;
			while (this.parents.add(parent) && !parent.isEmpty()) {
				parent = parent.getParent();
			}
		}

		@Override
		public Stream<ConfigurationPropertyName> stream() {
			return this.properties.keySet().stream();
		}

		// the binder calls this for each setting of each record, and would otherwise
		// iterate over all names
		@Override
		public ConfigurationPropertyState containsDescendantOf(ConfigurationPropertyName name) {
			return this.parents.contains(name) ? ConfigurationPropertyState.PRESENT : ConfigurationPropertyState.ABSENT;
		}

		@Override
		public @Nullable ConfigurationProperty getConfigurationProperty(@Nullable ConfigurationPropertyName name) {
			if (name != null && name.equals(RULES) && this.bound != null) {
				return this.bound;
			}
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
				warn(PropertyGroup.this.written.getOrDefault(name, name.subName(1).toString()), property, result);
			}
			return result;
		}

		private void warn(String setting, ConfigurationProperty property, Object result) {
			if (result instanceof Duration duration && setting.endsWith("timeout")
					&& duration.compareTo(SHORTEST_TIMEOUT) < 0
					&& NUMBER
						.matcher(String
							.valueOf(PropertyGroup.this.binder.placeholders().resolvePlaceholders(property.getValue())))
						.matches()) {
				PropertyGroup.this.warnings.add(property(setting) + " is " + duration.toMillis()
						+ " milliseconds, since a number without a unit is in milliseconds. Write "
						+ duration.toMillis() + "s for seconds.");
			}
			List<?> args = (setting.equals("args") && result instanceof List<?> list) ? list : List.of();
			if (args.stream().anyMatch((arg) -> OPTION_AND_MORE.matcher(arg.toString()).lookingAt())) {
				PropertyGroup.this.problems
					.add(problem(setting, "This is a single argument that begins with an option: it is not "
							+ "split at spaces. Write a list, with one argument per item."));
			}
			else if (args.stream().anyMatch((arg) -> BLANK.matcher(arg.toString().strip()).find())) {
				PropertyGroup.this.warnings.add(property(setting)
						+ " is a single string, which is split at commas and not at spaces. Write a list.");
			}
		}

		@Override
		public @Nullable Object onFailure(ConfigurationPropertyName name, Bindable<?> target, BindContext context,
				Exception error) throws Exception {
			Class<?> type = ClassUtils.resolvePrimitiveIfNecessary(target.getType().resolve(Object.class));
			ConfigurationProperty property = context.getConfigurationProperty();
			// unresolved, since the value of a placeholder may be a secret
			Object value = (property != null) ? property.getValue() : null;
			String setting = PropertyGroup.this.written.getOrDefault(name, name.subName(1).toString());
			PropertyGroup.this.problems.add(problem(setting, message(error, type, value, property)));
			// the following items are read as well
			return (type != String.class && type != Object.class) ? null
					: (value instanceof UnusableValue) ? "" : Objects.toString(value, null);
		}

		private String message(Exception error, Class<?> type, @Nullable Object value,
				@Nullable ConfigurationProperty property) {
			if (error instanceof Placeholders.UnresolvedException unresolved) {
				return unresolved.message((property != null) ? property.getOrigin() : null);
			}
			if (error instanceof UnboundConfigurationPropertiesException) {
				return GAP;
			}
			String text = String.valueOf(value);
			String shown = (text.length() > LONGEST_VALUE) ? text.substring(0, LONGEST_VALUE) + "..." : text;
			return unreadable(type, (value != null) ? "'" + shown + "'" : "This");
		}

	}

}
