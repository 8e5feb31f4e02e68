package io.github.mcpclient.guard;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.github.mcpclient.McpTool;
import io.github.mcpclient.McpToolInterceptor;
import io.github.mcpclient.McpToolRequest;
import io.github.mcpclient.McpToolResult;
import io.github.mcpclient.definition.McpToolRule;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/**
 * Sets the fixed arguments, and the default arguments that the caller does not set.
 */
record ArgumentsInterceptor(Map<String, @Nullable Object> fixed,
		Map<String, @Nullable Object> defaults) implements McpToolInterceptor.Async {

	private static final JsonMapper JSON = JsonMapper.builder().build();

	static boolean isNeeded(McpToolRule rule) {
		return !rule.arguments().isEmpty() || !rule.defaultArguments().isEmpty();
	}

	static ArgumentsInterceptor of(Tool tool, McpToolRule rule) {
		return new ArgumentsInterceptor(typed(tool, rule.arguments()), typed(tool, rule.defaultArguments()));
	}

	@Override
	public Phase phase() {
		return Phase.ARGUMENTS;
	}

	@Override
	public Mono<McpToolResult> interceptAsync(McpTool tool, McpToolRequest request, Chain chain) {
		Map<String, @Nullable Object> arguments = new LinkedHashMap<>(this.defaults);
		arguments.putAll(request.arguments());
		arguments.putAll(this.fixed);
		return chain.proceedAsync(request.withArguments(arguments));
	}

	/**
	 * Return the schema of the arguments that callers set.
	 */
	@Nullable Map<String, @Nullable Object> schema(@Nullable Map<String, @Nullable Object> schema) {
		if (schema == null) {
			return null;
		}
		Map<String, @Nullable Object> shown = new LinkedHashMap<>(schema);
		if (schema.get("properties") instanceof Map<?, ?> properties) {
			Map<Object, @Nullable Object> others = new LinkedHashMap<>(properties);
			this.defaults.forEach((name, value) -> others.computeIfPresent(name, (known, type) -> with(type, value)));
			others.keySet().removeAll(this.fixed.keySet());
			shown.put("properties", Collections.unmodifiableMap(others));
		}
		if (schema.get("required") instanceof List<?> required) {
			List<?> others = required.stream()
				.filter((name) -> !this.fixed.containsKey(name) && !this.defaults.containsKey(name))
				.toList();
			shown.put("required", others);
			shown.remove("required", List.of());
		}
		return Collections.unmodifiableMap(shown);
	}

	private static Object with(Object type, @Nullable Object value) {
		if (!(type instanceof Map<?, ?> map)) {
			return type;
		}
		Map<Object, @Nullable Object> copy = new LinkedHashMap<>(map);
		copy.put("default", value);
		return Collections.unmodifiableMap(copy);
	}

	@Override
	public String toString() {
		// not the values
		return "ArgumentsInterceptor[fixed=" + this.fixed.keySet() + ", defaults=" + this.defaults.keySet() + "]";
	}

	// a configured value may be a text, as properties have no types
	private static Map<String, @Nullable Object> typed(Tool tool, Map<String, @Nullable Object> values) {
		Map<String, @Nullable Object> typed = new LinkedHashMap<>(values);
		if (tool.inputSchema() != null && tool.inputSchema().get("properties") instanceof Map<?, ?> properties) {
			typed.replaceAll((name,
					value) -> (value instanceof String text && properties.get(name) instanceof Map<?, ?> type
							&& type.get("type") instanceof String expected && !expected.equals("string")) ? parsed(text)
									: value);
		}
		return typed;
	}

	private static Object parsed(String text) {
		try {
			Object value = JSON.readValue(text, Object.class);
			return (value != null) ? value : text;
		}
		catch (JacksonException ex) {
			return text;
		}
	}

}
