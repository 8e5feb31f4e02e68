package io.github.mcpclient.declared;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;

import io.github.mcpclient.event.McpToolClientMismatchEvent.Kind;
import io.github.mcpclient.internal.support.Printable;
import org.jspecify.annotations.Nullable;

/**
 * Compares what an application sends with a schema that a server has listed. It looks at
 * that part of the schema alone that the application has something for: the work is
 * bounded by its types. What is not certain fits: {@code anyOf}, {@code oneOf}, unknown
 * types and references that lead nowhere.
 */
final class SchemaComparison {

	// that hold for one value, by references and allOf
	private static final int MOST_SCHEMAS = 16;

	private static final int MOST_REQUIRED = 1000;

	private static final int MOST_SUGGESTIONS = 5;

	// as servers call what they wrap because it is no object
	private static final String WRAPPED = "result";

	private final Map<?, ?> root;

	private final BiConsumer<Kind, String> mismatches;

	private int suggestions;

	/**
	 * Create a comparison.
	 * @param root the schema
	 * @param mismatches is told what does not match
	 */
	SchemaComparison(Map<?, ?> root, BiConsumer<Kind, String> mismatches) {
		this.root = root;
		this.mismatches = mismatches;
	}

	/**
	 * Compare the arguments of a call with the schema.
	 */
	void compareArguments(JsonShape arguments) {
		members("", arguments, applying(this.root));
	}

	/**
	 * Return what a tool returns if the result of a method cannot be read from it, or
	 * {@code null} if it may be.
	 */
	@Nullable String resultMismatch(JsonShape result) {
		List<Map<?, ?>> schemas = applying(this.root);
		Set<String> returned = types(schemas);
		return (returned == null || result.mayBe(returned) || (returned.contains(JsonShape.OBJECT)
				&& result.types().contains(JsonShape.ARRAY) && mayWrap(schemas))) ? null : text(returned);
	}

	// an array, as the only member of an object: what is read from either
	private static boolean mayWrap(List<Map<?, ?>> schemas) {
		return schemas.stream().noneMatch((schema) -> {
			boolean others = schema.get("required") instanceof Collection<?> required
					&& required.stream().anyMatch((name) -> !WRAPPED.equals(name));
			boolean none = Boolean.FALSE.equals(schema.get("additionalProperties"))
					&& !schema.containsKey("patternProperties")
					&& !(schema.get("properties") instanceof Map<?, ?> properties && properties.containsKey(WRAPPED));
			return others || none;
		});
	}

	private void members(String path, JsonShape object, List<Map<?, ?>> schemas) {
		Map<String, JsonShape> members = object.members();
		if (members == null) {
			return;
		}
		Set<String> missing = new LinkedHashSet<>();
		for (Map<?, ?> schema : schemas) {
			if (schema.get("required") instanceof Collection<?> required) {
				required.stream()
					.limit(MOST_REQUIRED)
					.filter((name) -> name instanceof String && !members.containsKey(name))
					.forEach((name) -> missing.add(Printable.text((String) name)));
			}
		}
		missing.forEach((name) -> this.mismatches.accept(Kind.MISSING_ARGUMENT,
				"the tool requires argument '" + path + name + "', which the method lacks"));
		members.forEach((name, shape) -> member(path, name, shape, schemas));
	}

	private void member(String path, String name, JsonShape shape, List<Map<?, ?>> schemas) {
		List<Map<?, ?>> found = new ArrayList<>();
		for (Map<?, ?> schema : schemas) {
			Map<?, ?> properties = (schema.get("properties") instanceof Map<?, ?> map) ? map : Map.of();
			Object property = properties.get(name);
			if (property instanceof Map<?, ?> map) {
				found.addAll(applying(map));
			}
			boolean closed = Boolean.FALSE.equals(schema.get("additionalProperties"))
					&& !schema.containsKey("patternProperties");
			boolean absent = closed && !properties.containsKey(name);
			if (absent || Boolean.FALSE.equals(property)) {
				this.mismatches.accept(Kind.UNKNOWN_ARGUMENT, "the tool takes no argument '" + path + name + "'"
						+ (absent ? suggestion(name, properties.keySet()) : ""));
				return;
			}
		}
		value(path + name, shape, found);
	}

	private void value(String path, JsonShape shape, List<Map<?, ?>> schemas) {
		Set<String> allowed = types(schemas);
		if (allowed != null && !shape.mayBe(allowed)) {
			this.mismatches.accept(Kind.ARGUMENT_TYPE, "argument '" + path + "' is sent as " + text(shape.types())
					+ ", and the schema of the tool allows " + text(allowed));
			return;
		}
		members(path + ".", shape, schemas);
		JsonShape items = shape.items();
		if (items != null) {
			List<Map<?, ?>> found = new ArrayList<>();
			schemas.stream()
				.filter((schema) -> !schema.containsKey("prefixItems"))
				.filter((schema) -> schema.get("items") instanceof Map<?, ?>)
				.forEach((schema) -> found.addAll(applying((Map<?, ?>) schema.get("items"))));
			value(path + "[]", items, found);
		}
	}

	// what holds for a value for certain; a reference stands alone in older schemas
	private List<Map<?, ?>> applying(Map<?, ?> schema) {
		List<Map<?, ?>> applying = new ArrayList<>();
		Deque<Object> pending = new ArrayDeque<>(List.of(schema));
		for (int i = 0; i < MOST_SCHEMAS && !pending.isEmpty(); i++) {
			if (!(pending.poll() instanceof Map<?, ?> next)) {
				continue;
			}
			if (next.get("$ref") instanceof String reference) {
				pending.addAll(referenced(reference));
				continue;
			}
			applying.add(next);
			if (next.get("allOf") instanceof Collection<?> all) {
				all.stream().limit(MOST_SCHEMAS).filter(Map.class::isInstance).forEach(pending::add);
			}
		}
		return applying;
	}

	private List<Object> referenced(String reference) {
		if (!reference.startsWith("#") || reference.length() > 256) {
			return List.of();
		}
		Object target = this.root;
		for (String name : reference.substring(1).split("/")) {
			if (!name.isEmpty()) {
				target = (target instanceof Map<?, ?> map) ? map.get(name.replace("~1", "/").replace("~0", "~")) : null;
			}
		}
		// another base for what is within it
		return (target instanceof Map<?, ?> map && !map.containsKey("$id")) ? List.of(map) : List.of();
	}

	private static @Nullable Set<String> types(List<Map<?, ?>> schemas) {
		Set<String> allowed = null;
		for (Map<?, ?> schema : schemas) {
			Object type = schema.get("type");
			Collection<?> types = (type instanceof Collection<?> several) ? several
					: (type != null) ? List.of(type) : List.of();
			if (!types.isEmpty() && types.size() <= JsonShape.TYPES.size() && JsonShape.TYPES.containsAll(types)) {
				Set<String> named = types.stream().map(String.class::cast).collect(Collectors.toSet());
				if (allowed == null) {
					allowed = named;
				}
				else {
					allowed.retainAll(named);
				}
			}
		}
		// where nothing is left, no application could do otherwise
		return (allowed == null || allowed.isEmpty()) ? null : allowed;
	}

	private String suggestion(String name, Set<?> known) {
		return (++this.suggestions > MOST_SUGGESTIONS) ? "" : ClientComparison.suggestion(name,
				known.stream().filter(String.class::isInstance).map(String.class::cast).toList());
	}

	private static String text(Set<String> types) {
		return types.stream().sorted().collect(Collectors.joining(" or "));
	}

}
