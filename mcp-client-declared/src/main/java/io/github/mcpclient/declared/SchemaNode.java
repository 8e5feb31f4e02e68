package io.github.mcpclient.declared;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

/**
 * What a JSON Schema says of a value, as far as a Java type can say it.
 *
 * @param kind the kind of the value
 * @param keywords the schema, without what led to it
 * @param nullable whether the value may be {@code null}
 * @param name the name of the definition that it has in its document, or {@code null}
 */
record SchemaNode(Kind kind, Map<?, ?> keywords, boolean nullable, @Nullable String name) {

	private static final int LONGEST_CHAIN = 10;

	private static final int LONGEST_POINTER = 300;

	private static final int MOST_PROPERTIES = 100;

	private static final int MOST_ALTERNATIVES = 50;

	private static final int MOST_VALUES = 200;

	static final int LONGEST_NAME = 200;

	/**
	 * Read a schema.
	 * @param root the document in which references are looked up
	 */
	static SchemaNode of(@Nullable Object schema, Map<?, ?> root) {
		Object current = schema;
		boolean nullable = false;
		String name = null;
		for (int i = 0; i < LONGEST_CHAIN && current instanceof Map<?, ?> keywords; i++) {
			nullable |= isNullable(keywords);
			if (keywords.get("$ref") instanceof String pointer) {
				name = pointer.substring(pointer.lastIndexOf('/') + 1);
				current = find(pointer, root);
				continue;
			}
			Kind kind = kind(keywords);
			List<?> alternatives = alternatives(keywords);
			if (alternatives == null || kind.isScalar() || !properties(keywords).isEmpty()) {
				return new SchemaNode(kind, keywords, nullable, name);
			}
			List<?> others = alternatives.stream().filter((alternative) -> !isNull(alternative)).toList();
			nullable |= others.size() < alternatives.size();
			current = (others.size() == 1) ? others.get(0) : common(others);
		}
		return new SchemaNode(Kind.ANY, Map.of(), nullable, null);
	}

	private static boolean isNullable(Map<?, ?> keywords) {
		return keywords.get("type") instanceof List<?> types && isShort(types) && types.contains("null")
				|| keywords.get("enum") instanceof List<?> values && isShort(values)
						&& values.stream().anyMatch(Objects::isNull)
				|| Boolean.TRUE.equals(keywords.get("nullable"));
	}

	private static boolean isShort(List<?> values) {
		return values.size() <= MOST_VALUES;
	}

	private static boolean isNull(@Nullable Object schema) {
		return schema instanceof Map<?, ?> keywords && ("null".equals(keywords.get("type"))
				|| keywords.containsKey("const") && keywords.get("const") == null);
	}

	private static @Nullable Object find(String pointer, Map<?, ?> root) {
		if (!pointer.startsWith("#") || pointer.length() > LONGEST_POINTER) {
			return null;
		}
		Object found = root;
		for (String part : pointer.substring(1).split("/")) {
			if (!part.isEmpty()) {
				found = (found instanceof Map<?, ?> map) ? map.get(decoded(part)) : null;
			}
		}
		return found;
	}

	private static String decoded(String part) {
		try {
			return URLDecoder.decode(part.replace("+", "%2B"), StandardCharsets.UTF_8)
				.replace("~1", "/")
				.replace("~0", "~");
		}
		catch (IllegalArgumentException ex) {
			return part;
		}
	}

	private static @Nullable List<?> alternatives(Map<?, ?> keywords) {
		for (String keyword : List.of("anyOf", "oneOf", "allOf")) {
			if (keywords.get(keyword) instanceof List<?> list && !list.isEmpty()) {
				return (list.size() > MOST_ALTERNATIVES || keyword.equals("allOf") && list.size() > 1) ? List.of()
						: list;
			}
		}
		return null;
	}

