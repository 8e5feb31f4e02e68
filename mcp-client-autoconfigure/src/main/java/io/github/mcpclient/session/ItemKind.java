package io.github.mcpclient.session;

import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;

import io.modelcontextprotocol.spec.McpSchema;
import io.modelcontextprotocol.spec.McpSchema.Prompt;
import io.modelcontextprotocol.spec.McpSchema.Resource;
import io.modelcontextprotocol.spec.McpSchema.ResourceTemplate;
import io.modelcontextprotocol.spec.McpSchema.ServerCapabilities;
import io.modelcontextprotocol.spec.McpSchema.Tool;

/**
 * Something that servers list in pages.
 *
 * @param <T> the type of an item
 * @param singular what to call an item; the items are the same with an "s"
 * @param method the method that lists them
 * @param member the member of a page that holds them
 * @param key the member of an item that identifies it
 * @param setting the settings about them
 * @param offered whether a server of these capabilities has such items at all
 * @param reader makes an item of what the server says, or fails
 */
public record ItemKind<T>(String singular, String method, String member, String key, String setting,
		Predicate<ServerCapabilities> offered, Function<Map<String, Object>, T> reader) {

	/** Tools. */
	public static final ItemKind<Tool> TOOLS = new ItemKind<>("tool", McpSchema.METHOD_TOOLS_LIST, "tools", "name",
			"tools", (capabilities) -> capabilities.tools() != null, ToolReader::read);

	/** Prompts. */
	public static final ItemKind<Prompt> PROMPTS = new ItemKind<>("prompt", McpSchema.METHOD_PROMPT_LIST, "prompts",
			"name", "prompts", (capabilities) -> capabilities.prompts() != null,
			(item) -> Json.convert(item, Prompt.class, List.of("icons", "_meta", "arguments", "title", "description")));

	/** Resources. */
	public static final ItemKind<Resource> RESOURCES = new ItemKind<>("resource", McpSchema.METHOD_RESOURCES_LIST,
			"resources", "uri", "resources", (capabilities) -> capabilities.resources() != null,
			(item) -> Json.convert(item, Resource.class,
					List.of("icons", "_meta", "annotations", "size", "mimeType", "title", "description")));

	/** Resource templates. */
	public static final ItemKind<ResourceTemplate> RESOURCE_TEMPLATES = new ItemKind<>("resource template",
			McpSchema.METHOD_RESOURCES_TEMPLATES_LIST, "resourceTemplates", "uriTemplate", "resources",
			(capabilities) -> capabilities.resources() != null, (item) -> Json.convert(item, ResourceTemplate.class,
					List.of("icons", "_meta", "annotations", "mimeType", "title", "description")));

	/**
	 * Return what to call several items.
	 * @return such as {@code prompts}
	 */
	public String plural() {
		return this.singular + "s";
	}

}
