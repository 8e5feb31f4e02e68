package io.github.mcpclient.session;

import java.util.Collections;
import java.util.List;
import java.util.Map;

import io.github.mcpclient.McpToolResult.UnknownContent;
import io.github.mcpclient.support.Printable;
import io.modelcontextprotocol.json.TypeRef;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.Content;
import io.modelcontextprotocol.spec.McpSchema.TextContent;
import io.modelcontextprotocol.spec.McpTransport;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Reads the result of a tool call. A well-formed one is bound in one step; of any other,
 * malformed items become {@link UnknownContent}. What is not a result at all becomes an
 * error result that quotes its beginning.
 */
final class ToolResultReader {

	private static final Log logger = LogFactory.getLog(ToolResultReader.class);

	private static final TypeRef<CallToolResult> RESULT = new TypeRef<>() {
	};

	private static final int EXCERPT = 500;

	private static final List<String> OPTIONAL = List.of("annotations", "_meta");

	private static final String UNKNOWN = "unknown";

	private ToolResultReader() {
	}

	static CallToolResult read(McpTransport transport, Object result) {
		if (lacksSomething(result)) {
			return readLeniently(transport, result);
		}
		try {
			CallToolResult bound = transport.unmarshalFrom(result, RESULT);
			if (bound != null && !bound.content().contains(null)) {
				return bound;
			}
		}
		catch (RuntimeException ex) {
			logger.debug("The result of a tool call is not well-formed", ex);
		}
		return readLeniently(transport, result);
	}

	private static CallToolResult readLeniently(McpTransport transport, Object result) {
		Map<String, Object> map;
		try {
			map = Json.object(transport, result, "The result");
		}
		catch (SessionProtocolException ex) {
			return malformed("it is not an object", result);
		}
		Object content = map.get("content");
		if (content != null && !(content instanceof List)) {
			return malformed("its content is not a list", result);
		}
		Boolean isError = isError(map.get("isError"));
		if (isError == null) {
			return malformed("its isError is neither true nor false", result);
		}
		return new CallToolResult(
				(content instanceof List<?> items) ? items.stream().map(ToolResultReader::item).toList() : List.of(),
				isError, map.get("structuredContent"), Json.objectOrNull(map.get("_meta")));
	}

	private static CallToolResult malformed(String reason, Object result) {
		String text = "The answer of the MCP server is not a well-formed result of a tool call: " + reason
				+ ". It begins with: " + Printable.line(Json.text(result), EXCERPT);
		return new CallToolResult(List.of(TextContent.builder(text).build()), true, null, null);
	}

	/**
	 * Reads an item of content that may be malformed.
	 */
	static Content item(@Nullable Object item) {
		if (!(item instanceof Map<?, ?> map)) {
			return new UnknownContent(UNKNOWN, Collections.singletonMap("value", item));
		}
		Map<String, Object> value = Json.object(map);
		try {
			return Json.convert(value, Content.class, OPTIONAL);
		}
		catch (RuntimeException ex) {
			return new UnknownContent((value.get("type") instanceof String type) ? type : UNKNOWN, value);
		}
	}

	private static @Nullable Boolean isError(@Nullable Object isError) {
		try {
			return (isError != null) ? Json.convert(isError, Boolean.class) : Boolean.FALSE;
		}
		catch (RuntimeException ex) {
			return null;
		}
	}

	/**
	 * Returns whether the SDK would log a warning, as for a structured result alone.
	 */
	private static boolean lacksSomething(Object result) {
		if (!(result instanceof JsonNode tree)) {
			return true;
		}
		JsonNode content = tree.get("content");
		if (content == null || content.isNull()) {
			return true;
		}
		for (JsonNode item : content) {
			if (MissingMembers.mayBeIn(item)) {
				return true;
			}
		}
		return false;
	}

}
