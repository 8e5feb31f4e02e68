package io.github.mcpclient.tool;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.Map;

import io.github.mcpclient.McpToolResult;
import io.modelcontextprotocol.json.McpJsonMapper;
import io.modelcontextprotocol.json.TypeRef;
import io.modelcontextprotocol.spec.McpSchema.Content;
import io.modelcontextprotocol.spec.McpSchema.TextContent;

/**
 * What a model and a tool say to each other, as text: the arguments that a model wrote,
 * and the results that it is to read. Safe for use by many threads.
 */
public final class ModelText {

	private static final TypeRef<Map<String, Object>> OBJECT = new TypeRef<>() {
	};

	private static final TypeRef<Object> VALUE = new TypeRef<>() {
	};

	private final McpJsonMapper mapper;

	/**
	 * Create an instance.
	 * @param mapper reads and writes JSON
	 */
	public ModelText(McpJsonMapper mapper) {
		this.mapper = mapper;
	}

	/**
	 * Read arguments.
	 * @param toolName the prefixed name of the tool, for the message of a failure
	 * @param json a JSON object, or a blank string for no arguments
	 * @return the arguments
	 * @throws IllegalArgumentException if the text is not a JSON object
	 */
	public Map<String, Object> arguments(String toolName, String json) {
		if (json.isBlank()) {
			return Map.of();
		}
		Map<String, Object> arguments;
		try {
			arguments = this.mapper.readValue(json, OBJECT);
		}
		catch (IOException | RuntimeException ex) {
			// without the cause, whose message quotes the arguments
			arguments = null;
		}
		if (arguments == null) {
			throw new IllegalArgumentException(
					"The arguments of MCP tool '" + toolName + "' must be one JSON object, and are not");
		}
		return arguments;
	}

	/**
	 * Write the text that a model is to read: the text of the result, and the structured
	 * content unless an item of the text has it already. It is never empty, and that of
	 * an error says so.
	 * @param result the result
	 * @return the text
	 */
	public String of(McpToolResult result) {
		String text = result.text();
		Object structured = result.structuredContent();
		if (structured != null && !isTold(result, structured)) {
			text = text.isBlank() ? json(structured) : text + "\n" + json(structured);
		}
		if (result.isError()) {
			return text.isBlank() ? "Error: the tool failed and did not say why" : error(text);
		}
		return text.isBlank() ? "[empty result]" : text;
	}

	/**
	 * Write the text that tells a model of a failure.
	 * @param message what went wrong
	 * @return the text
	 */
	public static String error(String message) {
		return message.regionMatches(true, 0, "error", 0, 5) ? message : "Error: " + message;
	}

	/**
	 * Write the schema of a tool's arguments, as the server sent it, but for what model
	 * providers insist on: that an object has a type and a list of properties.
	 * @param schema the schema
	 * @return the schema as JSON
	 */
	public String inputSchema(Map<String, Object> schema) {
		if (schema.containsKey("type") && schema.containsKey("properties")) {
			return json(schema);
		}
		Map<String, Object> complete = new LinkedHashMap<>(schema);
		complete.putIfAbsent("type", "object");
		if ("object".equals(complete.get("type"))) {
			complete.putIfAbsent("properties", Map.of());
		}
		return json(complete);
	}

	/**
	 * Write a value as JSON.
	 * @param value maps, lists, strings, numbers and booleans
	 * @return the JSON text
	 */
	public String json(Object value) {
		try {
			return this.mapper.writeValueAsString(value);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Servers are asked to send structured content as text, too, for the clients that
	 * know of text only.
	 */
	private boolean isTold(McpToolResult result, Object structured) {
		for (Content item : result.content()) {
			if (item instanceof TextContent text && structured.equals(value(text.text()))) {
				return true;
			}
		}
		return false;
	}

	private Object value(String text) {
		try {
			return this.mapper.readValue(text, VALUE);
		}
		catch (IOException | RuntimeException ex) {
			return text;
		}
	}

}
