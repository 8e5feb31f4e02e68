package io.github.mcpclient.internal.support;

import java.util.Map;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/**
 * Reads the arguments of a tool from JSON.
 */
public final class JsonArguments {

	private static final JsonMapper MAPPER = JsonMapper.builder().build();

	private static final TypeReference<@Nullable Map<String, @Nullable Object>> OBJECT = new TypeReference<>() {
	};

	private JsonArguments() {
	}

	/**
	 * Return the arguments.
	 * @param json a JSON object, or blank or {@code null} for none
	 * @throws IllegalArgumentException if the text is not one JSON object
	 */
	public static Map<String, @Nullable Object> read(String toolName, @Nullable String json) {
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

}
