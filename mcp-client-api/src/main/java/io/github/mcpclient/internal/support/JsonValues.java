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
 * application. What is sent and received is written and read by other mappers.
 */
public final class JsonValues {

	private static final JsonMapper MAPPER = mapper(List.of());

	private static final TypeReference<@Nullable Map<String, @Nullable Object>> OBJECT = new TypeReference<>() {
	};

	// as servers call what they wrap because it is no object
	private static final String WRAPPED = "result";

	private JsonValues() {
	}

	/**
	 * Create a mapper for types of the application. Members that are {@code null} are
	 * left out: a schema that does not require a member seldom allows it to be null.
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
	 * @param json a JSON object, or blank or {@code null} for none
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
		throw new IllegalArgumentException(
				"The arguments of MCP tool '" + toolName + "' must be one JSON object, and are not");
	}

	/**
	 * Return the arguments.
	 * @param mapper writes them, or {@code null} for that of no customizers
	 * @param arguments a map, a text as {@link #arguments(String, String)} takes it, or
	 * what is written as a JSON object
	 * @throws IllegalArgumentException if it is not
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
	 * @param mapper reads it, or {@code null} for that of no customizers
	 * @param structured what a server sent, or {@code null} to read the text. Where the
	 * type is no object, servers wrap it as the only member of one, {@code result}
	 * @param text a text that is JSON, or {@code null} with what is structured
	 * @throws JacksonException if it cannot be read as that
	 * @throws IllegalArgumentException if it cannot be read as that
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
