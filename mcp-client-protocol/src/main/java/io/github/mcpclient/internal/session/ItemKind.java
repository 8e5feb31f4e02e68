package io.github.mcpclient.internal.session;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

import io.modelcontextprotocol.spec.McpSchema;
import io.modelcontextprotocol.spec.McpSchema.Prompt;
import io.modelcontextprotocol.spec.McpSchema.Resource;
import io.modelcontextprotocol.spec.McpSchema.ResourceTemplate;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import io.modelcontextprotocol.spec.McpSchema.ToolAnnotations;
import org.jspecify.annotations.Nullable;

/**
 * A kind of items that servers list in pages.
 *
 * @param <T> the type of an item
 * @param singular the name of one item; the name of several has an additional "s"
 * @param method the method that lists them
 * @param member the member of a page that holds them
 * @param key the member of an item that identifies it
 * @param setting the settings about them, and the capability to have them
 * @param reader reads an item, or fails
 */
public record ItemKind<T>(String singular, String method, String member, String key, String setting,
		Function<Map<String, Object>, T> reader) {

	private static final List<String> HINTS = List.of("title", "readOnlyHint", "destructiveHint", "idempotentHint",
			"openWorldHint", "returnDirect");

	private static final ToolAnnotations NO_HINTS = new ToolAnnotations(null, null, null, null, null, null);

	/** Tools. */
	public static final ItemKind<Tool> TOOLS = new ItemKind<>("tool", McpSchema.METHOD_TOOLS_LIST, "tools", "name",
			"tools", ItemKind::readTool);

	/** Prompts. */
	public static final ItemKind<Prompt> PROMPTS = new ItemKind<>("prompt", McpSchema.METHOD_PROMPT_LIST, "prompts",
			"name", "prompts",
			(item) -> Json.convert(item, Prompt.class, List.of("icons", "_meta", "arguments", "title", "description")));

	/** Resources. */
	public static final ItemKind<Resource> RESOURCES = new ItemKind<>("resource", McpSchema.METHOD_RESOURCES_LIST,
			"resources", "uri", "resources", (item) -> Json.convert(item, Resource.class,
					List.of("icons", "_meta", "annotations", "size", "mimeType", "title", "description")));

	/** Resource templates. */
	public static final ItemKind<ResourceTemplate> RESOURCE_TEMPLATES = new ItemKind<>("resource template",
			McpSchema.METHOD_RESOURCES_TEMPLATES_LIST, "resourceTemplates", "uriTemplate", "resources",
			(item) -> Json.convert(item, ResourceTemplate.class,
					List.of("icons", "_meta", "annotations", "mimeType", "title", "description")));

	/**
	 * Return the name of several items, such as {@code prompts}.
	 */
	public String plural() {
		return this.singular + "s";
	}

	// reads a tool without its malformed optional members, but with all that access
	// policies look at
	private static Tool readTool(Map<String, Object> item) {
		Map<String, Object> value = new LinkedHashMap<>(item);
		if (TaskSupport.isRequiredBy(value.get("execution"))) {
			value.put("_meta", TaskSupport.note(value.get("_meta")));
		}
		try {
			return Json.convert(value, Tool.class);
		}
		catch (RuntimeException ex) {
			value.computeIfPresent("annotations", (name, hints) -> readHints(Json.objectOrNull(hints)));
			return Json.convert(value, Tool.class,
					List.of("icons", "_meta", "outputSchema", "annotations", "title", "description"));
		}
	}

	// one malformed hint must not hide the others, such as readOnlyHint: false
	private static @Nullable ToolAnnotations readHints(@Nullable Map<String, Object> hints) {
		ToolAnnotations known = (hints != null) ? Json.convert(Json.members(hints, HINTS), ToolAnnotations.class, HINTS)
				: NO_HINTS;
		return known.equals(NO_HINTS) ? null : known;
	}

}
