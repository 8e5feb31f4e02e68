package io.github.mcpclient.session;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.github.mcpclient.McpToolResult.UnknownContent;
import io.modelcontextprotocol.json.TypeRef;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.Content;
import io.modelcontextprotocol.spec.McpTransport;
import org.jspecify.annotations.Nullable;

/**
 * Reads the result of a tool call. A well-formed one is bound in one step; of any other,
 * what can be understood is kept, and what cannot becomes {@link UnknownContent}.
 */
final class ToolResultReader {

	private static final TypeRef<CallToolResult> RESULT = new TypeRef<>() {
	};

	private static final TypeRef<Object> ANY = new TypeRef<>() {
	};

	/**
	 * Hints that an item can do without.
	 */
	private static final List<String> OPTIONAL = List.of("annotations", "_meta");

	private static final String UNKNOWN = "unknown";

	private static final int EXCERPT = 200;

	private final McpTransport transport;

	ToolResultReader(McpTransport transport) {
		this.transport = transport;
	}

	CallToolResult read(Object result) {
		try {
			CallToolResult bound = this.transport.unmarshalFrom(result, RESULT);
			if (bound != null && !hasNull(bound.content())) {
				return bound;
			}
		}
		catch (RuntimeException ex) {
			return readLeniently(result, ex);
		}
		return readLeniently(result, null);
	}

	private CallToolResult readLeniently(Object result, @Nullable RuntimeException cause) {
		Object value = plain(result, cause);
		if (!(value instanceof Map<?, ?> map)) {
			throw unreadable(value, cause);
		}
		return new CallToolResult(content(map.get("content")), isError(map.get("isError")),
				map.get("structuredContent"), (map.get("_meta") instanceof Map<?, ?> meta) ? object(meta) : null);
	}

	private @Nullable Object plain(Object result, @Nullable RuntimeException cause) {
		try {
			return this.transport.unmarshalFrom(result, ANY);
		}
		catch (RuntimeException ex) {
			throw unreadable(result, (cause != null) ? cause : ex);
		}
	}

	private static SessionProtocolException unreadable(@Nullable Object value, @Nullable RuntimeException cause) {
		return new SessionProtocolException(
				"The result of a tool call cannot be understood: " + Printable.line(Json.text(value), EXCERPT), cause);
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

	private static Content item(@Nullable Object item) {
		if (!(item instanceof Map<?, ?> map)) {
			return new UnknownContent(UNKNOWN, Collections.singletonMap("value", item));
		}
		Map<String, Object> value = object(map);
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

	private static boolean hasNull(List<Content> content) {
		for (Content item : content) {
			if (item == null) {
				return true;
			}
		}
		return false;
	}

	private static Map<String, Object> object(Map<?, ?> map) {
		Map<String, Object> object = new LinkedHashMap<>();
		map.forEach((name, value) -> object.put(String.valueOf(name), value));
		return object;
	}

}
