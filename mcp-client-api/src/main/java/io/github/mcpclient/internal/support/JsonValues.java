package io.github.mcpclient.internal.support;

import java.lang.reflect.Type;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

import com.fasterxml.jackson.annotation.JsonInclude.Include;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.json.JsonMapper;

/**
 * Converts the arguments and the results of tools, from and to JSON and types of the
 * application. The protocol messages themselves use other mappers.
 */
public final class JsonValues {

	private static final JsonMapper MAPPER = mapper(List.of());

	private static final TypeReference<@Nullable Map<String, @Nullable Object>> OBJECT = new TypeReference<>() {
	};

	// the name with which servers wrap results that are not objects
	private static final String WRAPPED = "result";

	private JsonValues() {
	}

	/**
	 * Create a mapper for types of the application. Members that are {@code null} are
	 * omitted: a schema that does not require a member rarely allows it to be null.
	 */
	public static JsonMapper mapper(Collection<? extends Consumer<JsonMapper.Builder>> customizers) {
		JsonMapper.Builder builder = JsonMapper.builder()
			.disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
			.changeDefaultPropertyInclusion((inclusion) -> inclusion.withValueInclusion(Include.NON_NULL));
		customizers.forEach((customizer) -> customizer.accept(builder));
		return builder.build();
	}

	/**
	 * Return the arguments.
	 * @param json a JSON object, or blank or {@code null} for no arguments
	 * @throws IllegalArgumentException if the text is not one JSON object
	 */
	public static Map<String, @Nullable Object> arguments(String toolName, @Nullable String json) {
		if (json == null || json.isBlank()) {
			return Map.of();
		}
		try {
			Map<String, @Nullable Object> arguments = MAPPER.readValue(json, OBJECT);
			if (arguments != null) {
				return arguments;
			}
		}
		catch (JacksonException ex) {
			// without the cause below, whose message quotes the arguments
		}
		throw new IllegalArgumentException("The arguments of MCP tool '" + toolName + "' must be a single JSON object");
	}

	/**
	 * Return the arguments.
	 * @param mapper serializes them, or {@code null} for a mapper without customizers
	 * @param arguments a map, a text as for {@link #arguments(String, String)}, or an
	 * object that is serialized as a JSON object
	 * @throws IllegalArgumentException otherwise
	 */
	@SuppressWarnings("unchecked")
	public static Map<String, @Nullable Object> arguments(@Nullable JsonMapper mapper, String toolName,
			Object arguments) {
		if (arguments instanceof String json) {
			return arguments(toolName, json);
		}
		if (arguments instanceof Map<?, ?> map && map.keySet().stream().allMatch(String.class::isInstance)) {
			return (Map<String, @Nullable Object>) map;
		}
		String problem = "The arguments of MCP tool '" + toolName
				+ "' must be a map, a record, a bean or a JSON object";
		Object value;
		try {
			value = or(mapper).convertValue(arguments, Object.class);
		}
		catch (JacksonException | IllegalArgumentException ex) {
			throw new IllegalArgumentException(
					problem + ": " + arguments.getClass().getName() + " cannot be written as one", ex);
		}
		if (value instanceof Map<?, ?> map) {
			return (Map<String, @Nullable Object>) map;
		}
		throw new IllegalArgumentException(problem + ", and not " + arguments.getClass().getName());
	}

	/**
	 * Return a result as a type of the application.
	 * @param mapper deserializes it, or {@code null} for a mapper without customizers
	 * @param structured the structured result of a server, or {@code null} to read the
	 * text. If the type is not an object, servers wrap it as the only member of an
	 * object, {@code result}
	 * @param text a text in JSON, or {@code null} if there is a structured result
	 * @throws JacksonException if it cannot be read as this type
	 * @throws IllegalArgumentException if it cannot be read as this type
	 */
	public static @Nullable Object result(@Nullable JsonMapper mapper, @Nullable Object structured,
			@Nullable String text, Type type) {
		JsonMapper reader = or(mapper);
		JavaType target = reader.constructType(type);
		if (structured == null) {
			return reader.readValue(text, target);
		}
		boolean wrapped = isNoObject(target) && structured instanceof Map<?, ?> map && map.size() == 1
				&& map.containsKey(WRAPPED);
		return reader.convertValue(wrapped ? ((Map<?, ?>) structured).get(WRAPPED) : structured, target);
	}

	private static boolean isNoObject(JavaType type) {
		Class<?> raw = type.getRawClass();
		return type.isCollectionLikeType() || type.isArrayType() || type.isEnumType() || type.isPrimitive()
				|| CharSequence.class.isAssignableFrom(raw) || Number.class.isAssignableFrom(raw)
				|| raw == Boolean.class;
	}

	private static JsonMapper or(@Nullable JsonMapper mapper) {
		return (mapper != null) ? mapper : MAPPER;
	}

}
