package io.github.mcpclient.session;

import java.util.List;
import java.util.Map;

import io.modelcontextprotocol.spec.McpSchema.Content;
import io.modelcontextprotocol.spec.McpSchema.Implementation;
import io.modelcontextprotocol.spec.McpSchema.InitializeResult;
import io.modelcontextprotocol.spec.McpSchema.ResourceContents;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Fills in the members that a server must send and has left out, with what the SDK takes
 * in their place. The SDK would warn of each, each time, however often a server does so.
 */
final class MissingMembers {

	private static final Map<String, Object> IMPLEMENTATION = Map.of("name", "", "version", "");

	private static final Map<Class<?>, Map<String, Object>> OF_TYPES = Map.of(Tool.class,
			Map.of("inputSchema", Map.of()), Implementation.class, IMPLEMENTATION, InitializeResult.class,
			Map.of("protocolVersion", "", "capabilities", Map.of(), "serverInfo", IMPLEMENTATION));

	private static final Map<String, Map<String, Object>> OF_CONTENT = Map.of("text", Map.of("text", ""), "image",
			Map.of("data", "", "mimeType", ""), "audio", Map.of("data", "", "mimeType", ""), "resource",
			Map.of("resource", Map.of("uri", "", "text", "")));

	private MissingMembers() {
	}

	static @Nullable Object fillIn(@Nullable Object value, Class<?> type) {
		if (!(value instanceof Map<?, ?> map)) {
			return value;
		}
		Map<String, Object> filled = Json.object(map);
		fill(filled, OF_TYPES.getOrDefault(type, Map.of()));
		if (type == Content.class && filled.get("type") instanceof String name) {
			fill(filled, OF_CONTENT.getOrDefault(name, Map.of()));
			filled.computeIfPresent("resource", (member, resource) -> fillIn(resource, ResourceContents.class));
		}
		else if (type == ResourceContents.class) {
			// which of the two it is, its members tell
			fill(filled, Map.of("uri", ""));
			List.of("text", "blob").forEach((member) -> filled.replace(member, null, ""));
		}
		else if (type == InitializeResult.class) {
			filled.computeIfPresent("serverInfo", (member, info) -> fillIn(info, Implementation.class));
		}
		filled.computeIfPresent("icons", (member, icons) -> icons(icons));
		return filled;
	}

	private static void fill(Map<String, Object> value, Map<String, Object> defaults) {
		defaults.forEach((name, substitute) -> value.merge(name, substitute, (present, ignored) -> present));
	}

	private static Object icons(Object icons) {
		if (!(icons instanceof List<?> list)) {
			return icons;
		}
		return list.stream().map((icon) -> {
			if (!(icon instanceof Map<?, ?> map) || map.get("src") != null) {
				return icon;
			}
			Map<String, Object> filled = Json.object(map);
			filled.put("src", "");
			return filled;
		}).toList();
	}

	/**
	 * Return whether an item of content may lack something. One that does not can be
	 * bound as it is.
	 */
	static boolean mayBeIn(JsonNode item) {
		for (String name : OF_CONTENT.getOrDefault(item.path("type").asString(""), Map.of()).keySet()) {
			if (!item.hasNonNull(name)) {
				return true;
			}
		}
		JsonNode resource = item.get("resource");
		return item.has("icons") || (resource != null
				&& !(resource.hasNonNull("uri") && (resource.hasNonNull("text") || resource.hasNonNull("blob"))));
	}

}
