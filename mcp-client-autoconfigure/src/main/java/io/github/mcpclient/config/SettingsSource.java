package io.github.mcpclient.config;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;

/**
 * What one source has of some settings, under the root {@link #ROOT}. The entries of maps
 * are apart, since their names are to be kept exactly.
 */
final class SettingsSource {

	static final ConfigurationPropertyName ROOT = ConfigurationPropertyName.of("settings");

	private final ConfigurationPropertySource source;

	private final ConfigurationPropertyName prefix;

	private final List<RawProperty> properties;

	private final Map<String, RawProperty> byKey = new HashMap<>();

	/**
	 * Create a source.
	 * @param source the source, which is asked where it cannot list what it has
	 * @param prefix the name of the settings in that source
	 * @param properties what the source lists of the settings
	 */
	SettingsSource(ConfigurationPropertySource source, ConfigurationPropertyName prefix, List<RawProperty> properties) {
		this.source = source;
		this.prefix = prefix;
		this.properties = properties;
		properties.forEach((property) -> this.byKey.putIfAbsent(property.path().key(), property));
	}

	/**
	 * Return the entries of a map.
	 * @param map the uniform name of the map
	 * @return the entries, in the order of the source
	 */
	List<RawProperty> entries(String map) {
		return this.properties.stream()
			.filter((property) -> !isOtherSetting(map, property.path()))
			.map((property) -> property.after(map))
			.filter(Objects::nonNull)
			.filter((property) -> !property.path().joined().isEmpty())
			.toList();
	}

	/**
	 * Return whether a variable is a setting that only looks like a part of another one,
	 * as {@code ENV_FILE} does like a variable {@code FILE} in {@code env}.
	 * @param setting the name of the other setting
	 * @param path the path of the variable
	 * @return whether it is a setting of its own
	 */
	static boolean isOtherSetting(String setting, PropertyPath path) {
		return setting.equals("env") && path.variable() && PropertyPath.uniform(path.joined()).equals("envfile");
	}

	/**
	 * Return a property as it stands in the source.
	 * @param name the name below {@link #ROOT}
	 * @return the property, under that name, or {@code null}
	 */
	@Nullable ConfigurationProperty find(ConfigurationPropertyName name) {
		ConfigurationPropertyName rest = name.subName(ROOT.getNumberOfElements());
		RawProperty listed = listed(rest);
		Object value = (listed != null) ? listed.value() : null;
		if (listed != null && value != null) {
			return new ConfigurationProperty(name, value, listed.origin());
		}
		ConfigurationProperty asked = isListing() ? null
				: this.source.getConfigurationProperty(this.prefix.append(rest));
		return (asked != null) ? new ConfigurationProperty(name, asked.getValue(), asked.getOrigin()) : null;
	}

	List<RawProperty> properties() {
		return this.properties;
	}

	/**
	 * Return a source for Boot's binder.
	 * @param maps the uniform names of the maps, which the binder does not see
	 * @param resolve resolves what the binder finds
	 * @return the source
	 */
	ConfigurationPropertySource forBinding(List<String> maps, UnaryOperator<ConfigurationProperty> resolve) {
		ConfigurationPropertySource binding = (name) -> {
			ConfigurationProperty property = (name != null && ROOT.isAncestorOf(name)
					&& !maps.contains(name.getElement(ROOT.getNumberOfElements(), Form.UNIFORM))) ? find(name) : null;
			return (property != null) ? resolve.apply(property) : null;
		};
		return isListing() ? new Listing(binding, maps) : binding;
	}

	private @Nullable RawProperty listed(ConfigurationPropertyName rest) {
		List<String> parts = IntStream.range(0, rest.getNumberOfElements())
			.mapToObj((i) -> rest.getElement(i, Form.UNIFORM))
			.toList();
		RawProperty property = this.byKey.get(PropertyPath.key(parts, false));
		return (property != null) ? property : this.byKey.get(PropertyPath.key(parts, true));
	}

	private boolean isListing() {
		return this.source instanceof IterableConfigurationPropertySource;
	}

	private final class Listing implements IterableConfigurationPropertySource {

		private final ConfigurationPropertySource binding;

		private final List<ConfigurationPropertyName> names;

		Listing(ConfigurationPropertySource binding, List<String> maps) {
			this.binding = binding;
			this.names = SettingsSource.this.properties.stream()
				.map(RawProperty::path)
				.filter((path) -> maps.stream()
					.noneMatch((map) -> path.after(map) != null && !isOtherSetting(map, path)))
				.map(this::name)
				.filter(Objects::nonNull)
				.toList();
		}

		@Override
		public Stream<ConfigurationPropertyName> stream() {
			return this.names.stream();
		}

		@Override
		public @Nullable ConfigurationProperty getConfigurationProperty(@Nullable ConfigurationPropertyName name) {
			return (name != null) ? this.binding.getConfigurationProperty(name) : null;
		}

		private @Nullable ConfigurationPropertyName name(PropertyPath path) {
			StringBuilder name = new StringBuilder(ROOT.toString());
			for (String part : path.parts()) {
				String uniform = PropertyPath.uniform(part);
				boolean index = !uniform.isEmpty() && uniform.chars().allMatch((ch) -> ch >= '0' && ch <= '9');
				name.append(index ? "[" : ".").append(uniform).append(index ? "]" : "");
			}
			return ConfigurationPropertyName.ofIfValid(name);
		}

	}

}
