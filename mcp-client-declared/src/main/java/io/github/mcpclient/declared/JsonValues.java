package io.github.mcpclient.declared;

import java.lang.reflect.Type;
import java.util.Map;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.github.mcpclient.McpToolResult;
import io.github.mcpclient.internal.support.Printable;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.json.JsonMapper;

/**
 * Converts arguments and results.
 */
final class JsonValues {

	private static final JsonMapper MAPPER = JsonMapper.builder()
		.disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
		.changeDefaultPropertyInclusion((value) -> value.withValueInclusion(JsonInclude.Include.NON_NULL))
		.build();

	private JsonValues() {
	}

	static Map<String, @Nullable Object> arguments(Object value) {
		return MAPPER.convertValue(value, new TypeReference<>() {
		});
	}

	static @Nullable Object value(McpToolResult result, Type type) {
		Object structured = result.structuredContent();
		JavaType target = MAPPER.constructType(type);
		try {
			return (structured != null) ? MAPPER.convertValue(structured, target)
					: MAPPER.readValue(result.text(), target);
		}
		catch (JacksonException | IllegalArgumentException ex) {
			throw new IllegalStateException("The result of MCP tool '" + result.toolName() + "' is no "
					+ type.getTypeName() + ": " + Printable.line(result.text(), 200), ex);
		}
	}

}
