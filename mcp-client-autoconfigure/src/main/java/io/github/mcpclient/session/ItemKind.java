package io.github.mcpclient.session;

import java.util.List;
import java.util.Map;
import java.util.function.Function;

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
 * @param singular what to call an item
 * @param noun what to call the items, in messages
 * @param method the method that lists them
 * @param member the member of a page that holds them
 * @param key the member of an item that tells it from the others
 * @param setting the settings about them
 * @param offered whether a server has such items at all
 * @param reader makes an item of what the server says, or fails
 */
record ItemKind<T>(String singular, String noun, String method, String member, String key, String setting,
		Function<ServerCapabilities, Boolean> offered, Function<Map<String, Object>, T> reader) {

	static final ItemKind<Tool> TOOLS = new ItemKind<>("tool", "tools", McpSchema.METHOD_TOOLS_LIST, "tools", "name",
			"tools", (capabilities) -> capabilities.tools() != null, ToolReader::read);

	static final ItemKind<Prompt> PROMPTS = new ItemKind<>("prompt", "prompts", McpSchema.METHOD_PROMPT_LIST, "prompts",
			"name", "prompts", (capabilities) -> capabilities.prompts() != null,
			(item) -> Json.convert(item, Prompt.class, List.of("icons", "_meta", "arguments", "title", "description")));

	static final ItemKind<Resource> RESOURCES = new ItemKind<>("resource", "resources", McpSchema.METHOD_RESOURCES_LIST,
			"resources", "uri", "resources", (capabilities) -> capabilities.resources() != null,
			(item) -> Json.convert(item, Resource.class,
					List.of("icons", "_meta", "annotations", "size", "mimeType", "title", "description")));

	static final ItemKind<ResourceTemplate> RESOURCE_TEMPLATES = new ItemKind<>("resource template",
			"resource templates", McpSchema.METHOD_RESOURCES_TEMPLATES_LIST, "resourceTemplates", "uriTemplate",
			"resources", (capabilities) -> capabilities.resources() != null,
			(item) -> Json.convert(item, ResourceTemplate.class,
					List.of("icons", "_meta", "annotations", "mimeType", "title", "description")));

}
