package io.github.mcpclient.internal.session;

import java.util.List;
import java.util.Map;

import io.modelcontextprotocol.spec.McpSchema.Content;
import io.modelcontextprotocol.spec.McpSchema.Icon;
import io.modelcontextprotocol.spec.McpSchema.Implementation;
import io.modelcontextprotocol.spec.McpSchema.InitializeResult;
import io.modelcontextprotocol.spec.McpSchema.ResourceContents;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Sets required members that a server has omitted to the values that the SDK would use
 * for them: the SDK would log a warning each time.
 */
final class MissingMembers {

	private static final Map<String, Object> MEDIA = Map.of("data", "", "mimeType", "");

	// by type, and by the name of a type of content
	private static final Map<Object, Map<String, Object>> REQUIRED = Map.of(Tool.class, Map.of("inputSchema", Map.of()),
			InitializeResult.class, Map.of("protocolVersion", "", "capabilities", Map.of(), "serverInfo", Map.of()),
			Implementation.class, Map.of("name", "", "version", ""), ResourceContents.class, Map.of("uri", ""),
			Icon.class, Map.of("src", ""), "text", Map.of("text", ""), "image", MEDIA, "audio", MEDIA, "resource",
			Map.of("resource", Map.of("text", "")));

	private static final Map<String, Class<?>> NESTED = Map.of("serverInfo", Implementation.class, "resource",
			ResourceContents.class, "icons", Icon.class);

	private MissingMembers() {
	}

	static @Nullable Object fillIn(@Nullable Object value, Class<?> type) {
		if (value instanceof List<?> list) {
			return list.stream().map((item) -> fillIn(item, type)).toList();
		}
		if (!(value instanceof Map<?, ?> map)) {
			return value;
		}
		Map<String, Object> filled = Json.object(map);
		Object key = (type == Content.class) ? String.valueOf(filled.get("type")) : type;
		REQUIRED.getOrDefault(key, Map.of()).forEach((name, substitute) -> {
			if (filled.get(name) == null) {
				filled.put(name, substitute);
			}
		});
		if (type == ResourceContents.class) {
			// its members identify which of the two types it is
			List.of("text", "blob").forEach((member) -> filled.replace(member, null, ""));
		}
		NESTED.forEach((name, nested) -> filled.computeIfPresent(name, (member, present) -> fillIn(present, nested)));
		return filled;
	}

	/**
	 * Return whether a content item may lack a member, or can be bound unchanged.
	 */
	static boolean mayBeIn(JsonNode item) {
		for (String name : REQUIRED.getOrDefault(item.path("type").asString(""), Map.of()).keySet()) {
			if (!item.hasNonNull(name)) {
				return true;
			}
		}
		JsonNode resource = item.get("resource");
		return item.has("icons") || (resource != null
				&& !(resource.hasNonNull("uri") && (resource.hasNonNull("text") || resource.hasNonNull("blob"))));
	}

}
