package io.github.mcpclient.config;

import java.lang.reflect.Field;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.mcpclient.definition.McpToolRule;
import io.github.mcpclient.internal.support.PropertyNames;

import org.springframework.boot.context.properties.bind.DataObjectPropertyName;
import org.springframework.boot.context.properties.bind.Name;
import org.springframework.core.ResolvableType;
import org.springframework.util.ConcurrentReferenceHashMap;
import org.springframework.util.ReflectionUtils;

/**
 * The target of the name of a property in the record that is bound. Spring Boot removes
 * invalid characters from a name, and may therefore accept an invalid name.
 *
 * @param path the name, below that of the record, in canonical spelling
 * @param key the parts that follow the path: the key in a map, or an unknown name
 * @param known the known names at the position of an unknown name
 */
record PropertyTarget(Kind kind, String path, List<String> key, List<String> known) {

	private static final Pattern PART = Pattern.compile("\\[((?:[^\\[\\]]++|\\[[^\\[\\]]*+\\])*+)\\]|[^.][^.\\[]*+");

	// cached, since reflection on the components of records is slow
	private static final Map<Class<?>, List<Component>> COMPONENTS = new ConcurrentReferenceHashMap<>();

	// more than the longest name of a component has
	private static final int MOST_WORDS = 32;

	private static final Pattern INDEX = Pattern.compile("\\d{1,9}");

	static PropertyTarget of(ResolvableType type, List<String> parts, boolean variable) {
		PropertyTarget target = of(type, "", parts, variable);
		return (!variable || parts.isEmpty() || target.isUsable()) ? target : unknown("", parts, List.of());
	}

	private static PropertyTarget of(ResolvableType type, String path, List<String> parts, boolean variable) {
		Class<?> raw = type.resolve(Object.class);
		boolean end = parts.isEmpty();
		// a rate is one text
		if (raw.isRecord() && raw != McpToolRule.Rate.class) {
			return end ? new PropertyTarget(Kind.PARENT, path) : component(raw, path, parts, variable);
		}
		if (raw == Map.class) {
			return end ? new PropertyTarget(Kind.PARENT, path) : entry(type.getGeneric(1), path, parts, variable);
		}
		boolean index = parts.size() == 1 && INDEX.matcher(parts.get(0)).matches();
		if (raw == List.class && parts.size() > 1 && INDEX.matcher(parts.get(0)).matches()
				&& type.getGeneric(0).resolve(Object.class).isRecord()) {
			return of(type.getGeneric(0), path + "[" + parts.get(0) + "]", parts.subList(1, parts.size()), variable);
		}
		if (raw == List.class) {
			return (end || index) ? new PropertyTarget(Kind.VALUE, path + (end ? "" : "[" + parts.get(0) + "]"))
					: new PropertyTarget(Kind.MAP_FOR_LIST, path);
		}
		return end ? new PropertyTarget(Kind.VALUE, path)
				: index ? new PropertyTarget(Kind.LIST_FOR_VALUE, path) : unknown(path, parts, List.of());
	}

	private static PropertyTarget component(Class<?> type, String path, List<String> parts, boolean variable) {
		List<Component> components = components(type);
		for (int length = variable ? Math.min(parts.size(), MOST_WORDS) : 1; length > 0; length--) {
			// an empty part is the start of a key: ENV__JAVA_OPTIONS
			String name = parts.get(length - 1).isEmpty() ? ""
					: PropertyNames.uniform(String.join("", parts.subList(0, length)));
			for (Component component : components) {
				if (component.uniform().equals(name)) {
					PropertyTarget target = of(component.type(), path + (path.isEmpty() ? "" : ".") + component.name(),
							parts.subList(length, parts.size()), variable);
					if (!variable || target.isUsable()) {
						return target;
					}
				}
			}
		}
		return unknown(path, parts, components.stream().map(Component::name).toList());
	}

	private static PropertyTarget entry(ResolvableType type, String path, List<String> parts, boolean variable) {
		String joined = String.join(variable ? "_" : ".", parts);
		if (joined.isEmpty() || joined.indexOf('[') != -1 || joined.indexOf(']') != -1) {
			return new PropertyTarget(Kind.WRONG_KEY, path);
		}
		if (type.resolve() == String.class) {
			// a header has no underscores, and a variable no dashes
			String key = (variable && path.equals("headers")) ? joined.replace('_', '-') : joined;
			return key.equals("0") ? new PropertyTarget(Kind.LIST_FOR_MAP, path)
					: new PropertyTarget(Kind.ENTRY, path, List.of(key), List.of());
		}
		// a variable is in upper case, regardless of the case of the key
		List<String> key = variable ? parts.stream().map((part) -> part.toLowerCase(Locale.ROOT)).toList() : parts;
		return new PropertyTarget(Kind.ENTRY, path, key, List.of());
	}

	private static PropertyTarget unknown(String path, List<String> parts, List<String> known) {
		return new PropertyTarget(Kind.UNKNOWN, path, parts, known);
	}

	private PropertyTarget(Kind kind, String path) {
		this(kind, path, List.of(), List.of());
	}

	/**
	 * Return the properties of a record.
	 */
	static List<Component> components(Class<?> type) {
		return COMPONENTS.computeIfAbsent(type, (absent) -> Stream.of(type.getRecordComponents()).map((component) -> {
			String name = dashed(component);
			return new Component(name, PropertyNames.uniform(name), ResolvableType.forType(component.getGenericType()));
		}).toList());
	}

	private static String dashed(RecordComponent component) {
		Field field = ReflectionUtils.findField(component.getDeclaringRecord(), component.getName());
		Name name = (field != null) ? field.getAnnotation(Name.class) : null;
		return (name != null) ? name.value() : DataObjectPropertyName.toDashedForm(component.getName());
	}

	boolean isUsable() {
		return this.kind == Kind.VALUE || this.kind == Kind.ENTRY;
	}

	/**
	 * Return the common identity of equal entries of a map: headers are case-insensitive,
	 * environment variables are case-sensitive.
	 */
	String identity() {
		String joined = String.join(".", this.key);
		return this.path + ":" + switch (this.path) {
			case "env" -> joined;
			case "headers" -> joined.toLowerCase(Locale.ROOT);
			default -> PropertyNames.uniform(joined);
		};
	}

	/**
	 * Return the name as users write it, with a key in the given spelling.
	 */
	String written(List<String> key) {
		String written = this.path + key.stream().map(PropertyNames::suffix).collect(Collectors.joining());
		return written.startsWith(".") ? written.substring(1) : written;
	}

	/**
	 * Return the name for the binder: keys are in brackets, which preserves them.
	 */
	String bound(List<String> key) {
		return this.path + key.stream().map((part) -> "[" + part + "]").collect(Collectors.joining());
	}

	static List<String> parts(String name) {
		List<String> parts = new ArrayList<>();
		PART.matcher(name)
			.results()
			.forEach((part) -> parts.add((part.group(1) != null) ? part.group(1) : part.group()));
		return parts;
	}

	record Component(String name, String uniform, ResolvableType type) {
	}

	/**
	 * The kind of a target. A parent is a record or a map.
	 */
	enum Kind {

		VALUE(""), ENTRY(""), PARENT(""), UNKNOWN(""),

		WRONG_KEY("A name is empty, or has a bracket."),

		LIST_FOR_MAP("This is a map, not a list: write a name for each value."),

		MAP_FOR_LIST("This is a list, not a map: write its items, without names."),

		LIST_FOR_VALUE("This is a single value, not a list.");

		private final String error;

		Kind(String error) {
			this.error = error;
		}

		String error() {
			return this.error;
		}

	}

}