	// what alternatives have in common, if a Java type can say it
	private static @Nullable Map<?, ?> common(List<?> alternatives) {
		List<Map<?, ?>> schemas = new ArrayList<>();
		for (Object alternative : alternatives) {
			if (!(alternative instanceof Map<?, ?> schema)) {
				return null;
			}
			schemas.add(schema);
		}
		if (!schemas.isEmpty() && schemas.stream().allMatch((schema) -> schema.get("const") instanceof String)) {
			return Map.of("enum", schemas.stream().map((schema) -> schema.get("const")).toList());
		}
		Set<Kind> kinds = schemas.stream().map(SchemaNode::kind).collect(Collectors.toSet());
		Kind kind = (kinds.size() == 1) ? kinds.iterator().next() : Kind.ANY;
		return kind.isScalar() ? Map.of("type", kind.type()) : null;
	}

	private static Kind kind(Map<?, ?> keywords) {
		Object type = keywords.get("type");
		if (type instanceof List<?> types && isShort(types)) {
			List<?> others = types.stream().filter((one) -> !"null".equals(one)).limit(2).toList();
			type = (others.size() == 1) ? others.get(0) : "";
		}
		if (type instanceof String name) {
			return Arrays.stream(Kind.values()).filter((kind) -> kind.type().equals(name)).findFirst().orElse(Kind.ANY);
		}
		if (keywords.get("properties") instanceof Map || keywords.get("additionalProperties") instanceof Map) {
			return Kind.OBJECT;
		}
		if (keywords.containsKey("items")) {
			return Kind.ARRAY;
		}
		boolean texts = keywords.get("const") instanceof String
				|| keywords.get("enum") instanceof List<?> values && !values.isEmpty() && isShort(values)
						&& values.stream().allMatch((value) -> value == null || value instanceof String);
		return texts ? Kind.STRING : Kind.ANY;
	}

	/**
	 * Return the members of an object by name, none if a record cannot have them.
	 */
	Map<?, ?> properties() {
		Map<?, ?> properties = properties(this.keywords);
		boolean fit = properties.size() <= MOST_PROPERTIES
				&& properties.keySet().stream().allMatch((name) -> String.valueOf(name).length() <= LONGEST_NAME);
		return fit ? properties : Map.of();
	}

	/**
	 * Return whether members of an object are described, even if a record cannot have
	 * them.
	 */
	boolean hasProperties() {
		return !properties(this.keywords).isEmpty();
	}

	private static Map<?, ?> properties(Map<?, ?> keywords) {
		return (keywords.get("properties") instanceof Map<?, ?> properties) ? properties : Map.of();
	}

	/**
	 * Return the names of the members that an object needs to have.
	 */
	Set<String> required() {
		return (this.keywords.get("required") instanceof List<?> names) ? texts(names).collect(Collectors.toSet())
				: Set.of();
	}

	private static Stream<String> texts(List<?> values) {
		return values.stream().filter(String.class::isInstance).map(String.class::cast);
	}

	/**
	 * Return the texts of which a value is one, if that is a real choice.
	 */
	List<String> values() {
		if (!(this.keywords.get("enum") instanceof List<?> all) || !isShort(all)) {
			return List.of();
		}
		List<String> values = texts(all).filter((text) -> text.length() <= LONGEST_NAME).distinct().toList();
		boolean others = all.stream().anyMatch((value) -> value != null && !values.contains(value));
		return (others || values.size() < 2) ? List.of() : values;
	}

	/**
	 * Return the only value that there is, or {@code null} if there are others.
	 */
	@Nullable Object constant() {
		if (this.keywords.get("enum") instanceof List<?> values && values.size() == 1) {
			return values.get(0);
		}
		return this.keywords.get("const");
	}

	/**
	 * Kinds of values.
	 */
	enum Kind {

		STRING, INTEGER, NUMBER, BOOLEAN, ARRAY, OBJECT, ANY;

		String type() {
			return name().toLowerCase(Locale.ROOT);
		}

		boolean isScalar() {
			return ordinal() <= BOOLEAN.ordinal();
		}

	}

}
