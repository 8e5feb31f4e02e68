package io.github.mcpclient.agent;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

import io.github.mcpclient.definition.McpToolRule;
import io.github.mcpclient.internal.support.Printable;
import org.jspecify.annotations.Nullable;

/**
 * Makes a schema of arguments that model providers take. They insist on an object and a
 * list of its properties, and refuse some keywords at the top, and with them the whole
 * request, with the tools of all servers. What such a keyword leads to becomes properties
 * of the object; what the schema makes of the arguments is still checked with that of the
 * server. For one schema.
 */
final class ModelSchema {

	// keywords that have schemas of the same arguments, and others that are refused
	private static final List<String> REFUSED = List.of("$ref", "allOf", "anyOf", "oneOf", "not", "enum", "const");

	private static final int MOST_PARTS = 500;

	private static final int MOST_TYPES = 20;

	private static final int DEEPEST = 8;

	private static final int LONGEST_NOTE = 500;

	private final Map<String, @Nullable Object> schema;

	// with all that the parts say of them
	private final Map<String, Set<Object>> properties = new LinkedHashMap<>();

	private final Set<String> sets = new TreeSet<>();

	private int parts;

	private ModelSchema(Map<String, @Nullable Object> schema) {
		this.schema = schema;
	}

	/**
	 * Return what of a schema model providers refuse, or {@code null}.
	 */
	static @Nullable String refused(Map<String, @Nullable Object> schema) {
		String keywords = REFUSED.stream().filter(schema::containsKey).collect(Collectors.joining(", "));
		boolean object = "object".equals(schema.getOrDefault("type", "object"));
		return !keywords.isEmpty() ? keywords : object ? null : "another type than object";
	}

	/**
	 * Return the schema for models.
	 * @param rule has arguments that models need not, or must not, give
	 */
	static Map<String, @Nullable Object> of(Map<String, @Nullable Object> schema, @Nullable McpToolRule rule) {
		Map<String, @Nullable Object> complete = new LinkedHashMap<>(schema);
		if (refused(schema) != null) {
			new ModelSchema(schema).simplify(complete, rule);
		}
		complete.put("type", "object");
		if (!(complete.get("properties") instanceof Map)) {
			complete.put("properties", Map.of());
		}
		return complete;
	}

	private void simplify(Map<String, @Nullable Object> complete, @Nullable McpToolRule rule) {
		Set<String> required = add(this.schema, 0);
		if (rule != null) {
			this.properties.keySet().removeAll(rule.arguments().keySet());
			required.removeAll(rule.arguments().keySet());
			required.removeAll(rule.defaultArguments().keySet());
		}
		complete.keySet().removeAll(REFUSED);
		Map<String, @Nullable Object> properties = new LinkedHashMap<>();
		this.properties.forEach((name, types) -> properties.put(name,
				(types.size() == 1) ? types.iterator().next() : Map.of("anyOf", List.copyOf(types))));
		complete.put("properties", properties);
		complete.remove("required");
		if (!required.isEmpty()) {
			complete.put("required", List.copyOf(required));
		}
		boolean hidden = rule != null && !rule.arguments().isEmpty();
		if (this.sets.size() > 1 && !this.sets.contains("") && !hidden) {
			String note = "Give one of these sets of arguments: " + String.join("; ", this.sets) + ".";
			complete.merge("description", Printable.cut(note, LONGEST_NOTE), (text, more) -> text + " " + more);
		}
	}

	/**
	 * Add the properties of a part, and return which of them it always requires.
	 */
	private Set<String> add(Map<?, ?> part, int depth) {
		Set<String> required = new LinkedHashSet<>();
		if (depth > DEEPEST || ++this.parts > MOST_PARTS) {
			return required;
		}
		if (part.get("properties") instanceof Map<?, ?> own) {
			own.forEach((name, type) -> add(String.valueOf(name), type));
		}
		if (part.get("required") instanceof List<?> names) {
			names.stream().filter(String.class::isInstance).forEach((name) -> required.add((String) name));
		}
		if (part.get("$ref") instanceof String ref && definition(ref) instanceof Map<?, ?> target) {
			required.addAll(add(target, depth + 1));
		}
		parts(part, "allOf").forEach((all) -> required.addAll(add(all, depth + 1)));
		for (String keyword : List.of("anyOf", "oneOf")) {
			List<Set<String>> each = parts(part, keyword).stream().map((one) -> add(one, depth + 1)).toList();
			if (!each.isEmpty()) {
				each.forEach((names) -> this.sets.add(String.join(", ", names)));
				Set<String> common = new LinkedHashSet<>(each.get(0));
				each.forEach(common::retainAll);
				required.addAll(common);
			}
		}
		return required;
	}

	private void add(String property, @Nullable Object type) {
		Set<Object> types = this.properties.computeIfAbsent(property, (name) -> new LinkedHashSet<>());
		if (types.size() < MOST_TYPES) {
			types.add((type != null) ? type : Map.of());
		}
	}

	private static List<? extends Map<?, ?>> parts(Map<?, ?> part, String keyword) {
		List<?> parts = (part.get(keyword) instanceof List<?> list) ? list : List.of();
		return parts.stream().filter(Map.class::isInstance).map((item) -> (Map<?, ?>) item).toList();
	}

	// definitions have one of two places
	private @Nullable Object definition(String ref) {
		for (String place : List.of("$defs", "definitions")) {
			String prefix = "#/" + place + "/";
			if (ref.startsWith(prefix) && this.schema.get(place) instanceof Map<?, ?> definitions) {
				return definitions.get(ref.substring(prefix.length()));
			}
		}
		return null;
	}

}
