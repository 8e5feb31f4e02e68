package io.github.mcpclient.langchain4j;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import dev.langchain4j.model.chat.request.json.JsonArraySchema;
import dev.langchain4j.model.chat.request.json.JsonBooleanSchema;
import dev.langchain4j.model.chat.request.json.JsonEnumSchema;
import dev.langchain4j.model.chat.request.json.JsonIntegerSchema;
import dev.langchain4j.model.chat.request.json.JsonNumberSchema;
import dev.langchain4j.model.chat.request.json.JsonObjectSchema;
import dev.langchain4j.model.chat.request.json.JsonRawSchema;
import dev.langchain4j.model.chat.request.json.JsonSchemaElement;
import dev.langchain4j.model.chat.request.json.JsonStringSchema;
import io.github.mcpclient.internal.model.ModelText;
import org.jspecify.annotations.Nullable;

/**
 * Converts a JSON Schema to LangChain4j's types, which all of its models know, where they
 * can express it, and passes on anything else as it came.
 */
final class SchemaConverter {

	private SchemaConverter() {
	}

	/**
	 * Convert a schema of arguments, without keywords that LangChain4j has no place for
	 * at this level.
	 */
	static JsonObjectSchema parameters(Map<String, @Nullable Object> schema) {
		JsonObjectSchema.Builder builder = object(schema, strings(schema.get("required")));
		Map<String, JsonSchemaElement> definitions = new LinkedHashMap<>();
		addAll(definitions, schema.get("definitions"));
		addAll(definitions, schema.get("$defs"));
		return definitions.isEmpty() ? builder.build() : builder.definitions(definitions).build();
	}

	private static JsonObjectSchema.Builder object(Map<?, ?> schema, @Nullable List<String> required) {
		Map<String, JsonSchemaElement> properties = new LinkedHashMap<>();
		addAll(properties, schema.get("properties"));
		JsonObjectSchema.Builder builder = JsonObjectSchema.builder()
			.description(description(schema))
			.addProperties(properties);
		if (required != null) {
			builder.required(required);
		}
		if (schema.get("additionalProperties") instanceof Boolean additional) {
			builder.additionalProperties(additional);
		}
		return builder;
	}

	private static void addAll(Map<String, JsonSchemaElement> elements, @Nullable Object schemas) {
		if (schemas instanceof Map<?, ?> map) {
			map.forEach((name, schema) -> elements.put(String.valueOf(name), element(schema)));
		}
	}

	private static JsonSchemaElement element(@Nullable Object value) {
		if (!(value instanceof Map<?, ?> schema)) {
			// true, which any value matches. LangChain4j takes objects only
			return JsonRawSchema.from("{}");
		}
		JsonSchemaElement element = typed(schema);
		return (element != null) ? element : JsonRawSchema.from(ModelText.json(withRefs(schema)));
	}

	// return the schema as one of the types that say all that it says, if there is one
	private static @Nullable JsonSchemaElement typed(Map<?, ?> schema) {
		String description = description(schema);
		if (!(schema.get("type") instanceof String type)) {
			return null;
		}
		boolean plain = has(schema, "type", "description");
		return switch (type) {
			case "string" -> string(schema, description);
			case "integer" -> plain ? JsonIntegerSchema.builder().description(description).build() : null;
			case "number" -> plain ? JsonNumberSchema.builder().description(description).build() : null;
			case "boolean" -> plain ? JsonBooleanSchema.builder().description(description).build() : null;
			case "array" -> array(schema, description);
			case "object" -> object(schema);
			default -> null;
		};
	}

	private static @Nullable JsonSchemaElement array(Map<?, ?> schema, @Nullable String description) {
		return (has(schema, "type", "description", "items") && schema.get("items") instanceof Map<?, ?> items)
				? JsonArraySchema.builder().description(description).items(element(items)).build() : null;
	}

	private static @Nullable JsonSchemaElement object(Map<?, ?> schema) {
		List<String> required = strings(schema.get("required"));
		if (!has(schema, "type", "description", "properties", "required") || !(schema.get("properties") instanceof Map)
				|| (required == null && schema.containsKey("required"))) {
			return null;
		}
		return object(schema, required).build();
	}

	private static @Nullable JsonSchemaElement string(Map<?, ?> schema, @Nullable String description) {
		if (has(schema, "type", "description")) {
			return JsonStringSchema.builder().description(description).build();
		}
		List<String> values = strings(schema.get("enum"));
		return (values != null && !values.isEmpty() && has(schema, "type", "description", "enum"))
				? JsonEnumSchema.builder().description(description).enumValues(values).build() : null;
	}

	// whether a schema has no keywords but these
	private static boolean has(Map<?, ?> schema, String... keywords) {
		return Set.of(keywords).containsAll(schema.keySet())
				&& (!schema.containsKey("description") || schema.get("description") instanceof String);
	}

	private static @Nullable String description(Map<?, ?> schema) {
		return (schema.get("description") instanceof String description) ? description : null;
	}

	// definitions have one place in LangChain4j, regardless of their place in the schema
	private static Object withRefs(Object value) {
		if (value instanceof Map<?, ?> map) {
			Map<String, Object> copy = new LinkedHashMap<>();
			map.forEach((key, item) -> {
				boolean isRef = key.equals("$ref") && item instanceof String;
				copy.put(String.valueOf(key),
						isRef ? ((String) item).replaceFirst("^#/definitions/", "#/\\$defs/") : withRefs(item));
			});
			return copy;
		}
		return (value instanceof List<?> list) ? list.stream().<Object>map(SchemaConverter::withRefs).toList() : value;
	}

	private static @Nullable List<String> strings(@Nullable Object value) {
		return (value instanceof List<?> list && list.stream().allMatch(String.class::isInstance))
				? list.stream().map(String.class::cast).toList() : null;
	}

}
