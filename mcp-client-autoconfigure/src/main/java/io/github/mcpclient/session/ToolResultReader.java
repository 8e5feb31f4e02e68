package io.github.mcpclient.session;

import java.util.ArrayList;
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
 * the items that can be understood are kept, and those that cannot become
 * {@link UnknownContent}. What is no result at all becomes an error result that tells how
 * it begins: better something that is looked at than a failure taken for a success.
 */
final class ToolResultReader {

	private static final Log logger = LogFactory.getLog(ToolResultReader.class);

	private static final TypeRef<CallToolResult> RESULT = new TypeRef<>() {
	};

	private static final TypeRef<Map<String, Object>> OBJECT = new TypeRef<>() {
	};

	private static final int EXCERPT = 500;

	/**
	 * Hints that an item can do without.
	 */
	private static final List<String> OPTIONAL = List.of("annotations", "_meta");

	private static final String UNKNOWN = "unknown";

	private final McpTransport transport;

	ToolResultReader(McpTransport transport) {
		this.transport = transport;
	}

	CallToolResult read(Object result) {
		if (lacksSomething(result)) {
			return readLeniently(result);
		}
		try {
			CallToolResult bound = this.transport.unmarshalFrom(result, RESULT);
			if (bound != null && !hasNull(bound.content())) {
				return bound;
			}
		}
		catch (RuntimeException ex) {
			logger.debug("The result of a tool call is not well-formed", ex);
		}
		return readLeniently(result);
	}

	private CallToolResult readLeniently(Object result) {
		Map<String, Object> map = object(result);
		if (map == null) {
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
		return new CallToolResult((content instanceof List<?> items) ? content(items) : List.of(), isError,
				map.get("structuredContent"), (map.get("_meta") instanceof Map<?, ?> meta) ? Json.object(meta) : null);
	}

	private @Nullable Map<String, Object> object(Object result) {
		try {
			return this.transport.unmarshalFrom(result, OBJECT);
		}
		catch (RuntimeException ex) {
			return null;
		}
	}

	private static CallToolResult malformed(String reason, Object result) {
		String text = "The answer of the MCP server is not a well-formed result of a tool call: " + reason
				+ ". It begins with: " + Printable.line(Json.text(result), EXCERPT);
		return new CallToolResult(List.of(TextContent.builder(text).build()), true, null, null);
	}

	private static List<Content> content(List<?> items) {
		List<Content> result = new ArrayList<>(items.size());
		for (Object item : items) {
			result.add(item(item));
		}
		return result;
	}

	/**
	 * Read an item of content.
	 * @param item the item as it came, as a map
	 * @return the item, {@link UnknownContent} where its type is not known or it is not
	 * well-formed
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
		if (isError == null) {
			return false;
		}
		try {
			return Json.convert(isError, Boolean.class);
		}
		catch (RuntimeException ex) {
			return null;
		}
	}

	/**
	 * Return whether the SDK would warn, each time: results without content are common,
	 * for example beside a structured one.
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

	private static boolean hasNull(List<Content> content) {
		for (Content item : content) {
			if (item == null) {
				return true;
			}
		}
		return false;
	}

}
