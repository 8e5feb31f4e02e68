package io.github.mcpclient.session;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;

import io.github.mcpclient.McpToolResult.UnknownContent;
import io.modelcontextprotocol.json.TypeRef;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.Content;
import io.modelcontextprotocol.spec.McpTransport;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Reads the result of a tool call. A well-formed one is bound in one step; of any other,
 * what can be understood is kept, and what cannot becomes {@link UnknownContent}.
 */
final class ToolResultReader {

	private static final Log logger = LogFactory.getLog(ToolResultReader.class);

	private static final TypeRef<CallToolResult> RESULT = new TypeRef<>() {
	};

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
		if (lacksContent(result)) {
			// common, for example beside a structured result: the SDK would warn each
			// time
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
		Map<String, Object> map = Json.object(this.transport, result, "The result of a tool call");
		return new CallToolResult(content(map.get("content")), isError(map.get("isError")),
				map.get("structuredContent"), (map.get("_meta") instanceof Map<?, ?> meta) ? Json.object(meta) : null);
	}

	private static List<Content> content(@Nullable Object content) {
		if (content == null) {
			return List.of();
		}
		if (!(content instanceof List<?> items)) {
			return List.of(item(content));
		}
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

	private static boolean isError(@Nullable Object isError) {
		if (isError == null) {
			return false;
		}
		try {
			return Json.convert(isError, Boolean.class);
		}
		catch (RuntimeException ex) {
			// better a result that is looked at than a failure taken for a success
			return true;
		}
	}

	private static boolean lacksContent(Object result) {
		if (result instanceof JsonNode tree) {
			return !tree.hasNonNull("content");
		}
		return result instanceof Map<?, ?> map && map.get("content") == null;
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
